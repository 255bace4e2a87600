//! Counting in bit planes: one bit per set, 512 sets side by side.
// Every vector path compiles a copy of its own, for its own instructions.
#![allow(clippy::inline_always)]

/// Sets to a block.
pub(crate) const LANES: usize = 512;

/// One bit of each set of a block: one cache line.
pub(crate) type Plane = [u64; LANES / 64];

/// Planes of a block when all but the most frequent bigrams share some: 32 KiB.
const FEW_PLANES: usize = 512;

/// The most planes of a block when each bigram has its own: 128 KiB.
const MOST_PLANES: usize = 2048;

/// How many of the few planes are shared.
const SHARED: usize = 256;

/// With more bits of a set in shared planes, on average, counts would rise too often by what others put there.
const MOST_BITS_SHARED: u64 = SHARED as u64 / 16;

/// Which plane a bigram has.
///
/// Code has few bigrams, most of them frequent: the most frequent have their own planes, the others share a few, so that
/// what a look reads is small. In texts of many different bigrams counts of shared planes would say little: there the
/// rarest have none.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    planes: usize,
    /// The first bigram with a plane.
    first_counted: u32,
    /// The first bigram with a plane of its own.
    first_own: u32,
}

impl Layout {
    /// `frequencies` says how many of `sets` hold each bigram, the rarest first.
    pub(super) fn new(frequencies: &[u32], sets: usize) -> Self {
        let vocabulary = frequencies.len();
        let sum = |frequencies: &[u32]| frequencies.iter().copied().map(u64::from).sum::<u64>();
        let first_own = vocabulary.saturating_sub(FEW_PLANES - SHARED);
        let shared = sum(&frequencies[..first_own]);
        let is_shared = vocabulary > FEW_PLANES
            && shared <= MOST_BITS_SHARED * sets as u64
            && 2 * shared <= sum(frequencies);
        let planes = if is_shared {
            FEW_PLANES
        } else {
            vocabulary.min(MOST_PLANES)
        };
        let first_counted = if is_shared { 0 } else { vocabulary - planes };
        Self {
            planes,
            first_counted: first_counted as u32,
            first_own: if is_shared { first_own } else { first_counted } as u32,
        }
    }

    /// How many planes a block has.
    pub(super) fn planes(self) -> usize {
        self.planes
    }

    /// The first bigram that has a plane.
    pub(super) fn first_counted(self) -> usize {
        self.first_counted as usize
    }

    /// The plane of a bigram.
    pub(super) fn plane_of(self, bigram: u32) -> Option<u32> {
        if bigram < self.first_counted {
            None
        } else if bigram < self.first_own {
            Some(bigram % SHARED as u32)
        } else if self.first_own == self.first_counted {
            Some(bigram - self.first_own)
        } else {
            Some(SHARED as u32 + bigram - self.first_own)
        }
    }
}

const COUNTER_BITS: usize = 10;
/// The most bigrams that the counters hold.
pub(crate) const MOST_BIGRAMS: usize = (1 << COUNTER_BITS) - 1;
/// Bits of the counters for fewer than 64 bigrams; `fewest` is no more than their number.
const FEW_BITS: usize = 6;

/// Half a plane: one vector of 256 bits.
type Half = [u64; 4];

/// Returns the sets of a block that are in at least `fewest` of the chosen planes, among the halves asked for.
///
/// At most [`MOST_BIGRAMS`] planes are counted; the counters are bit-sliced, so that one addition serves all lanes.
#[inline(always)]
pub(crate) fn count_at_least(
    planes: &[Plane],
    chosen: &[u32],
    fewest: u32,
    halves: [bool; 2],
) -> Plane {
    let mut found = [0; LANES / 64];
    if fewest as usize > chosen.len() {
        return found;
    }
    // Half a plane at a time: the counters of 256 bits fit the vector registers, six for what most lines need.
    for (half, _) in halves
        .iter()
        .enumerate()
        .filter(|(_, is_wanted)| **is_wanted)
    {
        let words = half * 4..half * 4 + 4;
        let plane = |number: u32| {
            let words = &planes[number as usize][words.clone()];
            [words[0], words[1], words[2], words[3]]
        };
        found[words.clone()].copy_from_slice(&if chosen.len() < 1 << FEW_BITS {
            lanes_at_least::<FEW_BITS>(chosen, fewest, plane)
        } else {
            lanes_at_least::<COUNTER_BITS>(chosen, fewest, plane)
        });
    }
    found
}

/// Counts in all lanes, the lowest bits first, and compares the counts with `fewest`.
///
/// Eight planes at a time go through a tree of full adders: a carry then ripples through the upper counters once in
/// eight planes (Harley and Seal's way to count bits). After each eight it stops when no lane can reach `fewest` with
/// the bigrams that are left: the rarest stand first, so that this is often soon.
#[inline(always)]
fn lanes_at_least<const BITS: usize>(
    bigrams: &[u32],
    fewest: u32,
    plane: impl Fn(u32) -> Half,
) -> Half {
    let mut counters = [[0; 4]; BITS];
    let (groups, rest) = bigrams.as_chunks::<8>();
    let mut left = bigrams.len() as u32;
    for group in groups {
        let mut two = [[0; 4]; 4];
        for (pair, carry) in group.as_chunks::<2>().0.iter().zip(&mut two) {
            *carry = add(&mut counters[0], plane(pair[0]), plane(pair[1]));
        }
        let four = add(&mut counters[1], two[0], two[1]);
        let other_four = add(&mut counters[1], two[2], two[3]);
        let eight = add(&mut counters[2], four, other_four);
        ripple(&mut counters[3..], eight);
        left -= 8;
        if fewest > left {
            let can_reach = at_least(&counters, fewest - left);
            if can_reach == [0; 4] {
                return can_reach;
            }
        }
    }
    let (pairs, last) = rest.as_chunks::<2>();
    for pair in pairs {
        let two = add(&mut counters[0], plane(pair[0]), plane(pair[1]));
        ripple(&mut counters[1..], two);
    }
    if let [last] = last {
        ripple(&mut counters, plane(*last));
    }
    at_least(&counters, fewest)
}

