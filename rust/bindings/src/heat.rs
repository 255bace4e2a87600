//! Python's view of `ctxsieve_kernels::heat`.

use ctxsieve_kernels::Csr;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::border::{Borrowed, run};

#[pyfunction]
#[pyo3(signature = (indptr, indices, weights, *, seeds, decay_factors))]
pub(crate) fn heat<'py>(
    py: Python<'py>,
    indptr: &Bound<'py, PyAny>,
    indices: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    seeds: &Bound<'py, PyAny>,
    decay_factors: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let indptr = Borrowed::<i64>::get("indptr", indptr)?;
    let indices = Borrowed::<u32>::get("indices", indices)?;
    let weights = Borrowed::<f64>::get("weights", weights)?;
    let seeds = Borrowed::<f64>::get("seeds", seeds)?;
    let decay_factors = Borrowed::<f64>::get("decay_factors", decay_factors)?;
    let (indptr, indices, weights) = (indptr.slice(), indices.slice(), weights.slice());
    let (seeds, decay_factors) = (seeds.slice(), decay_factors.slice());
    let total = run(py, "heat", |check| {
        let graph = Csr::new(indptr, indices, weights, check)?;
        ctxsieve_kernels::heat(&graph, seeds, decay_factors, check)
    })?;
    Ok(total.into_pyarray(py))
}
