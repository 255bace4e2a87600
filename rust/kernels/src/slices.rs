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
    /// See [`Slices::is_streamed`].
    is_streamed: bool,
}

/// Products of the values of ranks with weights, shared by the entries of a row of the graph that weigh the same.
///
/// Most rows have few distinct weights. When every entry names such a product, a sum over entries reads no
/// weights, and nothing is multiplied twice. The product with 1 is the value itself, numbered by its rank.
#[derive(Debug)]
pub(crate) struct Products {
    /// The number of the first product.
    pub(crate) start: usize,
    /// The rank and weight of each product, by rank.
    pub(crate) factors: Vec<(u32, f64)>,
}

impl Products {
    /// How many products of a row are looked through before the same weight gets another one.
    const LOOK_BACK: usize = 8;
    /// The most products for each node; with more of them, weights that are read in order take less time.
    const MOST: usize = 2;

    /// Returns the number of the product of a rank with a weight; the products of its row begin at `first`.
    #[inline]
    fn number(&mut self, rank: u32, weight: f64, first: usize) -> u32 {
        if weight == 1.0 {
            return rank;
        }
        let first = first.max(self.factors.len().saturating_sub(Self::LOOK_BACK));
        let at = self.factors[first..]
            .iter()
            .position(|&(_, other)| other.to_bits() == weight.to_bits())
            .map_or(self.factors.len(), |at| first + at);
        if at == self.factors.len() {
            self.factors.push((rank, weight));
        }
        (self.start + at) as u32
    }
}

/// Rows that are sorted by degree together where neighbours are to stay near each other.
const WINDOW: usize = 1 << 14;

/// How often each node takes the label that most of its neighbours have, see [`group_neighbours`].
const LABEL_ROUNDS: usize = 2;

/// How ranks follow each other. Sums over rows have the same bits in any order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// By falling number of incoming entries: `PageRank` states its sweeps by these ranks.
    ByDegree,
    /// Neighbours near each other, by degree within windows: what a row reads is more often in a cache.
    ByNeighbours,
}

impl Slices {
    /// Transposes `graph`.
    pub(crate) fn transpose(
        graph: &Csr<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        Self::transpose_by(graph, Order::ByDegree, !graph.is_unit(), check)
    }

