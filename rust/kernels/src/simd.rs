//! The only unsafe code of this crate: vector instructions behind run-time detection.
//!
//! Each entry point picks the AVX2 path where the machine has it and the portable path otherwise; both
//! perform the same operations in the same order and return the same bits.
#![allow(unsafe_code)]
// Unaligned loads take aligned pointer types.
#![allow(clippy::cast_ptr_alignment)]
// Every vector path compiles a copy of its own, without branches.
#![allow(
    clippy::inline_always,
    clippy::needless_bitwise_bool,
    clippy::manual_range_contains
)]

use crate::csr::sum_weights;
use crate::mmr::planes::{self, Plane};
use crate::slices::{LANES, Slices};

/// Returns the sets of a block that are in at least `fewest` of the chosen planes, see [`planes`].
pub(crate) fn count_at_least(
    block: &[Plane],
    chosen: &[u32],
    fewest: u32,
    halves: [bool; 2],
) -> Plane {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2; the function itself is safe code compiled for it.
        return unsafe { avx2::count_at_least(block, chosen, fewest, halves) };
    }
    planes::count_at_least(block, chosen, fewest, halves)
}

/// Returns the largest number, 0 for none.
pub(crate) fn largest(numbers: &[u32]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2; the function itself is safe code compiled for it.
        return unsafe { avx2::largest(numbers) };
    }
    largest_portable(numbers)
}

#[inline(always)]
fn largest_portable(numbers: &[u32]) -> u32 {
    numbers.iter().copied().fold(0, u32::max)
}

/// Returns whether every value is 0 or from `smallest` to `largest`.
pub(crate) fn are_weights(values: &[f64], smallest: f64, largest: f64) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2; the function itself is safe code compiled for it.
        return unsafe { avx2::are_weights(values, smallest, largest) };
    }
    are_weights_portable(values, smallest, largest)
}

#[inline(always)]
fn are_weights_portable(values: &[f64], smallest: f64, largest: f64) -> bool {
    // Bitwise operators and a count without early exit or overflow check become vector code.
    let bad = values
        .iter()
        .map(|&value| {
            let is_good = (value == 0.0) | ((value >= smallest) & (value <= largest));
            u64::from(!is_good)
        })
        .fold(0, u64::wrapping_add);
    bad == 0
}

/// Sets `sums` to the sums of rows, see [`sum_weights`]; `indptr` has one entry more.
pub(crate) fn sum_rows(indptr: &[i64], weights: &[f64], sums: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2; the function checks every range it reads.
        unsafe { avx2::sum_rows(indptr, weights, sums) };
        return;
    }
    sum_rows_portable(indptr, weights, sums);
}

fn sum_rows_portable(indptr: &[i64], weights: &[f64], sums: &mut [f64]) {
    for (range, sum) in indptr.windows(2).zip(sums) {
        *sum = sum_weights(&weights[range[0] as usize..range[1] as usize]);
    }
}

/// Sums of products of one range of slices: `sums[rank] = sum of weight * values[source]`, entries in row order.
///
/// `values` is a vector by rank ([`Slices::vector_length`]) whose last slice is zero; `sums` has the
/// length of `slices` rows times [`LANES`].
pub(crate) fn sum_slices(
    slices: &Slices,
    range: std::ops::Range<usize>,
    values: &[f64],
    sums: &mut [f64],
) {
    assert!(values.len() == slices.vector_length());
    assert!(sums.len() == range.len() * LANES);
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2; `values` covers every source, asserted above.
        unsafe {
            if slices.is_streamed() {
                avx2::sum_slices::<true>(slices, range, values, sums);
            } else {
                avx2::sum_slices::<false>(slices, range, values, sums);
            }
        }
        return;
    }
    sum_slices_portable(slices, range, values, sums);
}

fn sum_slices_portable(
    slices: &Slices,
    range: std::ops::Range<usize>,
    values: &[f64],
    sums: &mut [f64],
) {
    for (number, out) in range.zip(sums.chunks_exact_mut(LANES)) {
        let (sources, weights) = slices.slice(number);
        let mut lanes = [0.0; LANES];
        if weights.is_empty() {
            for column in sources.chunks_exact(LANES) {
                for (lane, &source) in lanes.iter_mut().zip(column) {
                    *lane += values[source as usize];
                }
            }
        } else {
            for (column, factors) in sources.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
                for ((lane, &source), &weight) in lanes.iter_mut().zip(column).zip(factors) {
                    *lane += weight * values[source as usize];
                }
            }
        }
        out.copy_from_slice(&lanes);
    }
}

/// Rows of one block of a sweep of `PageRank`, all of one length.
pub(crate) struct Block<'a> {
    pub(crate) sums: &'a [f64],
    pub(crate) jumps: &'a [f64],
    pub(crate) row_sums: &'a [f64],
    pub(crate) scores: &'a mut [f64],
    pub(crate) shares: &'a mut [f64],
}

