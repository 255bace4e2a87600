//! Python's view of `ctxsieve_kernels::louvain`.

use ctxsieve_kernels::Csr;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::border::{Borrowed, run};

#[pyfunction]
#[pyo3(signature = (indptr, indices, weights, *, resolution))]
pub(crate) fn louvain<'py>(
    py: Python<'py>,
    indptr: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    resolution: f64,
) -> PyResult<(Bound<'py, PyArray1<u32>>, f64, u32)> {
    let indptr = Borrowed::<i64>::get("indptr", indptr)?;
    let indices = Borrowed::<u32>::get("indices", indices)?;
    let weights = Borrowed::<f64>::get("weights", weights)?;
    let (indptr, indices, weights) = (indptr.slice(), indices.slice(), weights.slice());
    let found = run(py, "louvain", |check| {
        let graph = Csr::new(indptr, indices, weights, check)?;
        ctxsieve_kernels::louvain(&graph, resolution, check)
    })?;
    Ok((
        found.labels.into_pyarray(py),
        found.modularity,
        found.levels,
    ))
}
