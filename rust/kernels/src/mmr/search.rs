//! The most similar selected set, through counts of common bigrams in bit planes.

use super::bigrams::Bigrams;
use super::planes::{LANES, Plane};
use crate::csr::STRIDE;
use crate::error::{Error, poll};
use crate::simd::count_at_least;

/// Bounds are compared with this share of a similarity, so that rounding never rejects an equal.
const CAUTION: f64 = 1.0 - 1e-12;

/// Up to so many selected sets are compared one by one: a block of planes costs more than that.
const MOST_COMPARED_DIRECTLY: usize = 24;

/// The same within one bucket.
const MOST_COMPARED_IN_BUCKET: usize = 6;

/// The largest set that bit planes count; longer lines are compared one by one.
const LARGEST_COUNTED: usize = 255;

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

/// Selected sets of nearly equal size, in the order they were selected, 512 to a block of planes.
struct Bucket {
    smallest: usize,
    largest: usize,
    sequences: Vec<u32>,
    /// `counted` planes to a block: bit `i` of plane `b` says that set `i` holds counted bigram `b`.
    planes: Vec<Plane>,
}

/// Selected sets, and for every set the most similar of those it was compared with.
///
/// The most frequent bigrams have bit planes over the selected sets; the common ones of 512 sets are
/// counted at once. Sets that share a rarer bigram are met through its list. Both are exact.
pub(super) struct Search<'a> {
    bigrams: &'a Bigrams,
    /// The first bigram number that has planes.
    first_counted: usize,
    buckets: Vec<Bucket>,
    /// The sequences of sets that hold each rare bigram.
    rare: Vec<Vec<u32>>,
    /// Selected sets and the line that each was selected for first.
    selected: Vec<(u32, u32)>,
    is_selected: Vec<bool>,
    known: Vec<Known>,
    /// The look that last compared a selected set.
    compared: Vec<u32>,
    /// Whether a bigram is in the set looked at: bytes, so that all of them stay in the first cache.
    marked: Vec<bool>,
    looks: u32,
    work: usize,
}

/// How many of the most frequent bigrams have planes: 64 KiB to a block.
const MOST_COUNTED: usize = 1024;

