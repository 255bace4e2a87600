//! Maximal marginal relevance over lines of text, exact.

mod bigrams;
mod buckets;
mod ordered;
pub(crate) mod planes;
mod postings;
mod search;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::error::{Error, poll, python_float};
use bigrams::Bigrams;
pub use ordered::{mmr_in_order, mmr_in_order_of_texts};
use search::Search;

/// Bounds are compared with this share of a similarity, so that rounding never rejects an equal.
const CAUTION: f64 = 1.0 - 1e-12;

/// Lines of fewer code points are exempt.
const SHORTEST_LINE: usize = 4;

/// White-space-normalised lines of UTF-8: line `i` is `text[offsets[i]..offsets[i + 1]]`.
#[derive(Debug, Clone, Copy)]
pub struct Lines<'a> {
    /// All lines, one after the other, without separators.
    pub text: &'a [u8],
    /// Where each line begins, and the end of the last one.
    pub offsets: &'a [i64],
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// Selected.
    Kept = 0,
    /// Not selected: its marginal relevance is below 0.
    Suppressed = 1,
    /// Of fewer than four code points: neither selected nor compared with.
    Exempt = 2,
    /// Not selected because `max_selected` lines were.
    Unreached = 3,
}

/// What became of each line, and which line it is most like.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// A status per line.
    pub statuses: Vec<Status>,
    /// For a kept line, the most similar of the lines selected before it; for a suppressed line, the
    /// most similar of all selected lines; ties go to the line selected first; -1 when there is none.
    pub nearest: Vec<i64>,
    /// The similarity with that line, or 0.
    pub similarities: Vec<f64>,
}

/// Selects, again and again, the line of largest `lambda * relevance - (1 - lambda) * max similarity
/// with a selected line`, and stops at the first below 0 or after `max_selected` lines.
///
/// Similarity is the Jaccard index of the sets of code-point bigrams, `intersection / union`. Ties go to
/// the smaller line. The result is that of the plain greedy loop, to the bit. Source: Carbonell and
/// Goldstein, 1998; docs/assembly.md.
///
/// # Errors
///
/// [`Error::Invalid`] when the offsets do not partition the text, a line is not UTF-8, or a relevance
/// or `lambda` is not from 0 to 1.
pub fn mmr(
    lines: Lines<'_>,
    relevance: &[f64],
    lambda: f64,
    max_selected: u64,
    check: &mut dyn FnMut() -> bool,
) -> Result<Selection, Error> {
    validate(lines, relevance, lambda)?;
    let bigrams = Bigrams::read(lines, SHORTEST_LINE, check)?;
    let mut greedy = Greedy::new(&bigrams, relevance, lambda);
    let is_complete = greedy.select(max_selected, check)?;
    if is_complete {
        greedy.judge_suppressed(check)?;
    }
    Ok(greedy.selection)
}

fn validate(lines: Lines<'_>, relevance: &[f64], lambda: f64) -> Result<(), Error> {
    validate_texts(lines)?;
    validate_weights(lines.offsets.len() - 1, relevance, lambda)
}

fn validate_texts(texts: Lines<'_>) -> Result<(), Error> {
    let Lines { text, offsets } = texts;
    let Some((&first, &last)) = offsets.first().zip(offsets.last()) else {
        return Error::invalid(
            "offsets is empty: it must hold one entry more than there are lines".to_owned(),
        );
    };
    if first != 0 {
        return Error::invalid(format!("offsets[0] is {first}: it must be 0"));
    }
    if let Some(at) = offsets.windows(2).position(|pair| pair[1] < pair[0]) {
        return Error::invalid(format!(
            "offsets[{}] is {}: it must not be less than the {} before it",
            at + 1,
            offsets[at + 1],
            offsets[at]
        ));
    }
    if last as u64 != text.len() as u64 {
        return Error::invalid(format!(
            "offsets ends at {last}: it must end at the length of the text, {}",
            text.len()
        ));
    }
    Ok(())
}

