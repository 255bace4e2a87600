//! A graph that is prepared once for many diffusions of heat.

use std::sync::{Mutex, OnceLock};

use crate::csr::{Csr, STRIDE, sum_weights};
use crate::error::{Error, poll, python_float};
use crate::heat::{start, validate};
use crate::simd::{sum_rows, sum_slices};
use crate::slices::{LANES, Products, Slices};

/// Nodes between two looks at the interrupt flag when each costs a few operations.
const STRIDE_NODES: usize = 1 << 14;
/// A hop is pulled once the warm rows hold more than one of so many entries: pushing an entry takes about three
/// times as long as pulling one, but leaves out what is cold.
const PULLED_SHARE: usize = 3;
/// Rows that are gathered and shared together, while they are in the first cache.
const BLOCK_SLICES: usize = 64;
/// The range of factors inside communities that are not 0: heat and its quotients stay finite.
const INSIDE_FACTORS: std::ops::RangeInclusive<f64> = 1e-50..=1e50;

/// Communities whose inner entries weigh `factor` times as much.
#[derive(Debug, Clone, Copy)]
pub struct Inside<'a> {
    /// The community of each node, -1 for none.
    pub communities: &'a [i64],
    /// What an entry between two different nodes of one community is multiplied by.
    pub factor: f64,
}

/// A graph of its own memory, with sums of rows and, once it is asked for, its transposition.
///
/// Pushing along rows writes to scattered nodes, each addition waiting for those before it; pulling along the
/// slices of the transposition adds eight sums side by side in registers. Both add arrivals at a node by ascending
/// source, so that they return the same bits, those of [`heat`](crate::heat()).
#[derive(Debug)]
pub struct HeatGraph {
    indptr: Vec<i64>,
    indices: Vec<u32>,
    weights: Vec<f64>,
    /// The sum of each row.
    sums: Vec<f64>,
    /// Made by the first diffusion that pulls: it takes as long as several diffusions that push.
    transposition: OnceLock<Transposition>,
    /// The vectors of the last diffusion: fresh ones would cost as much as a hop, by page faults.
    scratch: Mutex<Option<Scratch>>,
}

/// A graph by its targets, the nodes in the order of their ranks.
#[derive(Debug)]
struct Transposition {
    slices: Slices,
    /// What the sources of the slices number besides shares by rank; None where the slices have weights.
    products: Option<Products>,
    /// The sum of each rank's row, infinite where nothing is passed on.
    row_sums: Vec<f64>,
}

/// The vectors of one diffusion.
#[derive(Debug, Default)]
struct Scratch {
    /// By node.
    heat: Vec<f64>,
    arriving: Vec<f64>,
    pulled: Option<Pulled>,
}

/// By rank.
#[derive(Debug)]
struct Pulled {
    sums: Vec<f64>,
    /// What arrives at the ranks of a block.
    arriving: Vec<f64>,
    /// Heat by the sum of the row, then a slice of zeros and products: what the sources of the slices stand for, in
    /// this hop and in the next.
    values: Vec<f64>,
    next_values: Vec<f64>,
}

