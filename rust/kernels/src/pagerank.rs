//! `PageRank` by block Gauss-Seidel sweeps.

use std::ops::Range;

use crate::csr::{Csr, STRIDE, validate_weights};
use crate::error::{Error, poll, python_float};
use crate::simd::{Block, Moves, move_scores, sum_slices};
use crate::slices::{LANES, Slices};

/// Ranks to a block: a sweep takes what earlier blocks have come to in the same sweep.
const BLOCK_ROWS: usize = 256;

/// What the iteration came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranks {
    /// A score per node; they sum to 1.
    pub scores: Vec<f64>,
    /// How many sweeps ran.
    pub iterations: u32,
    /// The L1 distance between the last two vectors, relative to the sum of the last one; above the tolerance
    /// when `max_iterations` ended it.
    pub residual: f64,
}

/// Returns the stationary scores of a walk that follows an edge with probability `damping` and
/// otherwise jumps to a node drawn from `personalisation`.
///
/// A row of `graph` holds where its node points to. An edge is followed in proportion to its weight;
/// a node whose row sums to 0 always jumps (its mass is redistributed by `personalisation`, which is
/// scaled to sum 1; `None` is uniform). The sweeps start from the jump vector and stop at an L1
/// change of at most `tolerance`, relative to the sum of the scores; at the end the scores are scaled to
/// sum 1. Sources: Page, Brin, Motwani and Winograd, 1999; sweeps: Arasu, Novak, Tomkins and Tomlin, 2002.
///
/// With "rank" the position of a node by falling number of incoming entries, ties to the smaller
/// node, a sweep goes through blocks of 256 ranks. All scores of a block are computed from what the
/// blocks before it have come to in the same sweep (block Gauss-Seidel), which takes about three fifths of the
/// iterations of the power method. The teleport is in proportion to the sum of the scores before the sweep,
/// since a sweep does not conserve it. With a damping of 1 nothing pulls the scores towards one
/// solution; then one block holds all ranks, which is the power method.
///
/// Order: row sums in four interleaved partial sums, `(0 + 1) + (2 + 3)`; the sum of the jump vector from left to
/// right; arrivals at a node by ascending source, then position in the row, each
/// `weight * (score / row sum)`; the jumping mass by rank; a score is `damping * arrivals + ((1 - damping) *
/// mass + damping * jumping) * jump`; mass and changes in eight interleaved partial sums by rank, added as
/// `((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))`.
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
    let mut walk = Walk::new(graph, &slices, personalisation, damping, check)?;
    let mut iterations = 0;
    let mut residual = f64::INFINITY;
    while iterations < max_iterations && residual > tolerance {
        residual = walk.sweep(&slices, check)?;
        iterations += 1;
    }
    let mut scores = vec![0.0; graph.nodes()];
    for (&node, &score) in slices.order.iter().zip(&walk.scores) {
        scores[node as usize] = score / walk.mass;
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
    /// The sum of the scores.
    mass: f64,
    /// `score / row sum`, what each unit of weight carries; one more slice of zeros.
    shares: Vec<f64>,
    /// What arrives at the rows of one block.
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
        check: &mut dyn FnMut() -> bool,
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
        let uniform = 1.0 / graph.nodes() as f64;
        for (rank, &node) in slices.order.iter().enumerate() {
            if rank % STRIDE == 0 {
                poll(check)?;
            }
            let node = node as usize;
            jumps[rank] = personalisation.map_or(uniform, |values| values[node] / total);
            let sum = slices.row_sum(graph, node);
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
        let mut moves = Moves::default();
        for chunk in scores.as_chunks::<LANES>().0 {
            for (sum, score) in moves.scores.iter_mut().zip(chunk) {
                *sum += score;
            }
        }
        let block = if damping == 1.0 { length } else { BLOCK_ROWS };
        Ok(Self {
            damping,
            scores,
            mass: add_lanes(&moves.scores),
            shares,
            sums: vec![0.0; block.min(length)],
            jumps,
            row_sums,
            dangling,
        })
    }

    /// Advances the scores by one sweep and returns how far they moved.
    fn sweep(&mut self, slices: &Slices, check: &mut dyn FnMut() -> bool) -> Result<f64, Error> {
        let mut jumping = 0.0;
        for &rank in &self.dangling {
            jumping += self.scores[rank as usize];
        }
        let base = (1.0 - self.damping) * self.mass + self.damping * jumping;
        let mut moves = Moves::default();
        for start in (0..self.scores.len()).step_by(self.sums.len()) {
            let rows = start..self.scores.len().min(start + self.sums.len());
            self.gather(slices, rows.clone(), check)?;
            let mut block = Block {
                sums: &self.sums[..rows.len()],
                jumps: &self.jumps[rows.clone()],
                row_sums: &self.row_sums[rows.clone()],
                scores: &mut self.scores[rows.clone()],
                shares: &mut self.shares[rows],
            };
            move_scores(&mut block, self.damping, base, &mut moves);
        }
        self.mass = add_lanes(&moves.scores);
        Ok(add_lanes(&moves.changes) / self.mass)
    }

    /// Sums up what arrives at some rows.
    fn gather(
        &mut self,
        slices: &Slices,
        rows: Range<usize>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let first = rows.start / LANES;
        let last = (rows.end / LANES).min(slices.slices());
        let mut start = first.min(last);
        // Rows behind the last slice have no entries.
        self.sums[(last.max(first) - first) * LANES..].fill(0.0);
        while start < last {
            poll(check)?;
            let mut end = start;
            let mut work = 0;
            while end < last && work < STRIDE {
                work += slices.slice(end).0.len() + LANES;
                end += 1;
            }
            let sums = &mut self.sums[(start - first) * LANES..(end - first) * LANES];
            sum_slices(slices, start..end, &self.shares, sums);
            start = end;
        }
        Ok(())
    }
}

fn add_lanes(lanes: &[f64; LANES]) -> f64 {
    ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
        + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
}
