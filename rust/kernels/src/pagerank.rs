//! `PageRank` by power iteration.

use crate::csr::{Csr, STRIDE, validate_weights};
use crate::error::{Error, poll, python_float};
use crate::simd::sum_slices;
use crate::slices::{LANES, Slices};

/// What the iteration came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranks {
    /// A score per node; they sum to 1.
    pub scores: Vec<f64>,
    /// How many iterations ran.
    pub iterations: u32,
    /// The L1 distance between the last two vectors; above the tolerance when `max_iterations` ended it.
    pub residual: f64,
}

/// Returns the stationary scores of a walk that follows an edge with probability `damping` and
/// otherwise jumps to a node drawn from `personalisation`.
///
/// A row of `graph` holds where its node points to. An edge is followed in proportion to its weight;
/// a node whose row sums to 0 always jumps (its mass is redistributed by `personalisation`, which is
/// scaled to sum 1; `None` is uniform). The iteration starts from the jump vector and stops at an L1
/// change of at most `tolerance`. Source: Page, Brin, Motwani and Winograd, 1999.
///
/// Order, with "rank" the position of a node by falling number of incoming entries, ties to the
/// smaller node: row sums in four interleaved
/// partial sums, `(0 + 1) + (2 + 3)`; the sum of the jump vector from left to right; arrivals at a node by
/// ascending source, then position in the row, each `weight * (score / row sum)`; the jumping mass by
/// rank; a score is `damping * arrivals + ((1 - damping) + damping * jumping) * jump`; the residual in
/// eight interleaved partial sums by rank, added as `((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))`.
///
/// # Errors
///
/// [`Error::Invalid`] when a parameter is out of its range or the jump vector has no mass.
pub fn pagerank(
    graph: &Csr<'_>,
    personalisation: Option<&[f64]>,
    damping: f64,
    tolerance: f64,
    max_iterations: u32,
    check: &mut dyn FnMut() -> bool,
) -> Result<Ranks, Error> {
    validate(
        graph,
        personalisation,
        damping,
        tolerance,
        max_iterations,
        check,
    )?;
    if graph.nodes() == 0 {
        return Ok(Ranks {
            scores: Vec::new(),
            iterations: 0,
            residual: 0.0,
        });
    }
    let slices = Slices::transpose(graph, check)?;
    let mut walk = Walk::new(graph, &slices, personalisation, damping)?;
    let mut iterations = 0;
    let mut residual = f64::INFINITY;
    while iterations < max_iterations && residual > tolerance {
        residual = walk.step(&slices, check)?;
        iterations += 1;
    }
    let mut scores = vec![0.0; graph.nodes()];
    for (&node, &score) in slices.order.iter().zip(&walk.scores) {
        scores[node as usize] = score;
    }
    Ok(Ranks {
        scores,
        iterations,
        residual,
    })
}

fn validate(
    graph: &Csr<'_>,
    personalisation: Option<&[f64]>,
    damping: f64,
    tolerance: f64,
    max_iterations: u32,
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    if let Some(values) = personalisation {
        if values.len() != graph.nodes() {
            return Error::invalid(format!(
                "there are {} personalisation values for {} nodes: they must be equal in number",
                values.len(),
                graph.nodes()
            ));
        }
        validate_weights("personalisation", values, check)?;
    }
    if !(0.0..=1.0).contains(&damping) {
        return Error::invalid(format!(
            "damping is {}: it must be from 0 to 1",
            python_float(damping)
        ));
    }
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        return Error::invalid(format!(
            "tolerance is {}: it must be a finite number of at least 0",
            python_float(tolerance)
        ));
    }
    if max_iterations == 0 {
        return Error::invalid("max_iterations is 0: it must be 1 or more".to_owned());
    }
    Ok(())
}

/// The vectors of the iteration, all by rank and padded to whole slices.
struct Walk {
    damping: f64,
    scores: Vec<f64>,
    /// `score / row sum`, what each unit of weight carries; one more slice of zeros.
    shares: Vec<f64>,
    sums: Vec<f64>,
    jumps: Vec<f64>,
    /// Row sums; infinite where the walk always jumps, so that the share is 0.
    row_sums: Vec<f64>,
    /// The ranks where the walk always jumps.
    dangling: Vec<u32>,
}

impl Walk {
    fn new(
        graph: &Csr<'_>,
        slices: &Slices,
        personalisation: Option<&[f64]>,
        damping: f64,
    ) -> Result<Self, Error> {
        let length = slices.vector_length();
        let mut row_sums = vec![f64::INFINITY; length];
        let mut dangling = Vec::new();
        let mut jumps = vec![0.0; length];
        let mut total = 0.0;
        for &value in personalisation.unwrap_or(&[]) {
            total += value;
        }
        if personalisation.is_some() && total == 0.0 {
            return Error::invalid(
                "personalisation sums to 0: it must hold a value above 0".to_owned(),
            );
        }
        let sums: Vec<f64> = (0..graph.nodes()).map(|node| graph.row_sum(node)).collect();
        let uniform = 1.0 / graph.nodes() as f64;
        for (rank, &node) in slices.order.iter().enumerate() {
            jumps[rank] = personalisation.map_or(uniform, |values| values[node as usize] / total);
            let sum = sums[node as usize];
            if sum == 0.0 {
                dangling.push(rank as u32);
            } else {
                row_sums[rank] = sum;
            }
        }
        let scores = jumps.clone();
        let shares = scores
            .iter()
            .zip(&row_sums)
            .map(|(score, sum)| score / sum)
            .collect();
        let sums = vec![0.0; length];
        Ok(Self {
            damping,
            scores,
            shares,
            sums,
            jumps,
            row_sums,
            dangling,
        })
    }

    /// Advances the scores by one step and returns how far they moved.
    fn step(&mut self, slices: &Slices, check: &mut dyn FnMut() -> bool) -> Result<f64, Error> {
        let mut jumping = 0.0;
        for &rank in &self.dangling {
            jumping += self.scores[rank as usize];
        }
        let base = (1.0 - self.damping) + self.damping * jumping;
        let mut start = 0;
        while start < slices.slices() {
            poll(check)?;
            let mut end = start;
            let mut work = 0;
            while end < slices.slices() && work < STRIDE {
                work += slices.slice(end).0.len() + LANES;
                end += 1;
            }
            let sums = &mut self.sums[start * LANES..end * LANES];
            sum_slices(slices, start..end, &self.shares, sums);
            start = end;
        }
        poll(check)?;
        let mut lanes = [0.0; LANES];
        let rows = self
            .scores
            .chunks_exact_mut(LANES)
            .zip(self.shares.chunks_exact_mut(LANES))
            .zip(self.sums.chunks_exact(LANES))
            .zip(self.jumps.chunks_exact(LANES))
            .zip(self.row_sums.chunks_exact(LANES));
        for ((((scores, shares), sums), jumps), row_sums) in rows {
            for lane in 0..LANES {
                let score = self.damping * sums[lane] + base * jumps[lane];
                lanes[lane] += (score - scores[lane]).abs();
                scores[lane] = score;
                shares[lane] = score / row_sums[lane];
            }
        }
        Ok(((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
            + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])))
    }
}
