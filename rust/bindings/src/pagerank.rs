//! Python's view of `ctxsieve_kernels::pagerank`.

use ctxsieve_kernels::Csr;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::border::{Borrowed, integer, run};

#[pyfunction]
#[pyo3(signature = (indptr, indices, weights, *, personalisation, damping, tolerance, max_iterations))]
#[expect(
    clippy::too_many_arguments,
    reason = "the signature is Python's, all but three by keyword"
)]
pub(crate) fn pagerank<'py>(
    py: Python<'py>,
    indptr: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    personalisation: Option<&Bound<'py, PyAny>>,
    damping: f64,
    tolerance: f64,
    max_iterations: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyArray1<f64>>, u32, f64)> {
    let indptr = Borrowed::<i64>::get("indptr", indptr)?;
    let indices = Borrowed::<u32>::get("indices", indices)?;
    let weights = Borrowed::<f64>::get("weights", weights)?;
    let personalisation = personalisation
        .map(|values| Borrowed::<f64>::get("personalisation", values))
        .transpose()?;
    let limit = integer("max_iterations", max_iterations, 1, i64::from(i32::MAX))? as u32;
    let (indptr, indices, weights) = (indptr.slice(), indices.slice(), weights.slice());
    let jumps = personalisation.as_ref().map(Borrowed::slice);
    let ranks = run(py, "pagerank", |check| {
        let graph = Csr::new(indptr, indices, weights, check)?;
        ctxsieve_kernels::pagerank(&graph, jumps, damping, tolerance, limit, check)
    })?;
    Ok((
        ranks.scores.into_pyarray(py),
        ranks.iterations,
        ranks.residual,
    ))
}
