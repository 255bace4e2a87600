//! Counting in bit planes: one bit per set, 512 sets side by side.
// Every vector path compiles a copy of its own, for its own instructions.
#![allow(clippy::inline_always)]

/// Sets to a block.
pub(crate) const LANES: usize = 512;

/// One bit of each set of a block: one cache line.
pub(crate) type Plane = [u64; LANES / 64];

const COUNTER_BITS: usize = 10;
/// The most bigrams that the counters hold.
pub(crate) const MOST_BIGRAMS: usize = (1 << COUNTER_BITS) - 1;
/// Bits of the counters for fewer than 64 bigrams; `fewest` is no more than their number.
const FEW_BITS: usize = 6;

/// Half a plane: one vector of 256 bits.
type Half = [u64; 4];

/// Returns the sets of a block that hold at least `fewest` of the given bigrams, among the halves asked for.
///
/// `planes[b - first]` is the plane of bigram `b`. At most [`MOST_BIGRAMS`] are counted; the counters are
/// bit-sliced, so that one addition serves all lanes.
#[inline(always)]
pub(crate) fn count_at_least(
    planes: &[Plane],
    bigrams: &[u32],
    first: u32,
    fewest: u32,
    halves: [bool; 2],
) -> Plane {
    let mut found = [0; LANES / 64];
    if fewest as usize > bigrams.len() {
        return found;
    }
    // Half a plane at a time: the counters of 256 bits fit the vector registers, six for what most lines need.
    for (half, _) in halves
        .iter()
        .enumerate()
        .filter(|(_, is_wanted)| **is_wanted)
    {
        let words = half * 4..half * 4 + 4;
        let plane = |bigram: u32| {
            let words = &planes[(bigram - first) as usize][words.clone()];
            [words[0], words[1], words[2], words[3]]
        };
        found[words.clone()].copy_from_slice(&if bigrams.len() < 1 << FEW_BITS {
            lanes_at_least::<FEW_BITS>(bigrams, fewest, plane)
        } else {
            lanes_at_least::<COUNTER_BITS>(bigrams, fewest, plane)
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
    use super::{LANES, Plane, count_at_least};

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
            let bigrams: Vec<u32> = (10..10 + size).collect();
            for (fewest, halves) in [1, 2, size / 3 + 1, size / 2 + 1, size.max(1), size + 1]
                .into_iter()
                .flat_map(|fewest| {
                    [[true, true], [true, false], [false, true]].map(|halves| (fewest, halves))
                })
            {
                let found = count_at_least(&planes, &bigrams, 10, fewest, halves);
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
