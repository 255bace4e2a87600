//! Seeded heat diffusion with a decay factor per hop.

use crate::csr::{Csr, STRIDE, validate_weights};
use crate::error::{Error, poll};

/// Returns `h = sum over d of decay_factors[d] * P^d * seeds`, with `P = A * D^-1` column-stochastic.
///
/// `graph` holds the symmetrised weights A. In one hop a node passes its heat on over its own row:
/// entry `(i, j)` of weight `w` carries `w * (heat of i / sum of row i)` to `j`, so that heat is
/// conserved for any graph. A node whose row sums to 0 passes nothing on (`D^-1` is 0 there): its
/// heat shows in hop 0 and what arrives later, and leaves the sum after that.
///
/// Order: sums of rows in four interleaved partial sums, `(0 + 1) + (2 + 3)`; arrivals at a node by ascending source, then by position
/// in the row; hops from 0. Sources without heat are skipped, so that the first hops of a few seeds
/// cost next to nothing.
///
/// # Errors
///
/// [`Error::Invalid`] when `seeds` is not one value per node, `decay_factors` is empty, or a value
/// is neither 0 nor from 1e-100 to 1e+100.
pub fn heat(
    graph: &Csr<'_>,
    seeds: &[f64],
    decay_factors: &[f64],
    check: &mut dyn FnMut() -> bool,
) -> Result<Vec<f64>, Error> {
    let nodes = graph.nodes();
    if seeds.len() != nodes {
        return Error::invalid(format!(
            "there are {} seeds for {nodes} nodes: they must be equal in number",
            seeds.len()
        ));
    }
    let Some((&first_factor, later_factors)) = decay_factors.split_first() else {
        return Error::invalid(
            "decay_factors is empty: it must hold the factor of hop 0 at least".to_owned(),
        );
    };
    validate_weights("seeds", seeds, check)?;
    validate_weights("decay_factors", decay_factors, check)?;

    let mut total: Vec<f64> = seeds.iter().map(|&seed| first_factor * seed).collect();
    let mut heat = seeds.to_vec();
    let mut arriving = vec![0.0; nodes];
    let mut row_sums = vec![UNKNOWN; nodes];
    for &factor in later_factors {
        arriving.fill(0.0);
        hop(graph, &heat, &mut row_sums, &mut arriving, check)?;
        std::mem::swap(&mut heat, &mut arriving);
        for (sum, &value) in total.iter_mut().zip(&heat) {
            *sum += factor * value;
        }
    }
    Ok(total)
}

/// A row sum that was not needed yet.
const UNKNOWN: f64 = -1.0;

/// Adds to `arriving` what every node passes on.
///
/// Pushing along the rows as they are beats pulling through slices here: four hops do not pay for
/// building the transposed layout (see benches/README.md).
fn hop(
    graph: &Csr<'_>,
    heat: &[f64],
    row_sums: &mut [f64],
    arriving: &mut [f64],
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    let mut work = 0;
    for (node, (&value, row_sum)) in heat.iter().zip(row_sums).enumerate() {
        if value == 0.0 {
            continue;
        }
        let (columns, weights) = graph.row(node);
        if *row_sum == UNKNOWN {
            *row_sum = graph.row_sum(node);
        }
        if *row_sum == 0.0 {
            continue;
        }
        pass_on(value / *row_sum, columns, weights, arriving);
        work += columns.len() + 8;
        if work >= STRIDE {
            poll(check)?;
            work = 0;
        }
    }
    Ok(())
}

/// Adds what one node passes on.
///
/// Not inlined: amid its callers the loop loses its registers, and each addition then takes three times as long.
#[inline(never)]
fn pass_on(share: f64, columns: &[u32], weights: &[f64], arriving: &mut [f64]) {
    for (&column, &weight) in columns.iter().zip(weights) {
        arriving[column as usize] += weight * share;
    }
}