impl HeatGraph {
    /// Checks and prepares a graph, see [`Csr::new`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] names the first position that breaks the format.
    pub fn new(
        indptr: Vec<i64>,
        indices: Vec<u32>,
        weights: Vec<f64>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        let graph = Csr::new(&indptr, &indices, &weights, check)?;
        let mut sums = vec![0.0; graph.nodes()];
        for first in (0..sums.len()).step_by(STRIDE_NODES) {
            poll(check)?;
            let end = sums.len().min(first + STRIDE_NODES);
            sum_rows(&indptr[first..=end], &weights, &mut sums[first..end]);
        }
        Ok(Self {
            indptr,
            indices,
            weights,
            sums,
            transposition: OnceLock::new(),
            scratch: Mutex::new(None),
        })
    }

    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.sums.len()
    }

    /// The number of stored entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.indices.len()
    }

    /// Returns what [`heat`](crate::heat()) returns for this graph, with the weights inside communities multiplied.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] as [`heat`](crate::heat()), and when `communities` is not one per node, holds a number
    /// under -1, or the factor is neither 0 nor from 1e-50 to 1e+50.
    pub fn diffuse(
        &self,
        seeds: &[f64],
        decay_factors: &[f64],
        inside: Option<Inside<'_>>,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<f64>, Error> {
        validate(self.nodes(), seeds, decay_factors, check)?;
        if let Some(inside) = inside {
            validate_inside(self.nodes(), inside, check)?;
        }
        let scaled = match inside {
            Some(inside) if inside.factor != 1.0 => Some(self.scale(inside, check)?),
            _ => None,
        };
        // A second thread at the same time gets vectors of its own.
        let taken = self.scratch.lock().ok().and_then(|mut kept| kept.take());
        let mut scratch = taken.unwrap_or_default();
        let found = self.sum_hops(seeds, decay_factors, scaled.as_ref(), &mut scratch, check);
        if let Ok(mut kept) = self.scratch.lock() {
            *kept = Some(scratch);
        }
        found
    }

    fn sum_hops(
        &self,
        seeds: &[f64],
        decay_factors: &[f64],
        scaled: Option<&Scaled>,
        scratch: &mut Scratch,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<f64>, Error> {
        let Scratch {
            heat,
            arriving,
            pulled,
        } = scratch;
        heat.resize(self.nodes(), 0.0);
        arriving.resize(self.nodes(), 0.0);
        let mut total = start(seeds, decay_factors);
        for (hop, &factor) in decay_factors.iter().enumerate().skip(1) {
            let current = if hop == 1 { seeds } else { &heat[..] };
            if scaled.is_none() && self.is_warm(current) {
                let transposition = self.transposition(check)?;
                let pulled = pulled.get_or_insert_with(|| Pulled::new(&transposition.slices));
                transposition.pull(current, &mut total, &decay_factors[hop..], pulled, check)?;
                break;
            }
            arriving.fill(0.0);
            self.push(current, scaled, arriving, check)?;
            std::mem::swap(heat, arriving);
            for (sum, &value) in total.iter_mut().zip(&*heat) {
                *sum += factor * value;
            }
        }
        Ok(total)
    }

    /// Whether pulling all entries takes less time than pushing those of the warm rows.
    fn is_warm(&self, heat: &[f64]) -> bool {
        let enough = self.entries() / PULLED_SHARE;
        let mut warm_entries = 0;
        for (&value, range) in heat.iter().zip(self.indptr.windows(2)) {
            if value != 0.0 {
                warm_entries += (range[1] - range[0]) as usize;
                if warm_entries > enough {
                    return true;
                }
            }
        }
        false
    }

    fn transposition(&self, check: &mut dyn FnMut() -> bool) -> Result<&Transposition, Error> {
        if let Some(made) = self.transposition.get() {
            return Ok(made);
        }
        let graph = Csr::new(&self.indptr, &self.indices, &self.weights, check)?;
        let made = Transposition::new(&graph, &self.sums, check)?;
        // Where another thread was faster, its own stays.
        Ok(self.transposition.get_or_init(|| made))
    }

    fn row(&self, node: usize) -> std::ops::Range<usize> {
        self.indptr[node] as usize..self.indptr[node + 1] as usize
    }
}

fn validate_inside(
    nodes: usize,
    inside: Inside<'_>,
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    let Inside {
        communities,
        factor,
    } = inside;
    if communities.len() != nodes {
        return Error::invalid(format!(
            "there are {} communities for {nodes} nodes: they must be equal in number",
            communities.len()
        ));
    }
    poll(check)?;
    if let Some(at) = communities.iter().position(|&label| label < -1) {
        return Error::invalid(format!(
            "communities[{at}] is {}: it must be -1 or more",
            communities[at]
        ));
    }
    if factor != 0.0 && !INSIDE_FACTORS.contains(&factor) {
        return Error::invalid(format!(
            "inside_factor is {}: it must be 0 or from 1e-50 to 1e+50",
            python_float(factor)
        ));
    }
    Ok(())
}

/// Rows whose weights differ from those of the graph.
struct Scaled {
    /// Where the weights of each node's row begin; `usize::MAX` where they are the graph's.
    starts: Vec<usize>,
    weights: Vec<f64>,
    sums: Vec<f64>,
}

impl HeatGraph {
    fn scale(&self, inside: Inside<'_>, check: &mut dyn FnMut() -> bool) -> Result<Scaled, Error> {
        let mut scaled = Scaled {
            starts: vec![usize::MAX; self.nodes()],
            weights: Vec::new(),
            sums: self.sums.clone(),
        };
        let mut work = 0;
        for (node, &label) in inside.communities.iter().enumerate() {
            if label < 0 {
                continue;
            }
            let row = self.row(node);
            work += row.len() + 1;
            if work >= STRIDE {
                poll(check)?;
                work = 0;
            }
            let begin = scaled.weights.len();
            scaled.starts[node] = begin;
            let entries = self.indices[row.clone()].iter().zip(&self.weights[row]);
            scaled.weights.extend(entries.map(|(&column, &weight)| {
                let other = column as usize;
                if other != node && inside.communities[other] == label {
                    weight * inside.factor
                } else {
                    weight
                }
            }));
            scaled.sums[node] = sum_weights(&scaled.weights[begin..]);
        }
        Ok(scaled)
    }