impl<'a> Search<'a> {
    pub(super) fn new(bigrams: &'a Bigrams) -> Self {
        let nothing = Known {
            similarity: 0.0,
            nearest: -1,
            seen: 0,
        };
        let first_counted = bigrams.vocabulary().saturating_sub(MOST_COUNTED);
        Self {
            bigrams,
            first_counted,
            buckets: Vec::new(),
            rare: vec![Vec::new(); first_counted],
            selected: Vec::new(),
            is_selected: vec![false; bigrams.sets()],
            known: vec![nothing; bigrams.sets()],
            compared: Vec::new(),
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
        self.selected.push((set as u32, line));
        self.compared.push(0);
        // Nothing is more similar than the set itself: further lines of this set need no look.
        self.known[set] = Known {
            similarity: 1.0,
            nearest: i64::from(line),
            seen: u32::MAX,
        };
        let bigrams = self.bigrams.bigrams(set);
        let counted = self.marked.len() - self.first_counted;
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
            let bigram = bigram as usize;
            if bigram < self.first_counted {
                self.rare[bigram].push(sequence);
            } else {
                let plane = &mut bucket.planes[block + bigram - self.first_counted];
                plane[lane / 64] |= 1 << (lane % 64);
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
        let mut look = Look {
            bigrams,
            seen,
            similarity,
            nearest,
            sequence: None,
        };
        if (count - seen) as usize <= MOST_COMPARED_DIRECTLY || bigrams.len() > LARGEST_COUNTED {
            for sequence in seen..count {
                self.compare(&mut look, sequence);
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
        Ok(())
    }

    fn look_at_rare(
        &mut self,
        look: &mut Look<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        for &bigram in look.bigrams {
            let bigram = bigram as usize;
            if bigram >= self.first_counted {
                break;
            }
            let begin = self.rare[bigram].partition_point(|&sequence| sequence < look.seen);
            for at in begin..self.rare[bigram].len() {
                self.compare(look, self.rare[bigram][at]);
                self.pause(check)?;
            }
        }
        Ok(())
    }

    /// Visits the buckets from the set's own size outwards: near sizes raise the bound soonest.
    fn look_at_counted(
        &mut self,
        look: &mut Look<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let own = self
            .buckets
            .partition_point(|bucket| bucket.largest < look.size());
        for number in own..self.buckets.len() {
            if !look.admits(self.buckets[number].smallest, usize::MAX) {
                break;
            }
            self.look_at_bucket(look, number, check)?;
        }
        for number in (0..own).rev() {
            if !look.admits(0, self.buckets[number].largest) {
                break;
            }
            self.look_at_bucket(look, number, check)?;
        }
        Ok(())
    }

    fn look_at_bucket(
        &mut self,
        look: &mut Look<'_>,
        number: usize,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let counted = self.marked.len() - self.first_counted;
        let rare = look
            .bigrams
            .partition_point(|&bigram| (bigram as usize) < self.first_counted);
        let bucket = &self.buckets[number];
        let total = bucket.sequences.len();
        let mut begin = bucket
            .sequences
            .partition_point(|&sequence| sequence < look.seen);
        if total - begin <= MOST_COMPARED_IN_BUCKET {
            for at in begin..total {
                let sequence = self.buckets[number].sequences[at];
                self.compare(look, sequence);
            }
            return self.pause(check);
        }
        while begin < total {
            let block = begin / LANES;
            let end = total.min((block + 1) * LANES);
            let bucket = &self.buckets[number];
            let planes = &bucket.planes[block * counted..(block + 1) * counted];
            // Sets that also share a rare bigram were compared already: the count of the rest decides.
            let fewest = look.fewest_common(bucket.smallest);
            let mut found = count_at_least(
                planes,
                &look.bigrams[rare..],
                self.first_counted as u32,
                fewest as u32,
            );
            self.work += 2 * look.size() + 32;
            for (word, bits) in found.iter_mut().enumerate() {
                while *bits != 0 {
                    let at = block * LANES + word * 64 + bits.trailing_zeros() as usize;
                    *bits &= *bits - 1;
                    if at >= begin && at < end {
                        let sequence = self.buckets[number].sequences[at];
                        self.compare(look, sequence);
                    }
                }
            }
            self.pause(check)?;
            begin = end;
        }
        Ok(())
    }

    /// Compares the set looked at with one selected set, unless this look did so before.
    fn compare(&mut self, look: &mut Look<'_>, sequence: u32) {
        let compared = &mut self.compared[sequence as usize];
        if *compared == self.looks {
            return;
        }
        *compared = self.looks;
        let (other, line) = self.selected[sequence as usize];
        let other = self.bigrams.bigrams(other as usize);
        self.work += 1;
        if !look.admits(other.len(), other.len()) {
            return;
        }
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
            self.compared.fill(0);
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

/// Returns the bucket of a size, made when it is not there yet; buckets stand by rising size.
fn bucket_for(buckets: &mut Vec<Bucket>, size: usize) -> &mut Bucket {
    let at = buckets.partition_point(|bucket| bucket.largest < size);
    if buckets.get(at).is_none_or(|bucket| bucket.smallest > size) {
        // Four sizes to an octave: a bound for the smallest size of a bucket is good for all of them.
        let width = 1 << (size.ilog2().saturating_sub(2));
        let smallest = size / width * width;
        let largest = smallest + width - 1;
        buckets.insert(
            at,
            Bucket {
                smallest,
                largest,
                sequences: Vec::new(),
                planes: Vec::new(),
            },
        );
    }
    &mut buckets[at]
}