fn validate_weights(lines: usize, relevance: &[f64], lambda: f64) -> Result<(), Error> {
    if relevance.len() != lines {
        return Error::invalid(format!(
            "there are {} relevance values for {lines} lines: they must be equal in number",
            relevance.len()
        ));
    }
    if let Some(at) = relevance
        .iter()
        .position(|value| !(0.0..=1.0).contains(value))
    {
        return Error::invalid(format!(
            "relevance[{at}] is {}: it must be from 0 to 1",
            python_float(relevance[at])
        ));
    }
    if !(0.0..=1.0).contains(&lambda) {
        return Error::invalid(format!(
            "lambda_ is {}: it must be from 0 to 1",
            python_float(lambda)
        ));
    }
    Ok(())
}

/// A line waiting to be selected, by the value it had when its set was last looked at.
///
/// Similarity to the selected lines only grows, so a waiting value is an upper bound, and looking again
/// at the top of the heap alone is exact.
#[derive(Clone, Copy, PartialEq)]
struct Waiting {
    value: f64,
    line: u32,
    set: u32,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_value = self
            .value
            .partial_cmp(&other.value)
            .unwrap_or(Ordering::Equal);
        by_value.then(other.line.cmp(&self.line))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Greedy<'a> {
    search: Search<'a>,
    /// `lambda * relevance` by line.
    gains: Vec<f64>,
    /// `1 - lambda`.
    penalty: f64,
    waiting: BinaryHeap<Waiting>,
    selection: Selection,
}

impl<'a> Greedy<'a> {
    fn new(bigrams: &'a Bigrams, relevance: &[f64], lambda: f64) -> Self {
        let lines = relevance.len();
        let gains: Vec<f64> = relevance.iter().map(|&value| lambda * value).collect();
        let penalty = 1.0 - lambda;
        let mut statuses = vec![Status::Exempt; lines];
        let mut waiting = Vec::with_capacity(lines);
        for (line, &gain) in gains.iter().enumerate() {
            if let Some(set) = bigrams.set_of(line) {
                statuses[line] = Status::Unreached;
                waiting.push(Waiting {
                    value: gain - penalty * 0.0,
                    line: line as u32,
                    set,
                });
            }
        }
        let selection = Selection {
            statuses,
            nearest: vec![-1; lines],
            similarities: vec![0.0; lines],
        };
        let search = Search::new(bigrams);
        Self {
            search,
            gains,
            penalty,
            waiting: waiting.into(),
            selection,
        }
    }

    /// Selects lines; returns whether it stopped because no line of value 0 or more is left.
    fn select(
        &mut self,
        max_selected: u64,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Error> {
        let mut selected = 0;
        while let Some(&top) = self.waiting.peek() {
            if selected == max_selected {
                return Ok(false);
            }
            if top.value < 0.0 {
                return Ok(true);
            }
            let (line, set) = (top.line as usize, top.set as usize);
            self.search.look(set, check)?;
            let (similarity, nearest) = self.search.best(set);
            let value = self.gains[line] - self.penalty * similarity;
            if value != top.value {
                if let Some(mut waiting) = self.waiting.peek_mut() {
                    waiting.value = value;
                }
                continue;
            }
            self.waiting.pop();
            self.selection.statuses[line] = Status::Kept;
            self.selection.nearest[line] = nearest;
            self.selection.similarities[line] = similarity;
            self.search.insert(set, top.line);
            selected += 1;
        }
        Ok(true)
    }

    /// Finds the nearest selected line of every line that is left.
    fn judge_suppressed(&mut self, check: &mut dyn FnMut() -> bool) -> Result<(), Error> {
        poll(check)?;
        for waiting in std::mem::take(&mut self.waiting) {
            let (line, set) = (waiting.line as usize, waiting.set as usize);
            self.search.look(set, check)?;
            let (similarity, nearest) = self.search.best(set);
            self.selection.statuses[line] = Status::Suppressed;
            self.selection.nearest[line] = nearest;
            self.selection.similarities[line] = similarity;
        }
        Ok(())
    }
}
