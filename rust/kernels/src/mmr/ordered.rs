//! Marginal relevance in the order of the lines: each is compared with the lines that were kept before it.

use super::bigrams::Bigrams;
use super::postings::{List, Postings, signature_of};
use super::{
    CAUTION, Lines, SHORTEST_LINE, Selection, Status, validate, validate_texts, validate_weights,
};
use crate::csr::STRIDE;
use crate::error::{Error, poll};

/// Goes through the lines once and keeps each whose `lambda * relevance - (1 - lambda) * similarity`
/// with the most similar line kept before it is 0 or more.
///
/// Similarity is that of [`super::mmr`]. A suppressed line has its most similar kept line, ties to the
/// first, and the similarity; a kept one has neither. Time grows with the lines: two sets as similar as
/// suppression asks for share one of their few rarest bigrams, and only such pairs are compared (Chaudhuri,
/// Ganti, Kaushik: A primitive operator for similarity joins in data cleaning, ICDE 2006).
///
/// # Errors
///
/// Those of [`super::mmr`].
pub fn mmr_in_order(
    lines: Lines<'_>,
    relevance: &[f64],
    lambda: f64,
    check: &mut dyn FnMut() -> bool,
) -> Result<Selection, Error> {
    validate(lines, relevance, lambda)?;
    let bigrams = Bigrams::read(lines, SHORTEST_LINE, check)?;
    select(&bigrams, |line| line, relevance, lambda, check)
}

/// Does what [`mmr_in_order`] does for lines of which each is one of some distinct texts: `line_texts` are their numbers.
///
/// # Errors
///
/// Those of [`super::mmr`], and [`Error::Invalid`] when a number is not that of a text.
pub fn mmr_in_order_of_texts(
    texts: Lines<'_>,
    line_texts: &[u32],
    relevance: &[f64],
    lambda: f64,
    check: &mut dyn FnMut() -> bool,
) -> Result<Selection, Error> {
    validate_texts(texts)?;
    validate_weights(line_texts.len(), relevance, lambda)?;
    let count = texts.offsets.len() - 1;
    if let Some(at) = line_texts.iter().position(|&text| text as usize >= count) {
        return Error::invalid(format!(
            "line_texts[{at}] is {}: it must be less than the {count} texts",
            line_texts[at]
        ));
    }
    let bigrams = Bigrams::read(texts, SHORTEST_LINE, check)?;
    let text_of = |line: usize| line_texts[line] as usize;
    select(&bigrams, text_of, relevance, lambda, check)
}

fn select(
    bigrams: &Bigrams,
    text_of: impl Fn(usize) -> usize,
    relevance: &[f64],
    lambda: f64,
    check: &mut dyn FnMut() -> bool,
) -> Result<Selection, Error> {
    let penalty = 1.0 - lambda;
    let least = relevance.iter().copied().fold(1.0, f64::min) * lambda / penalty;
    let mut kept = KeptSets::new(bigrams, least * CAUTION, check)?;
    let mut selection = Selection {
        statuses: vec![Status::Exempt; relevance.len()],
        nearest: vec![-1; relevance.len()],
        similarities: vec![0.0; relevance.len()],
    };
    for (line, &value) in relevance.iter().enumerate() {
        let Some(set) = bigrams.set_of(text_of(line)) else {
            continue;
        };
        let set = set as usize;
        kept.look(set, check)?;
        let Known {
            similarity,
            nearest,
            ..
        } = kept.known[set];
        if lambda * value - penalty * similarity < 0.0 {
            selection.statuses[line] = Status::Suppressed;
            selection.nearest[line] = i64::from(nearest);
            selection.similarities[line] = similarity;
        } else {
            selection.statuses[line] = Status::Kept;
            kept.insert(set, line as u32);
        }
    }
    Ok(selection)
}

/// The most similar kept set of a set, of those kept before `seen`.
#[derive(Clone, Copy)]
struct Known {
    similarity: f64,
    nearest: u32,
    seen: u32,
}

/// A set that is compared with those kept since its last look.
struct Look<'a> {
    bigrams: &'a [u32],
    signature: u64,
    known: Known,
    /// What this look found, kept sets by their number.
    best: Option<u32>,
    /// Whether its bigrams are marked: only where there is something to compare.
    is_marked: bool,
}

/// Kept sets, found by their rarest bigrams.
struct KeptSets<'a> {
    bigrams: &'a Bigrams,
    /// What is less similar than this suppresses nothing.
    least: f64,
    /// By set.
    known: Vec<Known>,
    postings: Postings,
    /// Sets and the line that each was kept for first.
    kept: Vec<(u32, u32)>,
    /// The look that last compared a kept set.
    compared: Vec<u32>,
    is_marked: Vec<bool>,
    looks: u32,
    work: usize,
}

impl<'a> KeptSets<'a> {
    fn new(
        bigrams: &'a Bigrams,
        least: f64,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        let nothing = Known {
            similarity: 0.0,
            nearest: 0,
            seen: 0,
        };
        Ok(Self {
            bigrams,
            least,
            known: vec![nothing; bigrams.sets()],
            postings: Postings::new(bigrams, least, check)?,
            kept: Vec::new(),
            compared: Vec::new(),
            is_marked: vec![false; bigrams.vocabulary()],
            looks: 0,
            work: 0,
        })
    }

