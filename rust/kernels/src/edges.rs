//! Rows of a graph from a list of its edges.

use crate::csr::{MOST_NODES, STRIDE, validate_weights};
use crate::error::{Error, poll};

/// A list of edges: edge `i` goes from `sources[i]` to `targets[i]`.
#[derive(Debug, Clone, Copy)]
pub struct Edges<'a> {
    /// The number of nodes.
    pub nodes: usize,
    /// Where each edge begins.
    pub sources: &'a [i64],
    /// Where each edge ends.
    pub targets: &'a [i64],
    /// What each edge weighs.
    pub weights: &'a [f64],
}

/// The three arrays of a [`Csr`](crate::Csr).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// Where each row begins; one more at the end.
    pub indptr: Vec<i64>,
    /// The columns, ascending within a row, each once.
    pub indices: Vec<u32>,
    /// The weights.
    pub weights: Vec<f64>,
}

/// Returns the rows of a list of edges, entries of one place added up.
///
/// `both_ways` adds each edge from its target to its source as well; a `loop_weight` above 0 adds an edge of that
/// weight from every node to itself. Entries of one place are added up in this order: edges as listed, edges the
/// other way as listed, the loop. Linear in nodes and edges: two counting sorts, none for edges that are sorted.
///
/// # Errors
///
/// [`Error::Invalid`] when lengths differ, a node is out of range, or a weight is neither 0 nor from 1e-100 to 1e+100.
pub fn build_csr(
    edges: Edges<'_>,
    both_ways: bool,
    loop_weight: f64,
    check: &mut dyn FnMut() -> bool,
) -> Result<Rows, Error> {
    validate(edges, loop_weight, check)?;
    let runs = Runs::by_source(edges, check)?;
    let backward = if both_ways {
        runs.turned(edges.nodes, check)?
    } else {
        Runs::empty(edges.nodes)
    };
    let loops = if loop_weight > 0.0 { edges.nodes } else { 0 };
    let most = runs.entries.len() + backward.entries.len() + loops;
    let mut rows = Rows {
        indptr: Vec::with_capacity(edges.nodes + 1),
        indices: Vec::with_capacity(most),
        weights: Vec::with_capacity(most),
    };
    rows.indptr.push(0);
    let mut work = 0;
    for node in 0..edges.nodes {
        let (one, other) = (runs.row(node), backward.row(node));
        rows.merge(
            one,
            other,
            (loops > 0).then_some((node as u32, loop_weight)),
        );
        work += one.len() + other.len() + 2;
        if work >= STRIDE {
            poll(check)?;
            work = 0;
        }
    }
    Ok(rows)
}

fn validate(
    edges: Edges<'_>,
    loop_weight: f64,
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    if edges.nodes > MOST_NODES {
        return Error::invalid(format!(
            "nodes is {}: it must be from 0 to {MOST_NODES}",
            edges.nodes
        ));
    }
    let count = edges.sources.len();
    for (name, length) in [
        ("targets", edges.targets.len()),
        ("weights", edges.weights.len()),
    ] {
        if length != count {
            return Error::invalid(format!(
                "there are {length} {name} for {count} sources: they must be equal in number"
            ));
        }
    }
    for (name, ends) in [("sources", edges.sources), ("targets", edges.targets)] {
        for (chunk_number, chunk) in ends.chunks(STRIDE).enumerate() {
            poll(check)?;
            // Negative numbers are large ones without a sign.
            let is_bad = |&node: &i64| node as u64 >= edges.nodes as u64;
            if let Some(at) = chunk.iter().position(is_bad) {
                return Error::invalid(format!(
                    "{name}[{}] is {}: it must be 0 or more and less than the number of nodes, {}",
                    chunk_number * STRIDE + at,
                    chunk[at],
                    edges.nodes
                ));
            }
        }
    }
    validate_weights("weights", edges.weights, check)?;
    validate_weights("loop_weight", &[loop_weight], check)
}

/// Entries by row, columns ascending; a column may repeat.
struct Runs {
    starts: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl Runs {
    fn empty(nodes: usize) -> Self {
        Self {
            starts: vec![0; nodes + 1],
            entries: Vec::new(),
        }
    }

    fn row(&self, node: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[node]..self.starts[node + 1]]
    }

