//! Counting in bit planes: one bit per set, 512 sets side by side.
// Every vector path compiles a copy of its own, for its own instructions.
#![allow(clippy::inline_always)]

/// Sets to a block.
pub(crate) const LANES: usize = 512;

/// One bit of each set of a block: one cache line.
pub(crate) type Plane = [u64; LANES / 64];

const COUNTER_BITS: usize = 8;

/// Returns the sets of a block that hold at least `fewest` of the given bigrams.
///
/// `planes[b - first]` is the plane of bigram `b`. At most 255 bigrams are counted; the counters are
/// bit-sliced, so that one addition serves all lanes.
#[inline(always)]
pub(crate) fn count_at_least(planes: &[Plane], bigrams: &[u32], first: u32, fewest: u32) -> Plane {
    let mut found = [0; LANES / 64];
    if fewest as usize > bigrams.len() {
        return found;
    }
    // Half a plane at a time: eight counters of 256 bits fit the vector registers.
    for half in 0..2 {
        let words = half * 4..half * 4 + 4;
        let mut counters = [[0u64; 4]; COUNTER_BITS];
        let mut pairs = bigrams.chunks_exact(2);
        for pair in &mut pairs {
            let one = &planes[(pair[0] - first) as usize][words.clone()];
            let other = &planes[(pair[1] - first) as usize][words.clone()];
            add(&mut counters, one, other);
        }
        if let [last] = pairs.remainder() {
            add(
                &mut counters,
                &planes[(last - first) as usize][words.clone()],
                &[0; 4],
            );
        }
        found[words].copy_from_slice(&at_least(&counters, fewest));
    }
    found
}

/// Adds two bits to the counter of every lane.
#[inline(always)]
fn add(counters: &mut [[u64; 4]; COUNTER_BITS], one: &[u64], other: &[u64]) {
    let mut carry = [0; 4];
    for word in 0..4 {
        let (a, b, c) = (counters[0][word], one[word], other[word]);
        counters[0][word] = a ^ b ^ c;
        carry[word] = (a & b) | (c & (a ^ b));
    }
    for counter in &mut counters[1..] {
        for word in 0..4 {
            let bit = counter[word];
            counter[word] = bit ^ carry[word];
            carry[word] &= bit;
        }
    }
}

/// Compares the counter of every lane with one number, from the lowest bit up.
#[inline(always)]
fn at_least(counters: &[[u64; 4]; COUNTER_BITS], fewest: u32) -> [u64; 4] {
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
        for _ in 0..255 {
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
        for size in [0, 1, 2, 7, 30, 255] {
            let bigrams: Vec<u32> = (10..10 + size).collect();
            for fewest in [1, 2, size / 2 + 1, size.max(1), size + 1] {
                let found = count_at_least(&planes, &bigrams, 10, fewest);
                for lane in 0..LANES {
                    let held = |plane: &Plane| (plane[lane / 64] >> (lane % 64) & 1) as u32;
                    let count: u32 = planes[..size as usize].iter().map(held).sum();
                    let is_found = found[lane / 64] >> (lane % 64) & 1 == 1;
                    assert_eq!(is_found, count >= fewest, "{size} {fewest} {lane}");
                }
            }
        }
    }
}