    /// Notes that a set is kept for a line; nothing changes when it already was.
    fn insert(&mut self, set: usize, line: u32) {
        if self.known[set].seen == u32::MAX {
            return;
        }
        self.postings
            .add(set, self.bigrams.bigrams(set), self.kept.len() as u32);
        self.kept.push((set as u32, line));
        self.compared.push(0);
        self.known[set] = Known {
            similarity: 1.0,
            nearest: line,
            seen: u32::MAX,
        };
    }

    /// Compares a set with those kept since its last look.
    fn look(&mut self, set: usize, check: &mut dyn FnMut() -> bool) -> Result<(), Error> {
        self.pause(1, check)?;
        let seen = self.known[set].seen;
        let count = self.kept.len() as u32;
        if seen >= count {
            return Ok(());
        }
        self.looks += 1;
        let bigrams = self.bigrams.bigrams(set);
        let lists = self.postings.lists_of(set);
        let mut look = Look {
            bigrams,
            signature: if lists.is_empty() {
                0
            } else {
                signature_of(bigrams)
            },
            known: self.known[set],
            best: None,
            is_marked: false,
        };
        for (position, place) in lists.enumerate() {
            self.visit(&mut look, position, place, check)?;
        }
        if look.is_marked {
            self.mark(bigrams, false);
        }
        look.known.seen = count;
        self.known[set] = look.known;
        Ok(())
    }

    /// Compares a set with those that hold one of its rarest bigrams.
    fn visit(
        &mut self,
        look: &mut Look<'_>,
        position: usize,
        place: usize,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let own = look.bigrams.len();
        for list in self.postings.similar_lists(place) {
            let List { size, .. } = self.postings.list(list);
            for at in self.postings.added_since(list, look.known.seen) {
                let posting = self.postings.posting(at);
                let sequence = posting.sequence;
                self.pause(1, check)?;
                // What the sets have in common begins here, or they were compared before.
                let rest = (own - position).min(posting.rest as usize);
                let both = own + size as usize;
                let differing = (posting.signature ^ look.signature).count_ones() as usize;
                let common = rest.min((both - differing) / 2);
                let wanted = self.least.max(look.known.similarity * CAUTION);
                if (common as f64) < wanted * (both - common) as f64
                    || self.compared[sequence as usize] == self.looks
                {
                    continue;
                }
                self.compared[sequence as usize] = self.looks;
                self.compare(look, sequence, wanted, check)?;
            }
        }
        Ok(())
    }

    /// Compares two sets until it is seen that they are less similar than `wanted`: mostly after a few of the rarest
    /// bigrams.
    fn compare(
        &mut self,
        look: &mut Look<'_>,
        sequence: u32,
        wanted: f64,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        if !look.is_marked {
            self.mark(look.bigrams, true);
            look.is_marked = true;
        }
        let (other, line) = self.kept[sequence as usize];
        let other = self.bigrams.bigrams(other as usize);
        self.pause(other.len(), check)?;
        let both = look.bigrams.len() + other.len();
        let mut common = other.len();
        for &bigram in other {
            if !self.is_marked[bigram as usize] {
                common -= 1;
                if (common as f64) < wanted * (both - common) as f64 {
                    return Ok(());
                }
            }
        }
        let similarity = common as f64 / (both - common) as f64;
        // Ties go to the set that was kept first; what an earlier look found was kept before.
        let is_first =
            similarity == look.known.similarity && look.best.is_some_and(|found| sequence < found);
        if similarity > look.known.similarity || is_first {
            look.best = Some(sequence);
            look.known.similarity = similarity;
            look.known.nearest = line;
        }
        Ok(())
    }

    fn mark(&mut self, bigrams: &[u32], is_marked: bool) {
        for &bigram in bigrams {
            self.is_marked[bigram as usize] = is_marked;
        }
    }

    fn pause(&mut self, work: usize, check: &mut dyn FnMut() -> bool) -> Result<(), Error> {
        self.work += work;
        if self.work >= STRIDE {
            self.work = 0;
            poll(check)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, mmr_in_order, mmr_in_order_of_texts};
    use crate::error::Error;

    fn joined(texts: &[&str]) -> (Vec<u8>, Vec<i64>) {
        let mut offsets = vec![0];
        for text in texts {
            offsets.push(offsets[offsets.len() - 1] + text.len() as i64);
        }
        (texts.concat().into_bytes(), offsets)
    }

    #[test]
    fn lines_of_few_texts_are_selected_as_if_each_stood_for_itself() {
        let texts = [
            "return None",
            "x",
            "raise Problem(value)",
            "raise Problem(valve)",
        ];
        let line_texts = [2, 0, 3, 1, 0, 3, 2, 2];
        let lines: Vec<&str> = line_texts
            .iter()
            .map(|&text: &u32| texts[text as usize])
            .collect();
        let relevance = [0.4, 0.4, 0.4, 0.4, 0.4, 1.0, 0.4, 0.0];
        let (text, offsets) = joined(&lines);
        let each = Lines {
            text: &text,
            offsets: &offsets,
        };
        let (text, offsets) = joined(&texts);
        let few = Lines {
            text: &text,
            offsets: &offsets,
        };
        let check = &mut || false;
        assert_eq!(
            mmr_in_order_of_texts(few, &line_texts, &relevance, 0.7, check),
            mmr_in_order(each, &relevance, 0.7, check)
        );
        let refused = mmr_in_order_of_texts(few, &[0, 4], &[0.4, 0.4], 0.7, check);
        let text = "line_texts[1] is 4: it must be less than the 4 texts".to_owned();
        assert_eq!(refused, Err(Error::Invalid(text)));
    }
}
