//! What tokens cost and how surprising lines usually are: tables counted over a large corpus of source.

use std::sync::{Arc, OnceLock};

use crate::vocabulary::{TOKEN_COUNT, VocabularyError, unpack_checked};

/// Written by `scripts/ranks/build.py`; the Python fallback reads the same files.
static PACKED_COSTS: &[u8] =
    include_bytes!("../../../python/ctxsieve/_kernels/data/token_costs.bin");
static SHARES: &[u8] =
    include_bytes!("../../../python/ctxsieve/_kernels/data/surprise_quantiles.bin");
const COSTS_SHA256: &str = "2ed23feb8cc88437fd94d7627ffa6745d3fd15117c61f82ba32e6372bc6fd6a1";

/// Costs are integers in units of one 256th bit.
pub const COST_UNITS_PER_BIT: f64 = 256.0;
/// Few tokens are weak evidence: normalised scores spread a line's cost over this many tokens more.
pub const DAMPING_TOKENS: u64 = 4;
/// The calibration has this many points in every bit.
pub const STEPS_PER_BIT: f64 = 16.0;
const SHARE_UNITS: f64 = 65535.0;

/// What tokens cost, by their ids; ids without a cost cost nothing.
#[derive(Debug, Clone)]
pub struct Costs(Arc<[u16]>);

impl Costs {
    /// Costs are below this, so that those of a short pre-token fit into 17 bits.
    pub const LIMIT: u16 = 1 << 13;

    /// Costs by token id.
    ///
    /// # Panics
    ///
    /// When one of them is [`Costs::LIMIT`] or more.
    #[must_use]
    pub fn new(costs: Arc<[u16]>) -> Costs {
        assert!(costs.iter().all(|&cost| cost < Costs::LIMIT));
        Costs(costs)
    }

    pub(crate) fn get(&self) -> &[u16] {
        &self.0
    }
}

/// The cost of every token id, unpacked and checked on first use.
///
/// # Errors
///
/// When the embedded file does not have the expected content.
pub fn token_costs() -> Result<Costs, VocabularyError> {
    static LOADED: OnceLock<Result<Costs, VocabularyError>> = OnceLock::new();
    LOADED.get_or_init(|| unpack_costs(PACKED_COSTS)).clone()
}

fn unpack_costs(packed: &[u8]) -> Result<Costs, VocabularyError> {
    let content = unpack_checked("table of token costs", packed, COSTS_SHA256)?;
    let (low, high) = content.split_at(TOKEN_COUNT);
    let costs = low.iter().zip(high);
    Ok(Costs::new(
        costs
            .map(|(&low, &high)| u16::from_le_bytes([low, high]))
            .collect(),
    ))
}

/// The share of lines with a lower damped surprise, between the points of the calibration by straight lines.
#[derive(Debug, Clone)]
pub struct Calibration(Vec<f64>);

impl Calibration {
    /// The shipped calibration.
    #[must_use]
    pub fn shipped() -> Calibration {
        let shares = SHARES.as_chunks().0;
        Calibration(
            shares
                .iter()
                .map(|&pair| f64::from(u16::from_le_bytes(pair)))
                .collect(),
        )
    }

    /// The normalised score, 0 to 1, of bits per token, damped.
    #[inline]
    #[must_use]
    pub fn normalise(&self, bits: f64) -> f64 {
        let position = bits * STEPS_PER_BIT;
        let step = position as usize;
        match self.0.get(step..step + 2) {
            Some(&[low, high]) => (low + (high - low) * (position - step as f64)) / SHARE_UNITS,
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalised_scores_rise_from_0_to_1() {
        let calibration = Calibration::shipped();
        let scores: Vec<f64> = (0..2400)
            .map(|step| calibration.normalise(f64::from(step) / 100.0))
            .collect();
        assert!(scores.is_sorted());
        assert_eq!(
            (scores[0].to_bits(), scores[2399].to_bits()),
            (0, 1_f64.to_bits())
        );
    }

    #[test]
    fn costs_are_those_of_ranks() {
        let shipped = token_costs().unwrap();
        let costs = shipped.get();
        let harmonic: f64 = (1..=TOKEN_COUNT).map(|rank| 1.0 / rank as f64).sum();
        let (least, most) = (costs.iter().min().unwrap(), costs.iter().max().unwrap());
        assert_eq!(
            u32::from(*least),
            (harmonic.log2() * COST_UNITS_PER_BIT).round() as u32
        );
        let last = (harmonic * TOKEN_COUNT as f64).log2() * COST_UNITS_PER_BIT;
        assert_eq!(u32::from(*most), last.round() as u32);
        assert!(unpack_costs(&PACKED_COSTS[..100]).is_err());
    }
}
