//! Communities by the Louvain method.

use std::borrow::Cow;

use crate::csr::{Csr, STRIDE, sum_weights, validate_weights};
use crate::error::{Error, poll, python_float};

/// A partition and how good it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Communities {
    /// The community of each node, numbered by first appearance.
    pub labels: Vec<u32>,
    /// The modularity of the partition, at the resolution asked for.
    pub modularity: f64,
    /// How many times the graph was aggregated.
    pub levels: u32,
}

/// A move must gain this share of the total weight, so that rounding cannot make nodes circle.
const SMALLEST_GAIN_RATIO: f64 = 1e-12;

/// Graphs of at most so many entries are solved in two orders. Index order alone loses .06 of modularity
/// on ring lattices, where a community grows along the ring; small graphs can afford a second try.
const MOST_ENTRIES_FOR_TWO_ORDERS: usize = 1 << 17;

/// Returns communities of large modularity.
///
/// `graph` holds the symmetric weights A, both directions of every edge; the diagonal counts as it
/// stands, so a self loop of weight w is `2 * w` there, as in the adjacency matrix of modularity,
/// `Q = sum over c of inside(c) / total - resolution * (strength(c) / total)^2`. Symmetry is the
/// caller's part and not verified. Nodes without edges are communities of their own; without any
/// weight the modularity is 0.
///
/// Each level visits nodes from a queue, first in index order; graphs of up to 131,072 entries are solved
/// a second time, with first visits in strides of about .618 of the nodes, and the better modularity is
/// returned (a tie goes to index order). A node moves to the neighbouring
/// community of largest gain (ties: the smaller community number), and only if it beats staying by
/// more than `1e-12` of the total weight; then its neighbours outside that community queue up again.
/// The partition of the last level is refined once more on the nodes themselves. Communities are
/// numbered by first appearance before they become the nodes of the next level. At the end,
/// communities that are not connected are split into their components, which never lowers modularity.
///
/// Order: sums of a row in four interleaved partial sums, weights towards a community in row order, totals by node.
/// Source: Blondel, Guillaume, Lambiotte and Lefebvre, 2008; queue: Ozaki, Tezuka and Inaba, 2016.
///
/// # Errors
///
/// [`Error::Invalid`] when `resolution` is neither 0 nor from 1e-100 to 1e+100.
pub fn louvain(
    graph: &Csr<'_>,
    resolution: f64,
    check: &mut dyn FnMut() -> bool,
) -> Result<Communities, Error> {
    if validate_weights("resolution", &[resolution], check).is_err() {
        return Error::invalid(format!(
            "resolution is {}: it must be 0 or from 1e-100 to 1e+100",
            python_float(resolution)
        ));
    }
    let base = Level::borrow(graph);
    let strengths = base.strengths(check)?;
    let mut total = 0.0;
    for &strength in &strengths {
        total += strength;
    }
    if total == 0.0 {
        let labels = (0..graph.nodes() as u32).collect();
        return Ok(Communities {
            labels,
            modularity: 0.0,
            levels: 0,
        });
    }
    let objective = Objective {
        total,
        resolution,
        scale: resolution / total,
    };
    let by_index = solve(&base, &strengths, &objective, Order::ByIndex, check)?;
    if graph.entries() > MOST_ENTRIES_FOR_TWO_ORDERS {
        return Ok(by_index);
    }
    let by_stride = solve(&base, &strengths, &objective, Order::ByStride, check)?;
    Ok(if by_stride.modularity > by_index.modularity {
        by_stride
    } else {
        by_index
    })
}

/// The order in which a level queues its nodes first.
#[derive(Clone, Copy)]
enum Order {
    ByIndex,
    /// In steps of about .618 of the nodes, so that neighbours by number are far apart.
    ByStride,
}

fn solve(
    base: &Level<'_>,
    strengths: &[f64],
    objective: &Objective,
    order: Order,
    check: &mut dyn FnMut() -> bool,
) -> Result<Communities, Error> {
    let mut labels: Vec<u32> = (0..base.nodes() as u32).collect();
    let levels = agglomerate(base, strengths, objective, order, &mut labels, check)?;
    split_disconnected(base, &mut labels, check)?;
    let modularity = modularity(base, strengths, objective, &labels, check)?;
    Ok(Communities {
        labels,
        modularity,
        levels,
    })
}

/// What a move is judged by.
struct Objective {
    /// The sum of all entries.
    total: f64,
    resolution: f64,
    /// `resolution / total`.
    scale: f64,
}

