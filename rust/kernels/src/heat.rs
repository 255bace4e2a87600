//! Seeded heat diffusion with a decay factor per hop.

use crate::csr::{Csr, STRIDE, validate_weights};
use crate::error::{Error, poll};
use crate::simd::sum_rows;

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
    validate(nodes, seeds, decay_factors, check)?;
    let mut total = start(seeds, decay_factors);
    let mut heat = seeds.to_vec();
    let mut arriving = vec![0.0; nodes];
    let mut rows = Rows {
        sums: vec![0.0; nodes],
        summed: vec![false; nodes.div_ceil(BLOCK_NODES)],
    };
    for &factor in &decay_factors[1..] {
        arriving.fill(0.0);
        hop(graph, &heat, &mut rows, &mut arriving, check)?;
        std::mem::swap(&mut heat, &mut arriving);
        for (sum, &value) in total.iter_mut().zip(&heat) {
            *sum += factor * value;
        }
    }
    Ok(total)
}

/// Checks what a diffusion is given besides the graph.
pub(crate) fn validate(
    nodes: usize,
    seeds: &[f64],
    decay_factors: &[f64],
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    if seeds.len() != nodes {
        return Error::invalid(format!(
            "there are {} seeds for {nodes} nodes: they must be equal in number",
            seeds.len()
        ));
    }
    if decay_factors.is_empty() {
        return Error::invalid(
            "decay_factors is empty: it must hold the factor of hop 0 at least".to_owned(),
        );
    }
    validate_weights("seeds", seeds, check)?;
    validate_weights("decay_factors", decay_factors, check)
}

/// Returns hop 0; the factors are checked.
pub(crate) fn start(seeds: &[f64], decay_factors: &[f64]) -> Vec<f64> {
    seeds.iter().map(|&seed| decay_factors[0] * seed).collect()
}

/// Nodes whose rows are summed and passed on together, so that weights are read from memory once.
const BLOCK_NODES: usize = 64;

/// What a hop needs besides the heat, kept between hops.
struct Rows {
    /// The sums of rows; right for the blocks that `summed` names.
    sums: Vec<f64>,
    summed: Vec<bool>,
}

/// Adds to `arriving` what every node passes on.
///
/// Pushing along the rows as they are costs the same as pulling (see benches/README.md) and can skip what is cold.
fn hop(
    graph: &Csr<'_>,
    heat: &[f64],
    rows: &mut Rows,
    arriving: &mut [f64],
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    let mut work = 0;
    let mut shares = [0.0; BLOCK_NODES];
    let blocks = heat
        .chunks(BLOCK_NODES)
        .zip(rows.sums.chunks_mut(BLOCK_NODES))
        .zip(&mut rows.summed);
    for (number, ((heat, sums), is_summed)) in blocks.enumerate() {
        if heat.iter().all(|&value| value == 0.0) {
            continue;
        }
        let first = number * BLOCK_NODES;
        let (indptr, _, weights) = graph.parts();
        let indptr = &indptr[first..=first + heat.len()];
        if !std::mem::replace(is_summed, true) {
            sum_rows(indptr, weights, sums);
        }
        let shares = &mut shares[..heat.len()];
        for ((share, &value), &sum) in shares.iter_mut().zip(heat).zip(&*sums) {
            *share = if sum > 0.0 { value / sum } else { 0.0 };
        }
        pass_on(graph, first, shares, arriving);
        work += (indptr[heat.len()] - indptr[0]) as usize + 8 * BLOCK_NODES;
        if work >= STRIDE {
            poll(check)?;
            work = 0;
        }
    }
    Ok(())
}

/// Adds what the nodes of a block pass on.
///
/// Not inlined: amid its callers the loop loses its registers, and each addition then takes three times as long.
#[inline(never)]
fn pass_on(graph: &Csr<'_>, first: usize, shares: &[f64], arriving: &mut [f64]) {
    for (at, &share) in shares.iter().enumerate() {
        if share == 0.0 {
            continue;
        }
        let (columns, weights) = graph.row(first + at);
        for (&column, &weight) in columns.iter().zip(weights) {
            arriving[column as usize] += weight * share;
        }
    }
}
