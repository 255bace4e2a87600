//! The transposed graph in slices of eight rows: rows as vector lanes.
//!
//! Rows are sorted by falling in-degree, so that the eight rows of a slice are of nearly equal length,
//! and stored column by column. Eight sums then advance side by side while each of them still adds its
//! entries in row order: vectorising across rows leaves the bits of a row alone. Source: sliced
//! ELLPACK with sorting, Kreutzer et al., 2014 (SELL-C-sigma).

use crate::csr::{Csr, STRIDE};
use crate::error::{Error, poll};
use crate::simd::prefetch;

/// Rows in a slice.
pub(crate) const LANES: usize = 8;

/// How many entries before its turn a slot is asked for.
const AHEAD: usize = 24;

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
        // The next free column of a row, and its rank: one look for each entry.
        let mut rows = vec![(0u32, 0u32); nodes];
        for (rank, &node) in order.iter().enumerate() {
            let start = starts.get(rank / LANES).copied().unwrap_or(0);
            rows[node as usize] = (start as u32, rank as u32);
        }
        let slots = starts.last().copied().unwrap_or(0) * LANES;
        let mut slices = Self {
            order,
            starts,
            sources: vec![padded(nodes) as u32; slots],
            weights: if graph.is_unit() {
                Vec::new()
            } else {
                vec![0.0; slots]
            },
        };
        let mut work = 0;
        for node in 0..nodes {
            slices.place(graph, node, &mut rows);
            work += graph.row(node).0.len() + 1;
            if work >= STRIDE {
                poll(check)?;
                work = 0;
            }
        }
        Ok(slices)
    }

    /// Places the entries of one source.
    #[inline]
    fn place(&mut self, graph: &Csr<'_>, node: usize, rows: &mut [(u32, u32)]) {
        let (indptr, indices, weights) = graph.parts();
        let slot_of = |(next, rank): (u32, u32)| next as usize * LANES + rank as usize % LANES;
        let rank = rows[node].1;
        for at in indptr[node] as usize..indptr[node + 1] as usize {
            // Scattered stores wait for each other's cache lines unless they are asked for ahead of time.
            if let Some(&column) = indices.get(at + AHEAD) {
                let slot = slot_of(rows[column as usize]);
                prefetch(&self.sources, slot);
                prefetch(&self.weights, slot);
            }
            let row = &mut rows[indices[at] as usize];
            let slot = slot_of(*row);
            row.0 += 1;
            self.sources[slot] = rank;
            if let Some(place) = self.weights.get_mut(slot) {
                *place = weights[at];
            }
        }
    }

    /// The sum of the weights of a row of the graph that was transposed.
    pub(crate) fn row_sum(&self, graph: &Csr<'_>, node: usize) -> f64 {
        if self.weights.is_empty() {
            // Sums of ones are exact in any order.
            graph.row(node).0.len() as f64
        } else {
            graph.row_sum(node)
        }
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
) -> Result<(Vec<u32>, Vec<u32>), Error> {
    let nodes = graph.nodes();
    let mut degrees = vec![0u32; nodes];
    for chunk in graph.parts().1.chunks(STRIDE) {
        poll(check)?;
        for &column in chunk {
            degrees[column as usize] += 1;
        }
    }
    // A counting sort, by falling degree: linear, and ties keep the order of the nodes.
    let largest = degrees.iter().copied().max().unwrap_or(0) as usize;
    let mut positions = vec![0usize; largest + 1];
    for &degree in &degrees {
        positions[largest - degree as usize] += 1;
    }
    let mut sum = 0;
    for position in &mut positions {
        sum += std::mem::replace(position, sum);
    }
    let mut order = vec![0u32; nodes];
    for (node, &degree) in degrees.iter().enumerate() {
        let position = &mut positions[largest - degree as usize];
        order[*position] = node as u32;
        *position += 1;
    }
    Ok((order, degrees))
}

/// Returns where slices begin: each is as wide as its first row, the longest.
fn place_slices(order: &[u32], degrees: &[u32]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut sum = 0;
    for first in order.iter().step_by(LANES) {
        let width = degrees[*first as usize] as usize;
        if width == 0 {
            break;
        }
        sum += width;
        starts.push(sum);
    }
    starts
}