    /// Sorts edges by source and target, those of one place as they are listed.
    fn by_source(edges: Edges<'_>, check: &mut dyn FnMut() -> bool) -> Result<Self, Error> {
        let list = || {
            let ends = edges.sources.iter().zip(edges.targets);
            ends.zip(edges.weights)
        };
        if list().is_sorted_by_key(|(ends, _)| ends) {
            poll(check)?;
            let entries = list().map(|((_, &target), &weight)| (target as u32, weight));
            let rows = edges.sources.iter().map(|&source| source as usize);
            return Ok(Self {
                entries: entries.collect(),
                starts: starts_of(edges.nodes, rows),
            });
        }
        // Sorted by target, then by source: both sorts keep the order of equals.
        let edge = |((&source, &target), &weight): ((&i64, &i64), &f64)| {
            (target as usize, source as u32, weight)
        };
        Self::sort(edges.nodes, &|| list().map(edge), check)?.turned(edges.nodes, check)
    }

    /// Returns the entries by column, rows ascending.
    fn turned(&self, nodes: usize, check: &mut dyn FnMut() -> bool) -> Result<Self, Error> {
        let entries = || {
            (0..nodes).flat_map(|node| {
                let row = self.row(node).iter();
                row.map(move |&(column, weight)| (column as usize, node as u32, weight))
            })
        };
        Self::sort(nodes, &entries, check)
    }

    /// A counting sort of (row, column, weight) by row.
    fn sort<I: Iterator<Item = (usize, u32, f64)>>(
        nodes: usize,
        entries: &dyn Fn() -> I,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        let starts = starts_of(nodes, entries().map(|(row, _, _)| row));
        poll(check)?;
        let mut next = starts.clone();
        let mut sorted = vec![(0, 0.0); starts[nodes]];
        for (number, (row, column, weight)) in entries().enumerate() {
            if number % STRIDE == 0 {
                poll(check)?;
            }
            sorted[next[row]] = (column, weight);
            next[row] += 1;
        }
        Ok(Self {
            starts,
            entries: sorted,
        })
    }
}

/// Returns where each row begins, and the end.
fn starts_of(nodes: usize, rows: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts = vec![0; nodes + 1];
    for row in rows {
        starts[row + 1] += 1;
    }
    for row in 0..nodes {
        starts[row + 1] += starts[row];
    }
    starts
}

impl Rows {
    /// Adds a row of two runs and a loop.
    fn merge(&mut self, one: &[(u32, f64)], other: &[(u32, f64)], own: Option<(u32, f64)>) {
        let (mut one, mut other, mut own) = (one, other, own.as_slice());
        while let Some(column) = [one, other, own]
            .iter()
            .filter_map(|run| run.first())
            .map(|&(column, _)| column)
            .min()
        {
            let mut sum = 0.0;
            for run in [&mut one, &mut other, &mut own] {
                while let Some((&(next, weight), rest)) = run.split_first()
                    && next == column
                {
                    sum += weight;
                    *run = rest;
                }
            }
            self.indices.push(column);
            self.weights.push(sum);
        }
        self.indptr.push(self.indices.len() as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::{Edges, build_csr};
    use crate::error::Error;

    fn edges<'a>(sources: &'a [i64], targets: &'a [i64], weights: &'a [f64]) -> Edges<'a> {
        Edges {
            nodes: 3,
            sources,
            targets,
            weights,
        }
    }

    #[test]
    fn entries_of_one_place_are_added_up() {
        let list = edges(&[2, 0, 2, 1], &[0, 2, 0, 1], &[1.0, 2.0, 4.0, 8.0]);
        let one_way = build_csr(list, false, 0.0, &mut || false).unwrap();
        assert_eq!(one_way.indptr, [0, 1, 2, 3]);
        assert_eq!(one_way.indices, [2, 1, 0]);
        assert_eq!(one_way.weights, [2.0, 8.0, 5.0]);
        let both_ways = build_csr(list, true, 0.5, &mut || false).unwrap();
        assert_eq!(both_ways.indptr, [0, 2, 3, 5]);
        assert_eq!(both_ways.indices, [0, 2, 1, 0, 2]);
        assert_eq!(both_ways.weights, [0.5, 7.0, 16.5, 7.0, 0.5]);
    }

    #[test]
    fn each_fault_is_named() {
        let cases = [
            (
                edges(&[0], &[], &[1.0]),
                "there are 0 targets for 1 sources",
            ),
            (edges(&[0], &[1], &[]), "there are 0 weights for 1 sources"),
            (edges(&[-1], &[1], &[1.0]), "sources[0] is -1"),
            (edges(&[0], &[3], &[1.0]), "targets[0] is 3"),
            (edges(&[0], &[1], &[f64::NAN]), "weights[0] is nan"),
        ];
        for (list, text) in cases {
            match build_csr(list, true, 0.0, &mut || false) {
                Err(Error::Invalid(found)) => assert!(found.starts_with(text), "{found}"),
                other => panic!("{other:?}"),
            }
        }
        let stopped = build_csr(edges(&[0], &[1], &[1.0]), true, 0.0, &mut || true);
        assert_eq!(stopped, Err(Error::Interrupted));
    }
}
