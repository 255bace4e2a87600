//! Communities by the Louvain method.

mod level;
mod moves;
mod partition;

use crate::csr::{Csr, validate_weights};
use crate::error::{Error, python_float};
use level::{Level, aggregate, number_by_first_appearance};
use moves::{Order, move_nodes};
use partition::{modularity, split_disconnected};

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
/// more than `1e-12` of the total weight; then its neighbours outside that community queue up again. A level ends
/// when the queue is empty, or after 100 visits to a node on average.
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
