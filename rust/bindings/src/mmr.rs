//! Python's view of `ctxsieve_kernels::mmr`.

use ctxsieve_kernels::{Lines, Selection};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::border::{Borrowed, integer, run};

type Arrays<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
);

#[pyfunction]
#[pyo3(signature = (text, offsets, *, relevance, lambda_, max_selected))]
pub(crate) fn mmr<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    offsets: &Bound<'py, PyAny>,
    relevance: &Bound<'py, PyAny>,
    lambda_: f64,
    max_selected: &Bound<'py, PyAny>,
) -> PyResult<Arrays<'py>> {
    let text = Borrowed::<u8>::get("text", text)?;
    let offsets = Borrowed::<i64>::get("offsets", offsets)?;
    let relevance = Borrowed::<f64>::get("relevance", relevance)?;
    let limit = integer("max_selected", max_selected, 0, i64::MAX)? as u64;
    let lines = Lines {
        text: text.slice(),
        offsets: offsets.slice(),
    };
    let relevance = relevance.slice();
    let selection = run(py, "mmr", |check| {
        ctxsieve_kernels::mmr(lines, relevance, lambda_, limit, check)
    })?;
    Ok(arrays(py, selection))
}

#[pyfunction]
#[pyo3(signature = (text, offsets, *, relevance, lambda_))]
pub(crate) fn mmr_in_order<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    offsets: &Bound<'py, PyAny>,
    relevance: &Bound<'py, PyAny>,
    lambda_: f64,
) -> PyResult<Arrays<'py>> {
    let text = Borrowed::<u8>::get("text", text)?;
    let offsets = Borrowed::<i64>::get("offsets", offsets)?;
    let relevance = Borrowed::<f64>::get("relevance", relevance)?;
    let lines = Lines {
        text: text.slice(),
        offsets: offsets.slice(),
    };
    let relevance = relevance.slice();
    let selection = run(py, "mmr_in_order", |check| {
        ctxsieve_kernels::mmr_in_order(lines, relevance, lambda_, check)
    })?;
    Ok(arrays(py, selection))
}

fn arrays(py: Python<'_>, selection: Selection) -> Arrays<'_> {
    let statuses: Vec<u8> = selection
        .statuses
        .iter()
        .map(|&status| status as u8)
        .collect();
    (
        statuses.into_pyarray(py),
        selection.nearest.into_pyarray(py),
        selection.similarities.into_pyarray(py),
    )
}