    /// Adds to `arriving` what every node passes on, along the rows.
    fn push(
        &self,
        heat: &[f64],
        scaled: Option<&Scaled>,
        arriving: &mut [f64],
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let sums = scaled.map_or(&self.sums, |scaled| &scaled.sums);
        let mut work = 0;
        for (node, (&value, &sum)) in heat.iter().zip(sums).enumerate() {
            if value == 0.0 || sum == 0.0 {
                continue;
            }
            let row = self.row(node);
            let weights = match scaled.map(|scaled| (scaled, scaled.starts[node])) {
                Some((scaled, begin)) if begin != usize::MAX => {
                    &scaled.weights[begin..begin + row.len()]
                }
                _ => &self.weights[row.clone()],
            };
            work += row.len() + 1;
            add_row(&self.indices[row], weights, value / sum, arriving);
            if work >= STRIDE {
                poll(check)?;
                work = 0;
            }
        }
        Ok(())
    }
}

impl Pulled {
    fn new(slices: &Slices) -> Self {
        let (ranks, length) = (slices.padded_nodes(), slices.vector_length());
        Self {
            sums: vec![0.0; ranks],
            arriving: vec![0.0; BLOCK_SLICES * LANES],
            values: vec![0.0; length],
            next_values: vec![0.0; length],
        }
    }
}

impl Transposition {
    fn new(graph: &Csr<'_>, sums: &[f64], check: &mut dyn FnMut() -> bool) -> Result<Self, Error> {
        let (slices, products) = match Slices::transpose_to_products(graph, check)? {
            Some((slices, products)) => (slices, Some(products)),
            None => (Slices::transpose_by_neighbours(graph, check)?, None),
        };
        let mut row_sums = vec![f64::INFINITY; slices.padded_nodes()];
        for (row_sum, &node) in row_sums.iter_mut().zip(&slices.order) {
            let sum = sums[node as usize];
            if sum > 0.0 {
                *row_sum = sum;
            }
        }
        Ok(Self {
            slices,
            products,
            row_sums,
        })
    }

    /// Adds to `total` the hops of `factors`.
    fn pull(
        &self,
        heat: &[f64],
        total: &mut [f64],
        factors: &[f64],
        pulled: &mut Pulled,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let order = &self.slices.order;
        for (sum, &node) in pulled.sums.iter_mut().zip(order) {
            *sum = total[node as usize];
        }
        for (value, &node) in pulled.next_values.iter_mut().zip(order) {
            *value = heat[node as usize];
        }
        for (value, row_sum) in pulled.next_values.iter_mut().zip(&self.row_sums) {
            *value /= row_sum;
        }
        for (hop, &factor) in factors.iter().enumerate() {
            self.multiply(&mut pulled.next_values);
            std::mem::swap(&mut pulled.values, &mut pulled.next_values);
            self.gather(factor, hop + 1 == factors.len(), pulled, check)?;
        }
        for (&sum, &node) in pulled.sums.iter().zip(order) {
            total[node as usize] = sum;
        }
        Ok(())
    }

    /// Computes the products from the shares.
    fn multiply(&self, values: &mut [f64]) {
        let Some(products) = &self.products else {
            return;
        };
        let (shares, values) = values.split_at_mut(products.start);
        for (value, &(rank, weight)) in values.iter_mut().zip(&products.factors) {
            *value = weight * shares[rank as usize];
        }
    }

    /// Moves the heat of all ranks on by one hop; after the last one nothing is shared.
    fn gather(
        &self,
        factor: f64,
        is_last: bool,
        pulled: &mut Pulled,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let count = self.slices.slices();
        let mut work = 0;
        for first in (0..pulled.sums.len() / LANES).step_by(BLOCK_SLICES) {
            let end = count.clamp(first, first + BLOCK_SLICES);
            let (arriving, cold) = pulled.arriving.split_at_mut((end - first) * LANES);
            sum_slices(&self.slices, first..end, &pulled.values, arriving);
            // Rows behind the last slice have no entries.
            cold.fill(0.0);
            let ranks = first * LANES..pulled.sums.len().min((first + BLOCK_SLICES) * LANES);
            for (sum, &heat) in pulled.sums[ranks.clone()].iter_mut().zip(&pulled.arriving) {
                *sum += factor * heat;
            }
            if !is_last {
                let shares = pulled.next_values[ranks.clone()].iter_mut();
                let heat_and_sums = pulled.arriving.iter().zip(&self.row_sums[ranks]);
                for (share, (heat, row_sum)) in shares.zip(heat_and_sums) {
                    *share = heat / row_sum;
                }
            }
            work += self.slices.columns(first..end) * LANES;
            if work >= STRIDE {
                poll(check)?;
                work = 0;
            }
        }
        Ok(())
    }
}

/// Adds what one node passes on.
#[inline(never)]
fn add_row(columns: &[u32], weights: &[f64], share: f64, arriving: &mut [f64]) {
    for (&column, &weight) in columns.iter().zip(weights) {
        arriving[column as usize] += weight * share;
    }
}