/// Sums over a sweep of `PageRank`, in lanes by rank.
#[derive(Default)]
pub(crate) struct Moves {
    /// How far the scores moved.
    pub(crate) changes: [f64; LANES],
    pub(crate) scores: [f64; LANES],
}

/// Sets scores and shares from what arrives at a block, and adds to `moves`.
pub(crate) fn move_scores(block: &mut Block<'_>, damping: f64, base: f64, moves: &mut Moves) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2; the function itself is safe code compiled for it.
        unsafe { avx2::move_scores(block, damping, base, moves) };
        return;
    }
    move_scores_portable(block, damping, base, moves);
}

#[inline(always)]
fn move_scores_portable(block: &mut Block<'_>, damping: f64, base: f64, moves: &mut Moves) {
    let rows = block
        .scores
        .as_chunks_mut::<LANES>()
        .0
        .iter_mut()
        .zip(block.shares.as_chunks_mut::<LANES>().0)
        .zip(block.sums.as_chunks::<LANES>().0)
        .zip(block.jumps.as_chunks::<LANES>().0)
        .zip(block.row_sums.as_chunks::<LANES>().0);
    for ((((scores, shares), sums), jumps), row_sums) in rows {
        for lane in 0..LANES {
            let score = damping * sums[lane] + base * jumps[lane];
            moves.changes[lane] += (score - scores[lane]).abs();
            moves.scores[lane] += score;
            scores[lane] = score;
            shares[lane] = score / row_sums[lane];
        }
    }
}

/// Asks for the cache line of an item ahead of use; a position that is out of bounds is no error.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on the cache, and the address is only computed, never read.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(items.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}

/// How many items before its turn a stream is asked for.
#[cfg(target_arch = "x86_64")]
const STREAM_AHEAD: usize = 256;

/// Asks for the cache line of an item that is read once, so that it does not push others out of the second cache.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_once<T>(item: *const T) {
    // SAFETY: a prefetch has no effect but on the cache, and the address is only computed, never read.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_NTA, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_NTA>(item.cast());
    }
}

/// Returns whether every value is 1.
pub(crate) fn are_ones(values: &[f64]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2; the function itself is safe code compiled for it.
        return unsafe { avx2::are_ones(values) };
    }
    are_ones_portable(values)
}

