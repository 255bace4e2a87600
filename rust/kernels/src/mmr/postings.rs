//! Where sets of bigrams are found by their rarest ones: room for every set, side by side by bigram and size.

use std::ops::Range;

use super::bigrams::Bigrams;
use crate::error::{Error, poll};

/// So many sets or postings are passed between two looks at the interrupt.
const STEPS_PER_CHECK: usize = 1 << 14;

/// The sets of one size with a bigram among their rarest.
#[derive(Clone, Copy)]
pub(super) struct List {
    pub(super) size: u32,
    /// Where its postings begin, and how many were added.
    start: u32,
    added: u32,
    /// The lists of the same bigram whose sets differ little enough in size.
    first: u32,
    end: u32,
}

impl List {
    fn new(size: u32, start: u32) -> Self {
        Self {
            size,
            start,
            added: 0,
            first: 0,
            end: 0,
        }
    }
}

/// Where a set holds a bigram.
#[derive(Clone, Copy, Default)]
pub(super) struct Posting {
    pub(super) signature: u64,
    pub(super) sequence: u32,
    /// How many bigrams of the set begin here.
    pub(super) rest: u32,
}

/// A bit for each bigram, those of equal bits cancelling out: two sets differ in as many bigrams as bits, or more.
pub(super) fn signature_of(bigrams: &[u32]) -> u64 {
    bigrams.iter().fold(0, |signature, &bigram| {
        signature ^ 1 << (bigram.wrapping_mul(0x9E37_79B1) >> 26)
    })
}

/// The places in which sets are noted when they are kept.
pub(super) struct Postings {
    /// By bigram and rising size.
    lists: Vec<List>,
    entries: Vec<Posting>,
    /// The list of each of the rarest bigrams of each set.
    list_of: Vec<u32>,
    /// Where those of each set begin.
    starts: Vec<usize>,
}

impl Postings {
    /// Room for all sets; what is less similar than `least` need not be found.
    pub(super) fn new(
        bigrams: &Bigrams,
        least: f64,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        let starts = starts_of(bigrams, least);
        let rarest = |set: usize| &bigrams.bigrams(set)[..starts[set + 1] - starts[set]];
        let mut following = vec![0_u32; bigrams.vocabulary() + 1];
        for (set, range) in starts.windows(2).enumerate() {
            pause(set, check)?;
            for &bigram in &bigrams.bigrams(set)[..range[1] - range[0]] {
                following[bigram as usize + 1] += 1;
            }
        }
        for bigram in 1..following.len() {
            following[bigram] += following[bigram - 1];
        }
        let bounds = following.clone();
        let count = starts[bigrams.sets()];
        // By bigram and size the places in `list_of`, with the size.
        let mut places = vec![(0_u32, 0_u32); count];
        for (at, set) in by_size(bigrams).into_iter().enumerate() {
            pause(at, check)?;
            let size = bigrams.bigrams(set).len() as u32;
            for (position, &bigram) in rarest(set).iter().enumerate() {
                let at = &mut following[bigram as usize];
                places[*at as usize] = (size, (starts[set] + position) as u32);
                *at += 1;
            }
        }
        let mut lists: Vec<List> = Vec::new();
        let mut list_of = vec![0; count];
        for range in bounds.windows(2) {
            let begin = lists.len();
            for at in range[0]..range[1] {
                pause(at as usize, check)?;
                let (size, place) = places[at as usize];
                if lists.len() == begin || lists[lists.len() - 1].size != size {
                    lists.push(List::new(size, at));
                }
                list_of[place as usize] = (lists.len() - 1) as u32;
            }
            link(&mut lists, begin, least);
        }
        Ok(Self {
            lists,
            entries: vec![Posting::default(); count],
            list_of,
            starts,
        })
    }

    /// The numbers by which [`Self::similar_lists`] knows the rarest bigrams of a set, rarest first.
    pub(super) fn lists_of(&self, set: usize) -> Range<usize> {
        self.starts[set]..self.starts[set + 1]
    }

