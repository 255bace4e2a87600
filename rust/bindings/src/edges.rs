//! Python's view of `ctxsieve_kernels::build_csr`.

use ctxsieve_kernels::Edges;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::border::{Borrowed, integer, run};

type CsrArrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
);

#[pyfunction]
#[pyo3(signature = (nodes, sources, targets, weights, *, both_ways, loop_weight))]
pub(crate) fn build_csr<'py>(
    py: Python<'py>,
    nodes: &Bound<'py, PyAny>,
    sources: &Bound<'py, PyAny>,
    targets: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    both_ways: bool,
    loop_weight: f64,
) -> PyResult<CsrArrays<'py>> {
    let nodes = integer("nodes", nodes, 0, ctxsieve_kernels::MOST_NODES as i64)? as usize;
    let sources = Borrowed::<i64>::get("sources", sources)?;
    let targets = Borrowed::<i64>::get("targets", targets)?;
    let weights = Borrowed::<f64>::get("weights", weights)?;
    let edges = Edges {
        nodes,
        sources: sources.slice(),
        targets: targets.slice(),
        weights: weights.slice(),
    };
    let rows = run(py, "build_csr", |check| {
        ctxsieve_kernels::build_csr(edges, both_ways, loop_weight, check)
    })?;
    Ok((
        rows.indptr.into_pyarray(py),
        rows.indices.into_pyarray(py),
        rows.weights.into_pyarray(py),
    ))
}
