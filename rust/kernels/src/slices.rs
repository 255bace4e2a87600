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
    /// Weights as `sources`; empty when all are 1 or the sources stand for products with them.
    weights: Vec<f64>,
    /// How many values the sources number, see [`Slices::vector_length`].
    values: usize,
}

/// Values of ranks times weights, shared by the entries of a row of the graph that weigh the same.
///
/// Most rows have few distinct weights. When every entry names such a product, a sum over entries reads no
/// weights, and nothing is multiplied twice.
#[derive(Debug)]
pub(crate) struct Products {
    /// The first weight of each rank's row, which numbers its product by the rank itself; 0 for padding.
    pub(crate) first: Vec<f64>,
    /// The rank and weight of each further product, numbered from the padded ranks and a slice of zeros on.
    pub(crate) further: Vec<(u32, f64)>,
}

impl Products {
    /// How many further products of a row are looked through before the same weight gets another one.
    const LOOK_BACK: usize = 8;

    /// Returns the number of the product of a rank with a weight, `start` being the first further one of its row.
    #[inline]
    fn number(&mut self, rank: u32, weight: f64, start: usize) -> u32 {
        if weight.to_bits() == self.first[rank as usize].to_bits() {
            return rank;
        }
        let start = start.max(self.further.len().saturating_sub(Self::LOOK_BACK));
        let at = self.further[start..]
            .iter()
            .position(|&(_, other)| other.to_bits() == weight.to_bits())
            .map_or(self.further.len(), |at| start + at);
        if at == self.further.len() {
            self.further.push((rank, weight));
        }
        (self.first.len() + LANES + at) as u32
    }
}

impl Slices {
    /// Transposes `graph`.
    pub(crate) fn transpose(
        graph: &Csr<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        let (mut slices, mut rows) = Self::arrange(graph, !graph.is_unit(), check)?;
        let mut work = 0;
        for node in 0..graph.nodes() {
            let rank = rows[node].1;
            slices.place(graph, node, &mut rows, |_| rank);
            poll_after(&mut work, graph.row(node).0.len() + 1, check)?;
        }
        Ok(slices)
    }

    /// Transposes `graph` so that its sources number products instead of ranks.
    ///
    /// None when the graph has more further products than nodes.
    pub(crate) fn transpose_to_products(
        graph: &Csr<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(Self, Products)>, Error> {
        let (mut slices, mut rows) = Self::arrange(graph, false, check)?;
        let mut products = Products {
            first: vec![0.0; padded(graph.nodes())],
            further: Vec::new(),
        };
        let mut work = 0;
        for node in 0..graph.nodes() {
            let (columns, weights) = graph.row(node);
            let (rank, start) = (rows[node].1, products.further.len());
            if let Some(&weight) = weights.first() {
                products.first[rank as usize] = weight;
            }
            slices.place(graph, node, &mut rows, |weight| {
                products.number(rank, weight, start)
            });
            if products.further.len() > graph.nodes() {
                return Ok(None);
            }
            poll_after(&mut work, columns.len() + 1, check)?;
        }
        slices.values += products.further.len();
        slices.sort_further(&mut products, check)?;
        Ok(Some((slices, products)))
    }

    /// Numbers further products by rank, so that computing them reads the shares in order.
    fn sort_further(
        &mut self,
        products: &mut Products,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let mut order: Vec<u32> = (0..products.further.len() as u32).collect();
        order.sort_by_key(|&at| products.further[at as usize].0);
        products.further = order
            .iter()
            .map(|&at| products.further[at as usize])
            .collect();
        let mut places = vec![0u32; order.len()];
        for (place, &at) in order.iter().enumerate() {
            places[at as usize] = place as u32;
        }
        let first = products.first.len() + LANES;
        for chunk in self.sources.chunks_mut(STRIDE) {
            poll(check)?;
            for source in chunk {
                if let Some(at) = (*source as usize).checked_sub(first) {
                    *source = first as u32 + places[at];
                }
            }
        }
        Ok(())
    }

    /// Returns empty slices, and by node the next free column of its row and its rank: one look for each entry.
    fn arrange(
        graph: &Csr<'_>,
        is_weighted: bool,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(Self, Vec<(u32, u32)>), Error> {
        let (order, degrees) = order_by_in_degree(graph, check)?;
        let starts = place_slices(&order, &degrees);
        let nodes = order.len();
        let mut rows = vec![(0u32, 0u32); nodes];
        for (rank, &node) in order.iter().enumerate() {
            let start = starts.get(rank / LANES).copied().unwrap_or(0);
            rows[node as usize] = (start as u32, rank as u32);
        }
        let slots = starts.last().copied().unwrap_or(0) * LANES;
        let slices = Self {
            order,
            starts,
            sources: vec![padded(nodes) as u32; slots],
            weights: vec![0.0; if is_weighted { slots } else { 0 }],
            values: padded(nodes) + LANES,
        };
        Ok((slices, rows))
    }

    /// Places the entries of one source, each under the number that `number` gives to its weight.
    #[inline]
    fn place(
        &mut self,
        graph: &Csr<'_>,
        node: usize,
        rows: &mut [(u32, u32)],
        mut number: impl FnMut(f64) -> u32,
    ) {
        let (indptr, indices, weights) = graph.parts();
        let slot_of = |(next, rank): (u32, u32)| next as usize * LANES + rank as usize % LANES;
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
            self.sources[slot] = number(weights[at]);
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

    /// The length of a vector of values: the nodes by rank rounded up to whole slices, one slice of zeros, and
    /// further products.
    pub(crate) fn vector_length(&self) -> usize {
        self.values
    }

    /// The number of nodes rounded up to whole slices.
    pub(crate) fn padded_nodes(&self) -> usize {
        padded(self.order.len())
    }

    /// The number of slices that hold entries; later rows are empty.
    pub(crate) fn slices(&self) -> usize {
        self.starts.len() - 1
    }

    /// The columns of a range of slices.
    pub(crate) fn columns(&self, range: std::ops::Range<usize>) -> usize {
        self.starts[range.end] - self.starts[range.start]
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

fn poll_after(
    work: &mut usize,
    added: usize,
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    *work += added;
    if *work >= STRIDE {
        *work = 0;
        poll(check)?;
    }
    Ok(())
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
