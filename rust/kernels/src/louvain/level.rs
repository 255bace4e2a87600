//! The graphs that levels work on, and how communities become the nodes of the next one.

use std::borrow::Cow;

use crate::csr::{Csr, STRIDE, sum_weights};
use crate::error::{Error, poll};

/// The graph of one level; the nodes of later levels are communities of the one before.
pub(super) struct Level<'a> {
    indptr: Cow<'a, [i64]>,
    indices: Cow<'a, [u32]>,
    weights: Cow<'a, [f64]>,
}

impl<'a> Level<'a> {
    pub(super) fn borrow(graph: &Csr<'a>) -> Self {
        let (indptr, indices, weights) = graph.parts();
        Self {
            indptr: indptr.into(),
            indices: indices.into(),
            weights: weights.into(),
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.indptr.len() - 1
    }

    pub(super) fn row(&self, node: usize) -> (&[u32], &[f64]) {
        let range = self.indptr[node] as usize..self.indptr[node + 1] as usize;
        (&self.indices[range.clone()], &self.weights[range])
    }

    pub(super) fn strengths(&self, check: &mut dyn FnMut() -> bool) -> Result<Vec<f64>, Error> {
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

/// Renumbers communities by first appearance and returns how many there are.
pub(super) fn number_by_first_appearance(communities: &mut [u32]) -> usize {
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
pub(super) fn aggregate(
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