    /// The lists in which sets are found that may be similar enough.
    pub(super) fn similar_lists(&self, place: usize) -> Range<usize> {
        let list = self.lists[self.list_of[place] as usize];
        list.first as usize..list.end as usize
    }

    pub(super) fn list(&self, list: usize) -> List {
        self.lists[list]
    }

    pub(super) fn posting(&self, at: usize) -> Posting {
        self.entries[at]
    }

    /// The postings in a list of sets that were added with this number or later.
    pub(super) fn added_since(&self, list: usize, sequence: u32) -> Range<usize> {
        let List { start, added, .. } = self.lists[list];
        let (start, end) = (start as usize, (start + added) as usize);
        let begin = if sequence == 0 {
            0
        } else {
            self.entries[start..end].partition_point(|posting| posting.sequence < sequence)
        };
        start + begin..end
    }

    /// Adds a set once, under a number that rises.
    pub(super) fn add(&mut self, set: usize, bigrams: &[u32], sequence: u32) {
        let places = self.lists_of(set);
        if places.is_empty() {
            return;
        }
        let signature = signature_of(bigrams);
        for (position, place) in places.enumerate() {
            let list = &mut self.lists[self.list_of[place] as usize];
            self.entries[(list.start + list.added) as usize] = Posting {
                signature,
                sequence,
                rest: (bigrams.len() - position) as u32,
            };
            list.added += 1;
        }
    }
}

/// How many of a set's rarest bigrams meet every other set that is similar enough.
fn prefix(size: usize, least: f64) -> usize {
    // One bigram more or less makes the most similar set that is no equal.
    if (size as f64) < least * (size + 1) as f64 {
        return 0;
    }
    let common = ((least * size as f64).ceil() as usize).clamp(1, size);
    size - common + 1
}

/// Where the rarest bigrams of each set begin, one set behind the other, and where the last ones end.
fn starts_of(bigrams: &Bigrams, least: f64) -> Vec<usize> {
    let mut end = 0;
    let mut starts = Vec::with_capacity(bigrams.sets() + 1);
    starts.push(end);
    for set in 0..bigrams.sets() {
        end += prefix(bigrams.bigrams(set).len(), least);
        starts.push(end);
    }
    starts
}

/// The sets by rising size.
fn by_size(bigrams: &Bigrams) -> Vec<usize> {
    let size_of = |set: usize| bigrams.bigrams(set).len();
    let largest = (0..bigrams.sets()).map(size_of).max().unwrap_or(0);
    let mut following = vec![0; largest + 2];
    for set in 0..bigrams.sets() {
        following[size_of(set) + 1] += 1;
    }
    for size in 1..following.len() {
        following[size] += following[size - 1];
    }
    let mut sets = vec![0; bigrams.sets()];
    for set in 0..bigrams.sets() {
        let at = &mut following[size_of(set)];
        sets[*at] = set;
        *at += 1;
    }
    sets
}

/// Looks at the interrupt now and then; `step` counts what takes a fraction of a microsecond each.
fn pause(step: usize, check: &mut dyn FnMut() -> bool) -> Result<(), Error> {
    if step.is_multiple_of(STEPS_PER_CHECK) {
        poll(check)
    } else {
        Ok(())
    }
}

/// Notes for the lists of one bigram, which are those from `begin` on, which of them have sets of about their size.
///
/// What two sets have in common is at most the smaller one.
fn link(lists: &mut [List], begin: usize, least: f64) {
    let (mut first, mut end) = (begin, begin);
    for at in begin..lists.len() {
        let own = f64::from(lists[at].size);
        while f64::from(lists[first].size) < least * own {
            first += 1;
        }
        let is_too_large = |list: &List| own < least * f64::from(list.size);
        while lists.get(end).is_some_and(|list| !is_too_large(list)) {
            end += 1;
        }
        (lists[at].first, lists[at].end) = (first as u32, end as u32);
    }
}