#[inline(always)]
fn are_ones_portable(values: &[f64]) -> bool {
    let others = values
        .iter()
        .map(|&value| u64::from(value != 1.0))
        .fold(0, u64::wrapping_add);
    others == 0
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256d, _mm256_add_pd, _mm256_and_pd, _mm256_castsi256_pd, _mm256_loadu_pd,
        _mm256_loadu_si256, _mm256_mul_pd, _mm256_set_pd, _mm256_setzero_pd, _mm256_storeu_pd,
    };

    use super::{
        Block, LANES, Moves, Plane, STREAM_AHEAD, Slices, planes, prefetch_once, sum_weights,
    };

    /// Rows of up to this length are summed without a branch on their length.
    const SHORT_ROW: usize = 16;
    /// As many entries of ones as a row is long, read from `SHORT_ROW - length` on.
    static MASKS: [i64; 2 * SHORT_ROW] = {
        let mut masks = [0; 2 * SHORT_ROW];
        let mut at = 0;
        while at < SHORT_ROW {
            masks[at] = -1;
            at += 1;
        }
        masks
    };

    /// Lengths of rows are hard to predict, and a loop over 15 weights costs less than one wrong guess.
    #[target_feature(enable = "avx2")]
    pub(super) fn sum_rows(indptr: &[i64], weights: &[f64], sums: &mut [f64]) {
        for (range, sum) in indptr.windows(2).zip(sums) {
            let (start, end) = (range[0] as usize, range[1] as usize);
            let row = &weights[start..end];
            *sum = if row.len() <= SHORT_ROW && weights.len() - start >= SHORT_ROW {
                let mut lanes = _mm256_setzero_pd();
                for group in (0..SHORT_ROW).step_by(4) {
                    // SAFETY: SHORT_ROW weights follow `start`, and as many masks follow `SHORT_ROW - row.len()`.
                    let (mask, values) = unsafe {
                        let masks = MASKS.as_ptr().add(SHORT_ROW - row.len() + group);
                        (
                            _mm256_castsi256_pd(_mm256_loadu_si256(masks.cast())),
                            _mm256_loadu_pd(weights.as_ptr().add(start + group)),
                        )
                    };
                    // Zeros behind the end leave the bits of sums that are not negative alone.
                    lanes = _mm256_add_pd(lanes, _mm256_and_pd(mask, values));
                }
                let mut parts = [0.0; 4];
                // SAFETY: four numbers have room for four.
                unsafe { _mm256_storeu_pd(parts.as_mut_ptr(), lanes) };
                (parts[0] + parts[1]) + (parts[2] + parts[3])
            } else {
                sum_weights(row)
            };
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn move_scores(block: &mut Block<'_>, damping: f64, base: f64, moves: &mut Moves) {
        super::move_scores_portable(block, damping, base, moves);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn are_ones(values: &[f64]) -> bool {
        super::are_ones_portable(values)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn largest(numbers: &[u32]) -> u32 {
        super::largest_portable(numbers)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn are_weights(values: &[f64], smallest: f64, largest: f64) -> bool {
        super::are_weights_portable(values, smallest, largest)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn count_at_least(
        block: &[Plane],
        chosen: &[u32],
        fewest: u32,
        halves: [bool; 2],
    ) -> Plane {
        planes::count_at_least(block, chosen, fewest, halves)
    }

    /// # Safety
    ///
    /// AVX2 must be there, and every source of `slices` must be an index of `values`.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn sum_slices<const STREAMED: bool>(
        slices: &Slices,
        range: std::ops::Range<usize>,
        values: &[f64],
        sums: &mut [f64],
    ) {
        let base = values.as_ptr();
        for (number, out) in range.zip(sums.chunks_exact_mut(LANES)) {
            let (sources, weights) = slices.slice(number);
            let mut low = _mm256_setzero_pd();
            let mut high = _mm256_setzero_pd();
            // SAFETY: chunks are LANES long, so all loads are in bounds; gathers by the contract.
            unsafe {
                if weights.is_empty() {
                    for column in sources.chunks_exact(LANES) {
                        if STREAMED {
                            prefetch_once(column.as_ptr().wrapping_add(STREAM_AHEAD));
                        }
                        low = _mm256_add_pd(low, gather(base, column.as_ptr()));
                        high = _mm256_add_pd(high, gather(base, column.as_ptr().add(4)));
                    }
                } else {
                    for (column, factors) in
                        sources.chunks_exact(LANES).zip(weights.chunks_exact(LANES))
                    {
                        let first = _mm256_loadu_pd(factors.as_ptr());
                        let second = _mm256_loadu_pd(factors.as_ptr().add(4));
                        let gathered = gather(base, column.as_ptr());
                        low = _mm256_add_pd(low, _mm256_mul_pd(first, gathered));
                        let gathered = gather(base, column.as_ptr().add(4));
                        high = _mm256_add_pd(high, _mm256_mul_pd(second, gathered));
                    }
                }
                _mm256_storeu_pd(out.as_mut_ptr(), low);
                _mm256_storeu_pd(out.as_mut_ptr().add(4), high);
            }
        }
    }

    /// # Safety
    ///
    /// Four sources must be readable at `sources`, each an index into what `base` points to.
    #[target_feature(enable = "avx2")]
    unsafe fn gather(base: *const f64, sources: *const u32) -> __m256d {
        // Four scalar loads: faster than the gather instruction on Zen 3, and no slower where that is fast.
        // SAFETY: by this function's own contract.
        unsafe {
            let load = |lane: usize| *base.add(*sources.add(lane) as usize);
            _mm256_set_pd(load(3), load(2), load(1), load(0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{sum_slices, sum_slices_portable};
    use crate::csr::Csr;
    use crate::slices::{LANES, Slices};

    fn pseudo_random(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        }
    }

    fn both_paths_agree(nodes: usize, degree: u64, unit: bool) {
        let mut random = pseudo_random(nodes as u64 + degree);
        let mut indptr = vec![0i64];
        let mut indices = Vec::new();
        let mut weights = Vec::new();
        for _ in 0..nodes {
            for _ in 0..random() % (degree + 1) {
                indices.push((random() % nodes as u64 * (random() % 2)) as u32);
                weights.push(if unit {
                    1.0
                } else {
                    random() as f64 * 1e-3 + 0.1
                });
            }
            indptr.push(indices.len() as i64);
        }
        let graph = Csr::new(&indptr, &indices, &weights, &mut || false).unwrap();
        let slices = Slices::transpose(&graph, &mut || false).unwrap();
        let mut values = vec![0.0; slices.vector_length()];
        for value in &mut values[..nodes] {
            *value = random() as f64 / 7.0;
        }
        let range = 0..slices.slices();
        let mut chosen = vec![1.0; range.len() * LANES];
        let mut portable = vec![2.0; range.len() * LANES];
        sum_slices(&slices, range.clone(), &values, &mut chosen);
        sum_slices_portable(&slices, range, &values, &mut portable);
        let bits = |sums: &[f64]| sums.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&chosen), bits(&portable));
    }

    #[test]
    fn vector_and_portable_paths_return_the_same_bits() {
        for nodes in [1, 7, 8, 9, 64, 333] {
            for degree in [0, 1, 5, 40] {
                both_paths_agree(nodes, degree, false);
                both_paths_agree(nodes, degree, true);
            }
        }
    }
}
