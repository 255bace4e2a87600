//! The most similar selected set, through counts of common bigrams in bit planes.

use super::CAUTION;
use super::bigrams::Bigrams;
use super::buckets::{Bucket, Visit, bucket_for, first_from};
use super::planes::{LANES, Layout, MOST_BIGRAMS, Plane};
use crate::csr::STRIDE;
use crate::error::{Error, poll};
use crate::simd::{count_at_least, prefetch};

/// Up to so many selected sets are compared one by one: a block of planes costs more than that.
const MOST_COMPARED_DIRECTLY: usize = 24;

/// The same within one bucket.
const MOST_COMPARED_IN_BUCKET: usize = 6;

/// What is known of a set's most similar selected set.
#[derive(Clone, Copy)]
struct Known {
    similarity: f64,
    nearest: i64,
    /// How many selected sets it was compared with.
    seen: u32,
}

/// The set being looked at, and the best found so far.
struct Look<'a> {
    bigrams: &'a [u32],
    /// The planes of those of the bigrams that have one.
    planes: &'a [u32],
    seen: u32,
    similarity: f64,
    nearest: i64,
    /// When the nearest set was selected, if this look found it.
    sequence: Option<u32>,
}

impl Look<'_> {
    fn size(&self) -> usize {
        self.bigrams.len()
    }

    /// Whether sets of these sizes can be as similar as the best.
    fn admits(&self, smallest: usize, largest: usize) -> bool {
        let least = self.similarity * CAUTION;
        smallest as f64 * least <= self.size() as f64
            && largest as f64 >= least * self.size() as f64
    }

    /// The fewest common bigrams with which a set of at least `size` can be as similar as the best.
    fn fewest_common(&self, size: usize) -> usize {
        let least = self.similarity * CAUTION;
        let both = (self.size() + size) as f64;
        ((least * both / (1.0 + least)).floor() as usize).max(1)
    }
}

/// A set that was selected.
struct Selected {
    set: u32,
    /// The line it was selected for first.
    line: u32,
    size: u32,
    /// The look that last compared it.
    compared: u32,
}

/// Selected sets, and for every set the most similar of those it was compared with.
///
/// Bigrams have bit planes over the selected sets, see [`Layout`]; the common ones of 512 sets are counted at once. Where
/// planes are shared a count is an upper bound; what reaches the bound is compared. Sets that share a bigram without a
/// plane are met through its list. Both are exact.
pub(super) struct Search<'a> {
    bigrams: &'a Bigrams,
    /// Which bigrams have planes.
    layout: Layout,
    buckets: Vec<Bucket>,
    /// The sequences of sets that hold each rare bigram.
    rare: Vec<Vec<u32>>,
    selected: Vec<Selected>,
    /// What a look is about to compare.
    candidates: Vec<u32>,
    /// What a look is about to visit.
    visits: Vec<Visit>,
    /// The planes of the set looked at.
    planes: Vec<u32>,
    is_selected: Vec<bool>,
    known: Vec<Known>,
    /// Whether a bigram is in the set looked at: bytes, so that all of them stay in the first cache.
    marked: Vec<bool>,
    looks: u32,
    work: usize,
}

/// How many planes of the next block are asked for while one is counted.
const PREFETCHED: usize = 16;

