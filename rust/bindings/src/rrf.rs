//! Python's view of `ctxsieve_kernels::rrf`.

use ctxsieve_kernels::Signal;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::border::{Borrowed, run};

#[pyfunction]
#[pyo3(signature = (signals, *, largest_first, k))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "sequences are extracted, not borrowed"
)]
pub(crate) fn rrf<'py>(
    py: Python<'py>,
    signals: Vec<Bound<'py, PyAny>>,
    largest_first: Vec<bool>,
    k: f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    if signals.len() != largest_first.len() {
        return Err(PyValueError::new_err(format!(
            "there are {} directions for {} signals: they must be equal in number",
            largest_first.len(),
            signals.len()
        )));
    }
    let borrowed = signals
        .iter()
        .enumerate()
        .map(|(number, values)| Borrowed::<f64>::get(&format!("signals[{number}]"), values))
        .collect::<PyResult<Vec<_>>>()?;
    let signals: Vec<Signal<'_>> = borrowed
        .iter()
        .zip(&largest_first)
        .map(|(values, &largest_first)| Signal {
            values: values.slice(),
            largest_first,
        })
        .collect();
    let scores = run(py, "rrf", |check| ctxsieve_kernels::rrf(&signals, k, check))?;
    Ok(scores.into_pyarray(py))
}
