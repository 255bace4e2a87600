//! The most similar selected set, through postings of rare bigrams and exact bounds.

use super::bigrams::Bigrams;
use crate::csr::STRIDE;
use crate::error::{Error, poll};

/// Bounds are compared with this share of a similarity, so that rounding never rejects an equal.
const CAUTION: f64 = 1.0 - 1e-12;

/// A selected set in the list of one of its bigrams.
#[derive(Clone, Copy)]
struct Posting {
    /// When the set was selected.
    sequence: u32,
    /// How many bigrams it has.
    size: u32,
    /// How many of them stand at or behind this one.
    rest: u32,
}

/// What is known of a set's most similar selected set.
#[derive(Clone, Copy)]
struct Known {
    similarity: f64,
    nearest: i64,
    /// How many selected sets it was compared with.
    seen: u32,
}

/// Selected sets, and for every set the most similar of those it was compared with.
pub(super) struct Search<'a> {
    bigrams: &'a Bigrams,
    postings: Vec<Vec<Posting>>,
    /// Selected sets and the line that each was selected for first.
    selected: Vec<(u32, u32)>,
    is_selected: Vec<bool>,
    known: Vec<Known>,
    /// The look that last touched a selected set.
    touched: Vec<u32>,
    /// The look that last marked a bigram as one of the set looked at.
    marked: Vec<u32>,
    looks: u32,
    work: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(bigrams: &'a Bigrams) -> Self {
        let nothing = Known {
            similarity: 0.0,
            nearest: -1,
            seen: 0,
        };
        Self {
            bigrams,
            postings: vec![Vec::new(); bigrams.vocabulary()],
            selected: Vec::new(),
            is_selected: vec![false; bigrams.sets()],
            known: vec![nothing; bigrams.sets()],
            touched: Vec::new(),
            marked: vec![0; bigrams.vocabulary()],
            looks: 0,
            work: 0,
        }
    }

    /// The similarity with the most similar set that was selected before the last look, and its line.
    pub(super) fn best(&self, set: usize) -> (f64, i64) {
        (self.known[set].similarity, self.known[set].nearest)
    }

    /// Marks a set as selected for a line; nothing changes when it already was.
    pub(super) fn insert(&mut self, set: usize, line: u32) {
        if self.is_selected[set] {
            return;
        }
        self.is_selected[set] = true;
        let bigrams = self.bigrams.bigrams(set);
        let size = bigrams.len() as u32;
        let sequence = self.selected.len() as u32;
        for (position, &bigram) in bigrams.iter().enumerate() {
            let rest = size - position as u32;
            self.postings[bigram as usize].push(Posting {
                sequence,
                size,
                rest,
            });
        }
        self.selected.push((set as u32, line));
        self.touched.push(0);
        // Nothing is more similar than the set itself: further lines of this set need no look.
        self.known[set] = Known {
            similarity: 1.0,
            nearest: i64::from(line),
            seen: u32::MAX,
        };
    }

    /// Compares a set with the sets selected since its last look.
    ///
    /// Sets are met through their common bigrams, rarest first. The first one they share bounds the
    /// overlap by what stands behind it in both, and a set that shares none of the rarest
    /// `(1 - similarity) * size` bigrams cannot be more similar than what is known already.
    pub(super) fn look(
        &mut self,
        set: usize,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let Known {
            mut similarity,
            mut nearest,
            seen,
        } = self.known[set];
        let count = self.selected.len() as u32;
        if seen >= count {
            return Ok(());
        }
        self.begin_look();
        let bigrams = self.bigrams.bigrams(set);
        for &bigram in bigrams {
            self.marked[bigram as usize] = self.looks;
        }
        let size = bigrams.len();
        let mut nearest_sequence = u32::MAX;
        for (position, &bigram) in bigrams.iter().enumerate() {
            let rest = size - position;
            if (rest as f64) < similarity * CAUTION * size as f64 {
                break;
            }
            let list = &self.postings[bigram as usize];
            let fresh = &list[list.partition_point(|posting| posting.sequence < seen)..];
            self.work += fresh.len() + 8;
            if self.work >= STRIDE {
                poll(check)?;
                self.work = 0;
            }
            for posting in fresh {
                let bound = (rest as u32).min(posting.rest);
                let union = size as u32 + posting.size - bound;
                if f64::from(bound) < similarity * CAUTION * f64::from(union) {
                    continue;
                }
                let sequence = posting.sequence as usize;
                if self.touched[sequence] == self.looks {
                    continue;
                }
                self.touched[sequence] = self.looks;
                let (other, line) = self.selected[sequence];
                let found = self.similarity(self.bigrams.bigrams(other as usize), size);
                self.work += posting.size as usize;
                let is_earlier = found == similarity && posting.sequence < nearest_sequence;
                if found > similarity || (is_earlier && nearest_sequence != u32::MAX) {
                    similarity = found;
                    nearest = i64::from(line);
                    nearest_sequence = posting.sequence;
                }
            }
        }
        self.known[set] = Known {
            similarity,
            nearest,
            seen: count,
        };
        Ok(())
    }

    fn begin_look(&mut self) {
        if self.looks == u32::MAX {
            self.looks = 0;
            self.touched.fill(0);
            self.marked.fill(0);
        }
        self.looks += 1;
    }

    /// The Jaccard index of the set looked at, of `size` bigrams, and another one.
    fn similarity(&self, other: &[u32], size: usize) -> f64 {
        let mut common = 0;
        for &bigram in other {
            common += usize::from(self.marked[bigram as usize] == self.looks);
        }
        common as f64 / (size + other.len() - common) as f64
    }
}