impl<'a> Search<'a> {
    pub(super) fn new(bigrams: &'a Bigrams) -> Self {
        let nothing = Known {
            similarity: 0.0,
            nearest: -1,
            seen: 0,
        };
        let layout = bigrams.lay_out_planes();
        Self {
            bigrams,
            layout,
            buckets: Vec::new(),
            rare: vec![Vec::new(); layout.first_counted()],
            selected: Vec::new(),
            candidates: Vec::new(),
            visits: Vec::new(),
            planes: Vec::new(),
            is_selected: vec![false; bigrams.sets()],
            known: vec![nothing; bigrams.sets()],
            marked: vec![false; bigrams.vocabulary()],
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
        let sequence = self.selected.len() as u32;
        // Nothing is more similar than the set itself: further lines of this set need no look.
        self.known[set] = Known {
            similarity: 1.0,
            nearest: i64::from(line),
            seen: u32::MAX,
        };
        let bigrams = self.bigrams.bigrams(set);
        self.selected.push(Selected {
            set: set as u32,
            line,
            size: bigrams.len() as u32,
            compared: 0,
        });
        let counted = self.layout.planes();
        let bucket = bucket_for(&mut self.buckets, bigrams.len());
        let lane = bucket.sequences.len() % LANES;
        if lane == 0 {
            bucket
                .planes
                .resize(bucket.planes.len() + counted, [0; LANES / 64]);
        }
        let block = bucket.planes.len() - counted;
        bucket.sequences.push(sequence);
        for &bigram in bigrams {
            if let Some(plane) = self.layout.plane_of(bigram) {
                bucket.planes[block + plane as usize][lane / 64] |= 1 << (lane % 64);
            } else {
                self.rare[bigram as usize].push(sequence);
            }
        }
    }

    /// Compares a set with the sets selected since its last look.
    pub(super) fn look(
        &mut self,
        set: usize,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let Known {
            similarity,
            nearest,
            seen,
        } = self.known[set];
        let count = self.selected.len() as u32;
        if seen >= count {
            return Ok(());
        }
        self.begin_look();
        let bigrams = self.bigrams.bigrams(set);
        for &bigram in bigrams {
            self.marked[bigram as usize] = true;
        }
        let mut planes = std::mem::take(&mut self.planes);
        planes.clear();
        planes.extend(
            bigrams
                .iter()
                .filter_map(|&bigram| self.layout.plane_of(bigram)),
        );
        let mut look = Look {
            bigrams,
            planes: &planes,
            seen,
            similarity,
            nearest,
            sequence: None,
        };
        if (count - seen) as usize <= MOST_COMPARED_DIRECTLY || bigrams.len() > MOST_BIGRAMS {
            for begin in (seen..count).step_by(MOST_COMPARED_DIRECTLY) {
                let end = count.min(begin + MOST_COMPARED_DIRECTLY as u32);
                self.candidates.extend(begin..end);
                self.compare_candidates(&mut look);
                self.pause(check)?;
            }
        } else {
            self.look_at_rare(&mut look, check)?;
            self.look_at_counted(&mut look, check)?;
        }
        for &bigram in bigrams {
            self.marked[bigram as usize] = false;
        }
        self.known[set] = Known {
            similarity: look.similarity,
            nearest: look.nearest,
            seen: count,
        };
        self.planes = planes;
        Ok(())
    }

    fn look_at_rare(
        &mut self,
        look: &mut Look<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        for &bigram in &look.bigrams[..look.size() - look.planes.len()] {
            let bigram = bigram as usize;
            let begin = first_from(&self.rare[bigram], look.seen);
            self.candidates
                .extend_from_slice(&self.rare[bigram][begin..]);
            self.compare_candidates(look);
            self.pause(check)?;
        }
        Ok(())
    }

    /// Visits the blocks from the set's own size outwards: near sizes raise the bound soonest.
    fn look_at_counted(
        &mut self,
        look: &mut Look<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let own = self
            .buckets
            .partition_point(|bucket| bucket.largest < look.size());
        let mut visits = std::mem::take(&mut self.visits);
        for number in own..self.buckets.len() {
            if !look.admits(self.buckets[number].smallest, usize::MAX) {
                break;
            }
            self.buckets[number].plan(number, look.seen, &mut visits);
        }
        for number in (0..own).rev() {
            if !look.admits(0, self.buckets[number].largest) {
                break;
            }
            self.buckets[number].plan(number, look.seen, &mut visits);
        }
        for (at, visit) in visits.iter().enumerate() {
            if let Some(next) = visits.get(at + 1) {
                self.prefetch(look, next);
            }
            self.visit(look, visit);
            self.pause(check)?;
        }
        visits.clear();
        self.visits = visits;
        Ok(())
    }

    /// Asks for the planes that a visit counts first.
    fn prefetch(&self, look: &Look<'_>, visit: &Visit) {
        let planes = self.planes(visit);
        for &plane in look.planes.iter().take(PREFETCHED) {
            prefetch(planes, plane as usize);
        }
    }

    fn planes(&self, visit: &Visit) -> &[Plane] {
        let counted = self.layout.planes();
        let block = visit.begin / LANES;
        &self.buckets[visit.bucket].planes[block * counted..(block + 1) * counted]
    }

    fn visit(&mut self, look: &mut Look<'_>, visit: &Visit) {
        let &Visit { bucket, begin, end } = visit;
        let Bucket {
            smallest, largest, ..
        } = self.buckets[bucket];
        if !look.admits(smallest, largest) {
            return;
        }
        if end - begin <= MOST_COMPARED_IN_BUCKET {
            self.candidates
                .extend_from_slice(&self.buckets[bucket].sequences[begin..end]);
        } else {
            let first = begin / LANES * LANES;
            // Sets that also share a rare bigram were compared already: the count of the rest decides.
            let mut found = count_at_least(
                self.planes(visit),
                look.planes,
                look.fewest_common(smallest) as u32,
                [begin < first + LANES / 2, end > first + LANES / 2],
            );
            self.work += 2 * look.size() + 32;
            for (word, bits) in found.iter_mut().enumerate() {
                while *bits != 0 {
                    let at = first + word * 64 + bits.trailing_zeros() as usize;
                    *bits &= *bits - 1;
                    if at >= begin && at < end {
                        self.candidates.push(self.buckets[bucket].sequences[at]);
                    }
                }
            }
        }
        self.compare_candidates(look);
    }

    /// Compares the set looked at with the candidates that this look did not meet before.
    ///
    /// The memory of all is asked for before the first is read: one after the other would wait for each.
    fn compare_candidates(&mut self, look: &mut Look<'_>) {
        let mut candidates = std::mem::take(&mut self.candidates);
        for &sequence in &candidates {
            prefetch(&self.selected, sequence as usize);
        }
        self.work += candidates.len();
        // Without lists no set is met twice.
        let has_lists = self.layout.first_counted() > 0;
        candidates.retain(|&sequence| {
            let selected = &mut self.selected[sequence as usize];
            let is_new = !has_lists || selected.compared != self.looks;
            if has_lists {
                selected.compared = self.looks;
            }
            let is_admitted = is_new && look.admits(selected.size as usize, selected.size as usize);
            if is_admitted {
                self.bigrams.prefetch(selected.set as usize);
            }
            is_admitted
        });
        for &sequence in &candidates {
            self.compare(look, sequence);
        }
        candidates.clear();
        self.candidates = candidates;
    }

    /// Compares the set looked at with one selected set.
    fn compare(&mut self, look: &mut Look<'_>, sequence: u32) {
        let Selected { set, line, .. } = self.selected[sequence as usize];
        let other = self.bigrams.bigrams(set as usize);
        self.work += other.len();
        let mut common = 0;
        for &bigram in other {
            common += usize::from(self.marked[bigram as usize]);
        }
        let found = common as f64 / (look.size() + other.len() - common) as f64;
        let is_earlier =
            found == look.similarity && look.sequence.is_some_and(|before| sequence < before);
        if found > look.similarity || is_earlier {
            look.similarity = found;
            look.nearest = i64::from(line);
            look.sequence = Some(sequence);
        }
    }

    fn begin_look(&mut self) {
        if self.looks == u32::MAX {
            self.looks = 0;
            self.selected
                .iter_mut()
                .for_each(|selected| selected.compared = 0);
        }
        self.looks += 1;
    }

    fn pause(&mut self, check: &mut dyn FnMut() -> bool) -> Result<(), Error> {
        if self.work >= STRIDE {
            self.work = 0;
            poll(check)?;
        }
        Ok(())
    }
}
