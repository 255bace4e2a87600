//! Graphs as compressed sparse rows.

use crate::error::{Error, poll, python_float};
use crate::simd::{are_ones, are_weights, largest};

/// The smallest weight that is not zero: quotients of weights stay finite.
pub const SMALLEST_WEIGHT: f64 = 1e-100;
/// The largest weight: sums and squares of sums stay finite.
pub const LARGEST_WEIGHT: f64 = 1e100;
/// The most nodes a graph may have: vector gathers take signed 32-bit offsets, and one slot is padding.
pub const MOST_NODES: usize = i32::MAX as usize - 1;

/// Work units between two looks at the interrupt flag.
pub(crate) const STRIDE: usize = 1 << 15;

/// A validated graph: the entries of row `i` stand at `indptr[i]..indptr[i + 1]`.
#[derive(Debug, Clone, Copy)]
pub struct Csr<'a> {
    indptr: &'a [i64],
    indices: &'a [u32],
    weights: &'a [f64],
}

impl<'a> Csr<'a> {
    /// Borrows three arrays as a graph.
    ///
    /// Rows need not be sorted, and an entry may repeat. Weights are 0, or from
    /// [`SMALLEST_WEIGHT`] to [`LARGEST_WEIGHT`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] names the first position that breaks the format.
    pub fn new(
        indptr: &'a [i64],
        indices: &'a [u32],
        weights: &'a [f64],
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        validate_indptr(indptr, indices.len(), check)?;
        let nodes = indptr.len() - 1;
        if weights.len() != indices.len() {
            return Error::invalid(format!(
                "there are {} weights for {} indices: they must be equal in number",
                weights.len(),
                indices.len()
            ));
        }
        for (chunk_number, chunk) in indices.chunks(STRIDE).enumerate() {
            poll(check)?;
            // The position is looked for only on failure.
            if largest(chunk) as usize >= nodes {
                let at = chunk
                    .iter()
                    .position(|&node| node as usize >= nodes)
                    .unwrap_or(0);
                return Error::invalid(format!(
                    "indices[{}] is {}: it must be less than the number of nodes, {nodes}",
                    chunk_number * STRIDE + at,
                    chunk[at]
                ));
            }
        }
        validate_weights("weights", weights, check)?;
        Ok(Self {
            indptr,
            indices,
            weights,
        })
    }

    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.indptr.len() - 1
    }

    /// The number of stored entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.indices.len()
    }

    /// The columns and weights of one row, in the order they are stored.
    #[must_use]
    pub fn row(&self, node: usize) -> (&'a [u32], &'a [f64]) {
        let range = self.indptr[node] as usize..self.indptr[node + 1] as usize;
        (&self.indices[range.clone()], &self.weights[range])
    }

    /// The sum of a row's weights, see [`sum_weights`].
    pub(crate) fn row_sum(&self, node: usize) -> f64 {
        sum_weights(self.row(node).1)
    }

    /// The three arrays.
    pub(crate) fn parts(&self) -> (&'a [i64], &'a [u32], &'a [f64]) {
        (self.indptr, self.indices, self.weights)
    }

    /// Whether every weight is exactly 1, so that multiplying by it can be left out.
    pub(crate) fn is_unit(&self) -> bool {
        self.weights.chunks(STRIDE).all(are_ones)
    }
}

/// Adds weights in four interleaved partial sums, `(0 + 1) + (2 + 3)`: one chain of additions would wait
/// for each of them.
pub(crate) fn sum_weights(weights: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let groups = weights.chunks_exact(4);
    let rest = groups.remainder();
    for group in groups {
        for (sum, &weight) in sums.iter_mut().zip(group) {
            *sum += weight;
        }
    }
    for (sum, &weight) in sums.iter_mut().zip(rest) {
        *sum += weight;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

fn validate_indptr(
    indptr: &[i64],
    entries: usize,
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    let Some((&first, &last)) = indptr.first().zip(indptr.last()) else {
        return Error::invalid(
            "indptr is empty: it must hold one entry more than there are nodes".to_owned(),
        );
    };
    let nodes = indptr.len() - 1;
    if nodes > MOST_NODES {
        return Error::invalid(format!(
            "indptr declares {nodes} nodes: it must declare at most {MOST_NODES}"
        ));
    }
    if first != 0 {
        return Error::invalid(format!("indptr[0] is {first}: it must be 0"));
    }
    for start in (0..nodes).step_by(STRIDE) {
        poll(check)?;
        for at in start..nodes.min(start + STRIDE) {
            if indptr[at + 1] < indptr[at] {
                return Error::invalid(format!(
                    "indptr[{}] is {}: it must not be less than the {} before it",
                    at + 1,
                    indptr[at + 1],
                    indptr[at]
                ));
            }
        }
    }
    if last as u64 != entries as u64 {
        return Error::invalid(format!(
            "indptr ends at {last}: it must end at the number of indices, {entries}"
        ));
    }
    Ok(())
}

/// Checks that every value is 0 or lies between the smallest and the largest weight.
pub(crate) fn validate_weights(
    name: &str,
    values: &[f64],
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    let is_good = |value: f64| value == 0.0 || (SMALLEST_WEIGHT..=LARGEST_WEIGHT).contains(&value);
    for (chunk_number, chunk) in values.chunks(STRIDE).enumerate() {
        poll(check)?;
        if !are_weights(chunk, SMALLEST_WEIGHT, LARGEST_WEIGHT) {
            let at = chunk.iter().position(|&value| !is_good(value)).unwrap_or(0);
            return Error::invalid(format!(
                "{name}[{}] is {}: it must be 0 or from 1e-100 to 1e+100",
                chunk_number * STRIDE + at,
                python_float(chunk[at])
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Csr;
    use crate::error::Error;

    fn text(indptr: &[i64], indices: &[u32], weights: &[f64]) -> String {
        match Csr::new(indptr, indices, weights, &mut || false) {
            Err(Error::Invalid(text)) => text,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn each_fault_is_named() {
        assert!(text(&[], &[], &[]).starts_with("indptr is empty"));
        assert_eq!(text(&[1], &[], &[]), "indptr[0] is 1: it must be 0");
        assert_eq!(
            text(&[0, 2, 1], &[0, 1], &[1.0, 1.0]),
            "indptr[2] is 1: it must not be less than the 2 before it"
        );
        assert_eq!(
            text(&[0, 1 << 31], &[0], &[1.0]),
            "indptr ends at 2147483648: it must end at the number of indices, 1"
        );
        assert_eq!(
            text(&[0, 1], &[0], &[]),
            "there are 0 weights for 1 indices: they must be equal in number"
        );
        assert_eq!(
            text(&[0, 1], &[1], &[1.0]),
            "indices[0] is 1: it must be less than the number of nodes, 1"
        );
        for bad in [f64::NAN, f64::INFINITY, -1.0, 1e-101, 1e101] {
            assert!(
                text(&[0, 1], &[0], &[bad]).starts_with("weights[0] is "),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_graph_without_nodes_is_a_graph() {
        assert_eq!(Csr::new(&[0], &[], &[], &mut || false).unwrap().nodes(), 0);
    }

    #[test]
    fn a_request_to_stop_is_honoured() {
        let stopped = Csr::new(&[0, 1], &[0], &[1.0], &mut || true);
        assert_eq!(stopped.unwrap_err(), Error::Interrupted);
    }
}