/// The graph of one level; the nodes of later levels are communities of the one before.
struct Level<'a> {
    indptr: Cow<'a, [i64]>,
    indices: Cow<'a, [u32]>,
    weights: Cow<'a, [f64]>,
}

impl<'a> Level<'a> {
    fn borrow(graph: &Csr<'a>) -> Self {
        let (indptr, indices, weights) = graph.parts();
        Self {
            indptr: indptr.into(),
            indices: indices.into(),
            weights: weights.into(),
        }
    }

    fn nodes(&self) -> usize {
        self.indptr.len() - 1
    }

    fn row(&self, node: usize) -> (&[u32], &[f64]) {
        let range = self.indptr[node] as usize..self.indptr[node + 1] as usize;
        (&self.indices[range.clone()], &self.weights[range])
    }

    fn strengths(&self, check: &mut dyn FnMut() -> bool) -> Result<Vec<f64>, Error> {
        let mut strengths = Vec::with_capacity(self.nodes());
        for node in 0..self.nodes() {
            if node % STRIDE == 0 {
                poll(check)?;
            }
            strengths.push(sum_weights(self.row(node).1));
        }
        Ok(strengths)
    }
}

/// Moves and aggregates until nothing moves, refines, and leaves the final numbering in `labels`.
fn agglomerate(
    base: &Level<'_>,
    strengths: &[f64],
    objective: &Objective,
    order: Order,
    labels: &mut [u32],
    check: &mut dyn FnMut() -> bool,
) -> Result<u32, Error> {
    let mut levels = 0;
    let mut aggregated: Option<(Level<'static>, Vec<f64>)> = None;
    loop {
        let (level, level_strengths) = match &aggregated {
            None => (base, strengths),
            Some((level, level_strengths)) => (level, level_strengths.as_slice()),
        };
        let mut communities: Vec<u32> = (0..level.nodes() as u32).collect();
        move_nodes(
            level,
            level_strengths,
            objective,
            order,
            &mut communities,
            check,
        )?;
        let count = number_by_first_appearance(&mut communities);
        if count == level.nodes() {
            break;
        }
        for label in labels.iter_mut() {
            *label = communities[*label as usize];
        }
        levels += 1;
        let next = aggregate(level, &communities, count, check)?;
        let next_strengths = next.strengths(check)?;
        aggregated = Some((next, next_strengths));
    }
    if levels > 1 {
        move_nodes(base, strengths, objective, order, labels, check)?;
    }
    number_by_first_appearance(labels);
    Ok(levels)
}

/// Moves nodes until no move gains; `communities` holds numbers below the number of nodes.
fn move_nodes(
    level: &Level<'_>,
    strengths: &[f64],
    objective: &Objective,
    order: Order,
    communities: &mut [u32],
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    let nodes = level.nodes();
    let mut totals = vec![0.0; nodes];
    for (node, &community) in communities.iter().enumerate() {
        totals[community as usize] += strengths[node];
    }
    let smallest_gain = SMALLEST_GAIN_RATIO * objective.total;
    let mut queue = Queue::of_all(nodes, order);
    let mut links = Links::new(nodes);
    let mut work = 0;
    while let Some(node) = queue.pop() {
        let (columns, weights) = level.row(node);
        work += columns.len() + 8;
        if work >= STRIDE {
            poll(check)?;
            work = 0;
        }
        let own = communities[node];
        links.gather(node, columns, weights, communities);
        totals[own as usize] -= strengths[node];
        let best = links.best(
            own,
            objective.scale * strengths[node],
            smallest_gain,
            &totals,
        );
        totals[best as usize] += strengths[node];
        if best == own {
            continue;
        }
        communities[node] = best;
        for &column in columns {
            if communities[column as usize] != best {
                queue.push(column as usize);
            }
        }
    }
    Ok(())
}

/// Nodes to visit, first in first out, each at most once at a time.
struct Queue {
    ring: Vec<u32>,
    head: usize,
    length: usize,
    is_queued: Vec<bool>,
}

impl Queue {
    fn of_all(nodes: usize, order: Order) -> Self {
        let step = match order {
            Order::ByIndex => 1,
            Order::ByStride => stride(nodes),
        };
        let mut ring = Vec::with_capacity(nodes);
        let mut node = 0;
        for _ in 0..nodes {
            ring.push(node as u32);
            node += step;
            if node >= nodes {
                node -= nodes;
            }
        }
        Self {
            ring,
            head: 0,
            length: nodes,
            is_queued: vec![true; nodes],
        }
    }

    fn pop(&mut self) -> Option<usize> {
        if self.length == 0 {
            return None;
        }
        let node = self.ring[self.head] as usize;
        self.head = if self.head + 1 == self.ring.len() {
            0
        } else {
            self.head + 1
        };
        self.length -= 1;
        self.is_queued[node] = false;
        Some(node)
    }

    fn push(&mut self, node: usize) {
        if self.is_queued[node] {
            return;
        }
        self.is_queued[node] = true;
        let end = self.head + self.length;
        let end = if end >= self.ring.len() {
            end - self.ring.len()
        } else {
            end
        };
        self.ring[end] = node as u32;
        self.length += 1;
    }
}

/// The smallest number from .618 of `nodes` on that shares no divisor with it; 1 where there is none below.
fn stride(nodes: usize) -> usize {
    (nodes * 618 / 1000..nodes)
        .find(|&step| greatest_divisor(step, nodes) == 1)
        .unwrap_or(1)
}

fn greatest_divisor(one: usize, other: usize) -> usize {
    if other == 0 {
        one
    } else {
        greatest_divisor(other, one % other)
    }
}

/// The weight from one node to each neighbouring community.
struct Links {
    /// By community; 0 between nodes.
    weights: Vec<f64>,
    /// The communities met, in row order; one may repeat while its weight is still 0.
    met: Vec<u32>,
}

impl Links {
    fn new(nodes: usize) -> Self {
        Self {
            weights: vec![0.0; nodes],
            met: Vec::new(),
        }
    }

    fn gather(&mut self, node: usize, columns: &[u32], weights: &[f64], communities: &[u32]) {
        for (&column, &weight) in columns.iter().zip(weights) {
            if column as usize == node {
                continue;
            }
            let community = communities[column as usize];
            let sum = &mut self.weights[community as usize];
            if *sum == 0.0 {
                self.met.push(community);
            }
            *sum += weight;
        }
    }

    /// Returns the community of largest gain and forgets the gathered weights.
    fn best(&mut self, own: u32, scaled: f64, smallest_gain: f64, totals: &[f64]) -> u32 {
        let staying = self.weights[own as usize] - scaled * totals[own as usize];
        let mut best = own;
        let mut best_gain = f64::NEG_INFINITY;
        for &community in &self.met {
            let weight = std::mem::replace(&mut self.weights[community as usize], 0.0);
            if community == own || weight == 0.0 {
                continue;
            }
            let gain = weight - scaled * totals[community as usize];
            if gain > best_gain || (gain == best_gain && community < best) {
                best = community;
                best_gain = gain;
            }
        }
        self.met.clear();
        if best_gain > staying + smallest_gain {
            best
        } else {
            own
        }
    }
}

/// Renumbers communities by first appearance and returns how many there are.
fn number_by_first_appearance(communities: &mut [u32]) -> usize {
    let mut numbers = vec![u32::MAX; communities.len()];
    let mut count = 0;
    for community in communities {
        let number = &mut numbers[*community as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        *community = *number;
    }
    count as usize
}

/// Makes communities the nodes of a new graph; the entries of a row stand in the order they are met.
fn aggregate(
    level: &Level<'_>,
    communities: &[u32],
    count: usize,
    check: &mut dyn FnMut() -> bool,
) -> Result<Level<'static>, Error> {
    let members = Members::of(communities, count);
    let mut indptr = vec![0i64];
    let mut indices: Vec<u32> = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    let mut last_row = vec![u32::MAX; count];
    let mut place = vec![0usize; count];
    let mut work = 0;
    for community in 0..count as u32 {
        for &node in members.of_community(community) {
            let (columns, row_weights) = level.row(node as usize);
            for (&column, &weight) in columns.iter().zip(row_weights) {
                let other = communities[column as usize];
                if last_row[other as usize] == community {
                    weights[place[other as usize]] += weight;
                } else {
                    last_row[other as usize] = community;
                    place[other as usize] = indices.len();
                    indices.push(other);
                    weights.push(weight);
                }
            }
            work += columns.len() + 8;
            if work >= STRIDE {
                poll(check)?;
                work = 0;
            }
        }
        indptr.push(indices.len() as i64);
    }
    Ok(Level {
        indptr: indptr.into(),
        indices: indices.into(),
        weights: weights.into(),
    })
}

/// The nodes of each community, ascending.
struct Members {
    starts: Vec<usize>,
    nodes: Vec<u32>,
}

impl Members {
    fn of(communities: &[u32], count: usize) -> Self {
        let mut starts = vec![0usize; count + 1];
        for &community in communities {
            starts[community as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut nodes = vec![0u32; communities.len()];
        for (node, &community) in communities.iter().enumerate() {
            nodes[next[community as usize]] = node as u32;
            next[community as usize] += 1;
        }
        Self { starts, nodes }
    }

    fn of_community(&self, community: u32) -> &[u32] {
        let community = community as usize;
        &self.nodes[self.starts[community]..self.starts[community + 1]]
    }
}

/// Gives the components of each community labels of their own, by first appearance.
fn split_disconnected(
    level: &Level<'_>,
    labels: &mut [u32],
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    let mut parents: Vec<u32> = (0..labels.len() as u32).collect();
    let mut work = 0;
    for node in 0..labels.len() {
        let (columns, weights) = level.row(node);
        for (&column, &weight) in columns.iter().zip(weights) {
            if labels[column as usize] == labels[node] && weight > 0.0 {
                join(&mut parents, node as u32, column);
            }
        }
        work += columns.len() + 1;
        if work >= STRIDE {
            poll(check)?;
            work = 0;
        }
    }
    for (node, label) in labels.iter_mut().enumerate() {
        *label = root(&mut parents, node as u32);
    }
    number_by_first_appearance(labels);
    Ok(())
}

/// Returns the smallest node known to be connected, halving the path on the way.
fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let above = parents[parents[node as usize] as usize];
        parents[node as usize] = above;
        node = above;
    }
    node
}

fn join(parents: &mut [u32], one: u32, other: u32) {
    let one = root(parents, one);
    let other = root(parents, other);
    parents[one.max(other) as usize] = one.min(other);
}

fn modularity(
    level: &Level<'_>,
    strengths: &[f64],
    objective: &Objective,
    labels: &[u32],
    check: &mut dyn FnMut() -> bool,
) -> Result<f64, Error> {
    let count = labels.iter().max().map_or(0, |&label| label as usize + 1);
    let mut inside = vec![0.0; count];
    let mut totals = vec![0.0; count];
    let mut work = 0;
    for node in 0..labels.len() {
        let own = labels[node];
        totals[own as usize] += strengths[node];
        let (columns, weights) = level.row(node);
        for (&column, &weight) in columns.iter().zip(weights) {
            if labels[column as usize] == own {
                inside[own as usize] += weight;
            }
        }
        work += columns.len() + 1;
        if work >= STRIDE {
            poll(check)?;
            work = 0;
        }
    }
    let mut sum = 0.0;
    for (&inner, &outer) in inside.iter().zip(&totals) {
        let share: f64 = outer / objective.total;
        sum += inner / objective.total - objective.resolution * (share * share);
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::louvain;
    use crate::csr::Csr;

    fn symmetric(nodes: usize, edges: &[(u32, u32)]) -> (Vec<i64>, Vec<u32>, Vec<f64>) {
        let mut rows = vec![Vec::new(); nodes];
        for &(a, b) in edges {
            rows[a as usize].push(b);
            rows[b as usize].push(a);
        }
        let mut indptr = vec![0];
        let mut indices = Vec::new();
        for row in rows {
            indices.extend(row);
            indptr.push(indices.len() as i64);
        }
        let weights = vec![1.0; indices.len()];
        (indptr, indices, weights)
    }

    #[test]
    fn two_triangles_with_a_bridge_are_two_communities() {
        let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)];
        let (indptr, indices, weights) = symmetric(6, &edges);
        let graph = Csr::new(&indptr, &indices, &weights, &mut || false).unwrap();
        let found = louvain(&graph, 1.0, &mut || false).unwrap();
        assert_eq!(found.labels, [0, 0, 0, 1, 1, 1]);
        assert!((found.modularity - 5.0 / 14.0).abs() < 1e-15);
    }

    #[test]
    fn nodes_without_edges_stay_alone() {
        let graph = Csr::new(&[0, 0, 0], &[], &[], &mut || false).unwrap();
        let found = louvain(&graph, 1.0, &mut || false).unwrap();
        assert_eq!(
            (found.labels, found.modularity, found.levels),
            (vec![0, 1], 0.0, 0)
        );
    }
}
