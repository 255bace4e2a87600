//! The transposed graph in slices of eight rows: rows as vector lanes.
//!
//! Rows are sorted by falling in-degree, so that the eight rows of a slice are of nearly equal length,
//! and stored column by column. Eight sums then advance side by side while each of them still adds its
//! entries in row order: vectorising across rows leaves the bits of a row alone. Source: sliced
//! ELLPACK with sorting, Kreutzer et al., 2014 (SELL-C-sigma).

use crate::csr::{Csr, STRIDE};
use crate::error::{Error, poll};

/// Rows in a slice.
pub(crate) const LANES: usize = 8;

/// Incoming entries by rank; rank 0 is the node with the most of them, ties go to the smaller node.
#[derive(Debug)]
pub(crate) struct Slices {
    /// The node of each rank.
    pub(crate) order: Vec<u32>,
    /// Where each slice begins, in columns of eight entries; one more at the end.
    starts: Vec<usize>,
    /// Ranks of the sources, at most `padding()`; by ascending source node within a row.
    sources: Vec<u32>,
    /// Weights as `sources`; empty when all are 1.
    weights: Vec<f64>,
}

impl Slices {
    /// Transposes `graph`.
    pub(crate) fn transpose(
        graph: &Csr<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        let (order, degrees) = order_by_in_degree(graph, check)?;
        let starts = place_slices(&order, &degrees);
        let nodes = order.len();
        let mut rank_of = vec![0u32; nodes];
        let mut next = vec![0usize; nodes];
        for (rank, &node) in order.iter().enumerate() {
            rank_of[node as usize] = rank as u32;
            next[node as usize] =
                starts.get(rank / LANES).copied().unwrap_or(0) * LANES + rank % LANES;
        }
        let slots = starts.last().copied().unwrap_or(0) * LANES;
        let padding = padded(nodes) as u32;
        let mut sources = vec![padding; slots];
        let mut weights = if graph.is_unit() {
            Vec::new()
        } else {
            vec![0.0; slots]
        };
        let mut work = 0;
        for (node, &rank) in rank_of.iter().enumerate() {
            let (columns, row_weights) = graph.row(node);
            for (&column, &weight) in columns.iter().zip(row_weights) {
                let slot = &mut next[column as usize];
                sources[*slot] = rank;
                if let Some(place) = weights.get_mut(*slot) {
                    *place = weight;
                }
                *slot += LANES;
            }
            work += columns.len() + 1;
            if work >= STRIDE {
                poll(check)?;
                work = 0;
            }
        }
        Ok(Self {
            order,
            starts,
            sources,
            weights,
        })
    }

    /// The length of a vector by rank: the nodes rounded up to whole slices, and one slice of zeros.
    pub(crate) fn vector_length(&self) -> usize {
        padded(self.order.len()) + LANES
    }

    /// The number of slices that hold entries; later rows are empty.
    pub(crate) fn slices(&self) -> usize {
        self.starts.len() - 1
    }

    /// The sources and weights of one slice, `LANES` to a column.
    pub(crate) fn slice(&self, number: usize) -> (&[u32], &[f64]) {
        let range = self.starts[number] * LANES..self.starts[number + 1] * LANES;
        let weights = if self.weights.is_empty() {
            &[]
        } else {
            &self.weights[range.clone()]
        };
        (&self.sources[range], weights)
    }
}

fn padded(nodes: usize) -> usize {
    nodes.div_ceil(LANES) * LANES
}

fn order_by_in_degree(
    graph: &Csr<'_>,
    check: &mut dyn FnMut() -> bool,
) -> Result<(Vec<u32>, Vec<usize>), Error> {
    let nodes = graph.nodes();
    let mut degrees = vec![0usize; nodes];
    let mut work = 0;
    for node in 0..nodes {
        let (columns, _) = graph.row(node);
        for &column in columns {
            degrees[column as usize] += 1;
        }
        work += columns.len() + 1;
        if work >= STRIDE {
            poll(check)?;
            work = 0;
        }
    }
    // A counting sort, by falling degree: linear, and ties keep the order of the nodes.
    let largest = degrees.iter().copied().max().unwrap_or(0);
    let mut positions = vec![0usize; largest + 1];
    for &degree in &degrees {
        positions[largest - degree] += 1;
    }
    let mut sum = 0;
    for position in &mut positions {
        sum += std::mem::replace(position, sum);
    }
    let mut order = vec![0u32; nodes];
    for (node, &degree) in degrees.iter().enumerate() {
        let position = &mut positions[largest - degree];
        order[*position] = node as u32;
        *position += 1;
    }
    Ok((order, degrees))
}

/// Returns where slices begin: each is as wide as its first row, the longest.
fn place_slices(order: &[u32], degrees: &[usize]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut sum = 0;
    for first in order.iter().step_by(LANES) {
        let width = degrees[*first as usize];
        if width == 0 {
            break;
        }
        sum += width;
        starts.push(sum);
    }
    starts
}
