//! Local moves: nodes change to the neighbouring community that gains most, until none does.

use super::Objective;
use super::level::Level;
use crate::csr::STRIDE;
use crate::error::{Error, poll};

/// A move must gain this share of the total weight, so that rounding cannot make nodes circle.
const SMALLEST_GAIN_RATIO: f64 = 1e-12;

/// So many visits of a node, on average, end the moves of a level: real graphs take five or six. A matrix that is not
/// symmetric has no modularity that every move raises, and nodes can circle for ever.
const MOST_VISITS_PER_NODE: usize = 100;

/// The order in which a level queues its nodes first.
#[derive(Clone, Copy)]
pub(super) enum Order {
    ByIndex,
    /// In steps of about .618 of the nodes, so that neighbours by number are far apart.
    ByStride,
}

/// Moves nodes until no move gains or visits run out; `communities` holds numbers below the number of nodes.
pub(super) fn move_nodes(
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
    for _ in 0..nodes * MOST_VISITS_PER_NODE {
        let Some(node) = queue.pop() else {
            break;
        };
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