/// Adds two bits to the bit of every lane, and returns the carries.
#[inline(always)]
fn add(sum: &mut Half, one: Half, other: Half) -> Half {
    let mut carry = [0; 4];
    for word in 0..4 {
        let (a, b, c) = (sum[word], one[word], other[word]);
        sum[word] = a ^ b ^ c;
        carry[word] = (a & b) | (c & (a ^ b));
    }
    carry
}

/// Adds a carry to counters of several bits.
#[inline(always)]
fn ripple(counters: &mut [Half], mut carry: Half) {
    for counter in counters {
        for word in 0..4 {
            let bit = counter[word];
            counter[word] = bit ^ carry[word];
            carry[word] &= bit;
        }
    }
}

/// Compares the counter of every lane with one number, from the lowest bit up.
#[inline(always)]
fn at_least<const BITS: usize>(counters: &[Half; BITS], fewest: u32) -> Half {
    let mut is_at_least = [u64::MAX; 4];
    for (bit, counter) in counters.iter().enumerate() {
        for word in 0..4 {
            is_at_least[word] = if fewest >> bit & 1 == 1 {
                counter[word] & is_at_least[word]
            } else {
                counter[word] | is_at_least[word]
            };
        }
    }
    is_at_least
}

#[cfg(test)]
mod tests {
    use super::{FEW_PLANES, LANES, Layout, MOST_PLANES, Plane, SHARED, count_at_least};

    fn planes_of(layout: Layout, vocabulary: usize) -> Vec<Option<u32>> {
        (0..vocabulary as u32)
            .map(|bigram| layout.plane_of(bigram))
            .collect()
    }

    #[test]
    fn rare_bigrams_share_planes_where_most_are_frequent() {
        let mut frequencies = vec![2; 5000];
        frequencies.extend(vec![400; FEW_PLANES - SHARED]);
        let layout = Layout::new(&frequencies, 1000);
        assert_eq!((layout.planes(), layout.first_counted()), (FEW_PLANES, 0));
        let planes = planes_of(layout, frequencies.len());
        let (shared, own) = planes.split_at(5000);
        assert!(
            shared
                .iter()
                .all(|plane| plane.is_some_and(|plane| (plane as usize) < SHARED))
        );
        let expected: Vec<_> = (SHARED as u32..FEW_PLANES as u32).map(Some).collect();
        assert_eq!(own, expected);
    }

    #[test]
    fn no_plane_is_shared_where_many_bigrams_are_about_as_frequent() {
        for vocabulary in [0, 1, FEW_PLANES, FEW_PLANES + 1, MOST_PLANES, 6000] {
            for frequency in [1, 20, 900] {
                let layout = Layout::new(&vec![frequency; vocabulary], 1000);
                let planes = planes_of(layout, vocabulary);
                let (without, own) = planes.split_at(vocabulary.saturating_sub(MOST_PLANES));
                assert!(without.iter().all(Option::is_none));
                assert_eq!(layout.first_counted(), without.len());
                let expected: Vec<_> = (0..layout.planes() as u32).map(Some).collect();
                assert_eq!(own, expected);
            }
        }
    }

    #[test]
    fn counts_are_those_of_a_loop() {
        let mut state = 7u64;
        let mut planes: Vec<Plane> = Vec::new();
        for _ in 0..1023 {
            let mut plane = [0; LANES / 64];
            for word in &mut plane {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(99);
                *word = state ^ (state >> 29);
            }
            planes.push(plane);
        }
        planes[3] = [u64::MAX; LANES / 64];
        for size in [0, 1, 2, 7, 8, 30, 63, 64, 255, 1023] {
            let chosen: Vec<u32> = (0..size).collect();
            for (fewest, halves) in [1, 2, size / 3 + 1, size / 2 + 1, size.max(1), size + 1]
                .into_iter()
                .flat_map(|fewest| {
                    [[true, true], [true, false], [false, true]].map(|halves| (fewest, halves))
                })
            {
                let found = count_at_least(&planes, &chosen, fewest, halves);
                for lane in 0..LANES {
                    let held = |plane: &Plane| (plane[lane / 64] >> (lane % 64) & 1) as u32;
                    let count: u32 = planes[..size as usize].iter().map(held).sum();
                    let is_found = found[lane / 64] >> (lane % 64) & 1 == 1;
                    assert_eq!(
                        is_found,
                        count >= fewest && halves[lane * 2 / LANES],
                        "{size} {fewest} {lane}"
                    );
                }
            }
        }
    }
}
