//! Predictive surprise: mean cost of the tokens of a line.

use crate::csr::STRIDE;
use crate::error::{Error, poll, python_float};

/// Returns, for each line, the mean of its token costs in bits; 0 for a line without tokens.
///
/// Line i holds the costs from `offsets[i]` to `offsets[i + 1]`. Costs are integers in units of
/// `1 / units_per_bit`: they are added exactly, divided by `units_per_bit`, then by their number.
/// Source: docs/surprise.md.
///
/// # Errors
///
/// [`Error::Invalid`] when the offsets do not rise from 0 to the number of costs, or
/// `units_per_bit` is not positive and finite.
pub fn surprise(
    costs: &[u32],
    offsets: &[i64],
    units_per_bit: f64,
    check: &mut dyn FnMut() -> bool,
) -> Result<Vec<f64>, Error> {
    validate(costs.len(), offsets, units_per_bit, check)?;
    let mut bits = Vec::with_capacity(offsets.len() - 1);
    for lines in offsets.windows(2) {
        let mut sum = 0_u64;
        let line = &costs[lines[0] as usize..lines[1] as usize];
        for chunk in line.chunks(STRIDE) {
            sum += chunk.iter().map(|&cost| u64::from(cost)).sum::<u64>();
            if chunk.len() == STRIDE {
                poll(check)?;
            }
        }
        bits.push(mean_bits(sum, line.len() as u64, units_per_bit));
        if bits.len() % STRIDE == 0 {
            poll(check)?;
        }
    }
    Ok(bits)
}

/// Returns the mean cost of `tokens` tokens in bits; 0 for none.
#[must_use]
#[inline]
pub fn mean_bits(cost: u64, tokens: u64, units_per_bit: f64) -> f64 {
    if tokens == 0 {
        0.0
    } else {
        cost as f64 / units_per_bit / tokens as f64
    }
}

fn validate(
    costs: usize,
    offsets: &[i64],
    units_per_bit: f64,
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    if !(units_per_bit.is_finite() && units_per_bit > 0.0) {
        return Error::invalid(format!(
            "units_per_bit is {}: it must be a finite number above 0",
            python_float(units_per_bit)
        ));
    }
    let Some(&first) = offsets.first() else {
        return Error::invalid("offsets is empty: it must hold one offset at least".to_owned());
    };
    if first != 0 {
        return Error::invalid(format!("offsets[0] is {first}: it must be 0"));
    }
    let mut previous = 0;
    for (at, &offset) in offsets.iter().enumerate() {
        if at % STRIDE == 0 {
            poll(check)?;
        }
        if offset < previous {
            return Error::invalid(format!(
                "offsets[{at}] is {offset}: it must be at least {previous}, as the one before"
            ));
        }
        previous = offset;
    }
    if previous != costs as i64 {
        return Error::invalid(format!(
            "offsets ends at {previous}: it must end at {costs}, the number of costs"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(costs: &[u32], offsets: &[i64]) -> Result<Vec<f64>, Error> {
        surprise(costs, offsets, 256.0, &mut || false)
    }

    #[test]
    fn a_line_costs_the_mean_of_its_tokens() {
        assert_eq!(
            bits(&[256, 512, 768], &[0, 2, 2, 3]),
            Ok(vec![1.5, 0.0, 3.0])
        );
        assert_eq!(bits(&[], &[0]), Ok(vec![]));
    }

    #[test]
    fn costs_add_up_exactly() {
        let costs = vec![u32::MAX; 100_000];
        assert_eq!(
            bits(&costs, &[0, 100_000]),
            Ok(vec![f64::from(u32::MAX) / 256.0])
        );
    }

    #[test]
    fn offsets_that_do_not_fit_are_refused() {
        for (offsets, text) in [
            (
                &[][..],
                "offsets is empty: it must hold one offset at least",
            ),
            (&[1, 2], "offsets[0] is 1: it must be 0"),
            (
                &[0, 2, 1],
                "offsets[2] is 1: it must be at least 2, as the one before",
            ),
            (
                &[0, 3],
                "offsets ends at 3: it must end at 2, the number of costs",
            ),
        ] {
            assert_eq!(bits(&[1, 2], offsets), Err(Error::Invalid(text.to_owned())));
        }
    }

    #[test]
    fn a_check_stops_a_long_line() {
        let costs = vec![1; 1 << 20];
        let stopped = surprise(&costs, &[0, 1 << 20], 256.0, &mut || true);
        assert_eq!(stopped, Err(Error::Interrupted));
    }
}
