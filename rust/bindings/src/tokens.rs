//! `o200k_base` tokens.

use std::sync::{Mutex, PoisonError};

use ctxsieve_kernels::Error;
use ctxsieve_tokens::{
    Counter, Interrupted, TOKEN_COUNT, Vocabulary, VocabularyError, token_costs,
};
use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::border::run;

/// Counters with their remembered pre-tokens, one for every thread that counts at the same time.
static COUNTERS: Mutex<Vec<Counter>> = Mutex::new(Vec::new());

#[expect(
    clippy::needless_pass_by_value,
    reason = "the shape that map_err wants"
)]
fn damaged(error: VocabularyError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns counters that are not in use; the first call unpacks the vocabulary, without the interpreter.
pub(crate) fn take_counters(py: Python<'_>, number: usize) -> PyResult<Vec<Counter>> {
    let (vocabulary, costs) = py
        .detach(|| Ok((Vocabulary::get()?, token_costs()?)))
        .map_err(damaged)?;
    let mut waiting = COUNTERS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut counters: Vec<Counter> = (0..number).map_while(|_| waiting.pop()).collect();
    counters.resize_with(number, || Counter::new(vocabulary, costs.clone()));
    Ok(counters)
}

pub(crate) fn return_counters(counters: Vec<Counter>) {
    COUNTERS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .extend(counters);
}

pub(crate) fn check_result<T>(result: Result<T, Interrupted>) -> Result<T, Error> {
    result.map_err(|Interrupted| Error::Interrupted)
}

type Check<'a> = &'a mut dyn FnMut() -> Result<(), Interrupted>;

/// Runs `work` without the interpreter, with a counter of its own.
fn run_counter<T: Send>(
    py: Python<'_>,
    name: &'static str,
    work: impl FnOnce(&mut Counter, Check<'_>) -> Result<T, Interrupted> + Send,
) -> PyResult<T> {
    let mut counters = take_counters(py, 1)?;
    let done = run(py, name, |check| {
        let mut check = || if check() { Err(Interrupted) } else { Ok(()) };
        check_result(work(&mut counters[0], &mut check))
    });
    return_counters(counters);
    done
}

#[pyfunction]
fn count_tokens(py: Python<'_>, data: &[u8]) -> PyResult<u64> {
    run_counter(py, "count_tokens", |counter, check| {
        Ok(counter.count_lossy(data, check)?.tokens)
    })
}

#[pyfunction]
fn count_lines<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let counts = run_counter(py, "count_lines", |counter, check| {
        let mut counts = Vec::new();
        counter.total_lines(data, check, |total| counts.push(total.tokens as u32))?;
        Ok(counts)
    })?;
    Ok(counts.to_pyarray(py))
}

#[pyfunction]
fn encode_tokens<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let ids = run_counter(py, "encode_tokens", |counter, check| {
        counter.encode_lossy(data, check)
    })?;
    Ok(ids.to_pyarray(py))
}

#[pyfunction]
fn decode_tokens(py: Python<'_>, ids: Vec<i64>) -> PyResult<Bound<'_, PyBytes>> {
    let vocabulary = Vocabulary::get().map_err(damaged)?;
    let mut bytes = Vec::with_capacity(4 * ids.len());
    for (position, id) in ids.into_iter().enumerate() {
        if !(0..TOKEN_COUNT as i64).contains(&id) {
            let message = format!(
                "token {position} is {id}: ids go from 0 to {}",
                TOKEN_COUNT - 1
            );
            return Err(PyValueError::new_err(message));
        }
        bytes.extend_from_slice(vocabulary.token(id as u32));
    }
    Ok(PyBytes::new(py, &bytes))
}

/// Forgets all pre-tokens: memory is given back, and the next count starts cold.
#[pyfunction]
fn forget_pretokens() {
    COUNTERS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clear();
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(count_tokens, module)?)?;
    module.add_function(wrap_pyfunction!(count_lines, module)?)?;
    module.add_function(wrap_pyfunction!(encode_tokens, module)?)?;
    module.add_function(wrap_pyfunction!(forget_pretokens, module)?)?;
    module.add_function(wrap_pyfunction!(decode_tokens, module)?)
}
