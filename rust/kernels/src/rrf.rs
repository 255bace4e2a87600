//! Reciprocal rank fusion.

use crate::csr::STRIDE;
use crate::error::{Error, poll, python_float};

/// One ranking signal: a value per entry, and which end of it has rank 1.
#[derive(Debug, Clone, Copy)]
pub struct Signal<'a> {
    /// A finite value per entry.
    pub values: &'a [f64],
    /// Whether rank 1 is the largest value; otherwise it is the smallest.
    pub largest_first: bool,
}

/// Returns, for each entry, the sum over signals of `1 / (k + rank)`, added in the order of the signals.
///
/// Ranks count from 1, and equal values share the smallest rank (0.0 equals -0.0). Ordering ties of
/// the fused score is left to the caller. Source: Cormack, Clarke and Buettcher, 2009; docs/ledger.md.
///
/// # Errors
///
/// [`Error::Invalid`] when there is no signal, a signal is empty, lengths differ, a value is not
/// finite, or `k` is negative or not finite.
pub fn rrf(
    signals: &[Signal<'_>],
    k: f64,
    check: &mut dyn FnMut() -> bool,
) -> Result<Vec<f64>, Error> {
    validate(signals, k, check)?;
    let entries = signals[0].values.len();
    let mut scores = vec![0.0; entries];
    let mut sorter = Sorter::with_capacity(entries);
    for signal in signals {
        let sorted = sorter.sort(signal, check)?;
        let mut term = 0.0;
        let mut previous = None;
        for (position, &(key, entry)) in sorted.iter().enumerate() {
            if position % STRIDE == 0 {
                poll(check)?;
            }
            if previous != Some(key) {
                term = 1.0 / (k + (position + 1) as f64);
                previous = Some(key);
            }
            scores[entry as usize] += term;
        }
    }
    Ok(scores)
}

fn validate(signals: &[Signal<'_>], k: f64, check: &mut dyn FnMut() -> bool) -> Result<(), Error> {
    let Some(first) = signals.first() else {
        return Error::invalid("signals is empty: it must hold one signal at least".to_owned());
    };
    let entries = first.values.len();
    if entries == 0 {
        return Error::invalid("signals[0] is empty: it must hold one value at least".to_owned());
    }
    for (number, signal) in signals.iter().enumerate() {
        if signal.values.len() != entries {
            return Error::invalid(format!(
                "signals[{number}] holds {} values: it must hold {entries}, as signals[0] does",
                signal.values.len()
            ));
        }
        for (chunk_number, chunk) in signal.values.chunks(STRIDE).enumerate() {
            poll(check)?;
            if let Some(at) = chunk.iter().position(|value| !value.is_finite()) {
                return Error::invalid(format!(
                    "signals[{number}][{}] is {}: it must be finite",
                    chunk_number * STRIDE + at,
                    python_float(chunk[at])
                ));
            }
        }
    }
    if !(k.is_finite() && k >= 0.0) {
        return Error::invalid(format!(
            "k is {}: it must be a finite number of at least 0",
            python_float(k)
        ));
    }
    if entries > u32::MAX as usize {
        return Error::invalid(format!(
            "signals[0] holds {entries} values: it must hold at most {}",
            u32::MAX
        ));
    }
    Ok(())
}

/// Sorts `(key, entry)` pairs by least significant digit, so that growth is linear.
///
/// Buffers are kept between signals. Passes whose digit is the same for all keys are skipped: counts
/// and times leave most low bits of a double at 0.
struct Sorter {
    pairs: Vec<(u64, u32)>,
    scratch: Vec<(u64, u32)>,
}

const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;

impl Sorter {
    fn with_capacity(entries: usize) -> Self {
        Self {
            pairs: Vec::with_capacity(entries),
            scratch: Vec::with_capacity(entries),
        }
    }

    fn sort(
        &mut self,
        signal: &Signal<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<&[(u64, u32)], Error> {
        self.pairs.clear();
        for (entry, &value) in signal.values.iter().enumerate() {
            self.pairs
                .push((sort_key(value, signal.largest_first), entry as u32));
        }
        self.scratch.clear();
        self.scratch.resize(self.pairs.len(), (0, 0));
        let all_or = self.pairs.iter().fold(0, |bits, &(key, _)| bits | key);
        let all_and = self
            .pairs
            .iter()
            .fold(u64::MAX, |bits, &(key, _)| bits & key);
        let varying = all_or ^ all_and;
        for shift in (0..u64::BITS).step_by(DIGIT_BITS as usize) {
            if (varying >> shift) & (DIGITS as u64 - 1) != 0 {
                self.pass(shift, check)?;
            }
        }
        Ok(&self.pairs)
    }

    fn pass(&mut self, shift: u32, check: &mut dyn FnMut() -> bool) -> Result<(), Error> {
        let digit = |key: u64| (key >> shift) as usize % DIGITS;
        let mut starts = [0usize; DIGITS];
        for chunk in self.pairs.chunks(STRIDE) {
            poll(check)?;
            for &(key, _) in chunk {
                starts[digit(key)] += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        for chunk in self.pairs.chunks(STRIDE) {
            poll(check)?;
            for &pair in chunk {
                let start = &mut starts[digit(pair.0)];
                self.scratch[*start] = pair;
                *start += 1;
            }
        }
        std::mem::swap(&mut self.pairs, &mut self.scratch);
        Ok(())
    }
}

/// Maps a finite double to an integer of the same order, reversed for `largest_first`.
fn sort_key(value: f64, largest_first: bool) -> u64 {
    // Adding 0.0 turns -0.0 into 0.0.
    let bits = (value + 0.0).to_bits();
    let ascending = if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    };
    if largest_first { !ascending } else { ascending }
}

#[cfg(test)]
mod tests {
    use super::{Signal, rrf};

    fn fuse(values: &[f64], largest_first: bool) -> Vec<f64> {
        rrf(
            &[Signal {
                values,
                largest_first,
            }],
            60.0,
            &mut || false,
        )
        .unwrap()
    }

    #[test]
    fn equal_values_share_the_smallest_rank() {
        let scores = fuse(&[0.0, -0.0, 5.0, -3.0], true);
        assert_eq!(scores, [1.0 / 62.0, 1.0 / 62.0, 1.0 / 61.0, 1.0 / 64.0]);
    }

    #[test]
    fn smallest_first_reverses_the_ranks() {
        assert_eq!(fuse(&[2.0, 1.0], false), [1.0 / 62.0, 1.0 / 61.0]);
    }

    #[test]
    fn digits_of_all_widths_are_sorted() {
        let values: Vec<f64> = (0..5000u64)
            .map(|n| -f64::from_bits(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 2))
            .collect();
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        let scores = fuse(&values, true);
        for (rank, &entry) in order.iter().enumerate() {
            let first = order
                .iter()
                .position(|&other| values[other] == values[entry])
                .unwrap();
            assert!(first <= rank);
            assert_eq!(
                scores[entry].to_bits(),
                (1.0 / (61.0 + first as f64)).to_bits()
            );
        }
    }

    #[test]
    fn infinities_are_named() {
        let signal = Signal {
            values: &[1.0, f64::INFINITY],
            largest_first: true,
        };
        let error = rrf(&[signal], 60.0, &mut || false).unwrap_err();
        assert_eq!(error.to_string(), "signals[0][1] is inf: it must be finite");
    }
}