    fn transpose_by(
        graph: &Csr<'_>,
        order: Order,
        is_weighted: bool,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        let (mut slices, mut rows) = Self::arrange(graph, order, is_weighted, check)?;
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
    /// Neighbours have near ranks. None when the graph has too many products.
    pub(crate) fn transpose_to_products(
        graph: &Csr<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(Self, Products)>, Error> {
        let nodes = graph.nodes();
        let (mut slices, mut rows) = Self::arrange(graph, Order::ByNeighbours, false, check)?;
        let mut products = Products {
            start: slices.values,
            factors: Vec::new(),
        };
        let mut work = 0;
        for node in 0..nodes {
            let (rank, first) = (rows[node].1, products.factors.len());
            slices.place(graph, node, &mut rows, |weight| {
                products.number(rank, weight, first)
            });
            let values = products.start + products.factors.len();
            if products.factors.len() > Products::MOST * nodes || values > u32::MAX as usize {
                return Ok(None);
            }
            poll_after(&mut work, graph.row(node).0.len() + 1, check)?;
        }
        slices.values += products.factors.len();
        slices.sort_products(&mut products, check)?;
        Ok(Some((slices, products)))
    }

    /// Transposes `graph` with its weights, in the ranks of [`Slices::transpose_to_products`].
    pub(crate) fn transpose_by_neighbours(
        graph: &Csr<'_>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        Self::transpose_by(graph, Order::ByNeighbours, true, check)
    }

    /// Numbers products by rank, so that computing them reads values in order.
    fn sort_products(
        &mut self,
        products: &mut Products,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let mut order: Vec<u32> = (0..products.factors.len() as u32).collect();
        order.sort_by_key(|&at| products.factors[at as usize].0);
        products.factors = order
            .iter()
            .map(|&at| products.factors[at as usize])
            .collect();
        let mut places = vec![0u32; order.len()];
        for (place, &at) in order.iter().enumerate() {
            places[at as usize] = place as u32;
        }
        for chunk in self.sources.chunks_mut(STRIDE) {
            poll(check)?;
            for source in chunk {
                if let Some(at) = (*source as usize).checked_sub(products.start) {
                    *source = products.start as u32 + places[at];
                }
            }
        }
        Ok(())
    }

    /// Returns empty slices, and by node the next free column of its row and its rank: one look for each entry.
    fn arrange(
        graph: &Csr<'_>,
        order: Order,
        is_weighted: bool,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(Self, Vec<(u32, u32)>), Error> {
        let (ranked, degrees) = arrange_nodes(graph, order, check)?;
        let starts = place_slices(&ranked, &degrees);
        let nodes = ranked.len();
        let mut rows = vec![(0u32, 0u32); nodes];
        for (rank, &node) in ranked.iter().enumerate() {
            let start = starts.get(rank / LANES).copied().unwrap_or(0);
            rows[node as usize] = (start as u32, rank as u32);
        }
        let slots = starts.last().copied().unwrap_or(0) * LANES;
        let slices = Self {
            order: ranked,
            starts,
            sources: vec![padded(nodes) as u32; slots],
            weights: vec![0.0; if is_weighted { slots } else { 0 }],
            values: padded(nodes) + LANES,
            is_streamed: order == Order::ByNeighbours,
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
    /// products.
    pub(crate) fn vector_length(&self) -> usize {
        self.values
    }

    /// Whether sources are to be read past the second cache, which the values then keep for themselves.
    ///
    /// It pays for the few hops of heat; the many sweeps of `PageRank` find more of both where they left them.
    pub(crate) fn is_streamed(&self) -> bool {
        self.is_streamed
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
        if range.is_empty() {
            return 0;
        }
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

/// Returns the nodes by rank, and by node the number of incoming entries.
fn arrange_nodes(
    graph: &Csr<'_>,
    order: Order,
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
    let (mut ranked, window) = match order {
        Order::ByDegree => ((0..nodes as u32).collect(), nodes.max(1)),
        Order::ByNeighbours => (group_neighbours(graph, check)?, WINDOW),
    };
    for window in ranked.chunks_mut(window) {
        poll(check)?;
        sort_by_degree(&degrees, window);
    }
    Ok((ranked, degrees))
}

/// Returns the nodes by a label that neighbours share, ties by node.
///
/// Label propagation, Raghavan, Albert and Kumara, 2007, in the order of the nodes: rough communities in a few
/// passes over the rows. A label is one of the nodes.
fn group_neighbours(graph: &Csr<'_>, check: &mut dyn FnMut() -> bool) -> Result<Vec<u32>, Error> {
    let mut labels: Vec<u32> = (0..graph.nodes() as u32).collect();
    let mut counts = vec![0u32; graph.nodes()];
    let mut work = 0;
    for _ in 0..LABEL_ROUNDS {
        for node in 0..graph.nodes() {
            let columns = graph.row(node).0;
            let (mut best, mut most) = (labels[node], 0);
            for &column in columns {
                let label = labels[column as usize];
                let count = &mut counts[label as usize];
                *count += 1;
                if *count > most {
                    (best, most) = (label, *count);
                }
            }
            for &column in columns {
                counts[labels[column as usize] as usize] = 0;
            }
            labels[node] = best;
            poll_after(&mut work, 2 * columns.len() + 1, check)?;
        }
    }
    Ok(sort_by_label(&labels))
}

fn sort_by_label(labels: &[u32]) -> Vec<u32> {
    let mut next = vec![0usize; labels.len() + 1];
    for &label in labels {
        next[label as usize + 1] += 1;
    }
    for label in 0..labels.len() {
        next[label + 1] += next[label];
    }
    let mut order = vec![0u32; labels.len()];
    for (node, &label) in labels.iter().enumerate() {
        let place = &mut next[label as usize];
        order[*place] = node as u32;
        *place += 1;
    }
    order
}

/// A counting sort of nodes by falling degree: linear, and ties keep their order.
fn sort_by_degree(degrees: &[u32], nodes: &mut [u32]) {
    let degree_of = |&node: &u32| degrees[node as usize] as usize;
    let largest = nodes.iter().map(degree_of).max().unwrap_or(0);
    let mut positions = vec![0usize; largest + 1];
    for node in &*nodes {
        positions[largest - degree_of(node)] += 1;
    }
    let mut sum = 0;
    for position in &mut positions {
        sum += std::mem::replace(position, sum);
    }
    let unsorted = nodes.to_vec();
    for node in &unsorted {
        let position = &mut positions[largest - degree_of(node)];
        nodes[*position] = *node;
        *position += 1;
    }
}

/// Returns where slices begin: each is as wide as its longest row; empty ones at the end are left out.
fn place_slices(order: &[u32], degrees: &[u32]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut sum = 0;
    let mut filled = 0;
    for slice in order.chunks(LANES) {
        let widths = slice.iter().map(|&node| degrees[node as usize] as usize);
        let width = widths.max().unwrap_or(0);
        sum += width;
        starts.push(sum);
        if width > 0 {
            filled = starts.len() - 1;
        }
    }
    starts.truncate(filled + 1);
    starts
}
