//! `o200k_base` tokens.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ctxsieve_tokens::{Counter, Interrupted, TOKEN_COUNT, Vocabulary};
use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// How often a long call looks for signals; Ctrl-C is answered within 200 ms.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Counters with their remembered pre-tokens, one for every call that runs at the same time.
static COUNTERS: Mutex<Vec<Counter>> = Mutex::new(Vec::new());

fn vocabulary() -> PyResult<&'static Vocabulary> {
    Vocabulary::get().map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Runs `work` without the interpreter, with a counter of its own; raises what a signal handler raised.
#[allow(clippy::redundant_closure_for_method_calls)] // the method alone has one lifetime
fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(
        &mut Counter,
        &mut dyn FnMut() -> Result<(), Interrupted>,
    ) -> Result<T, Interrupted>
    + Send,
) -> PyResult<T> {
    let vocabulary = vocabulary()?;
    let mut raised = None;
    let done = py.detach(|| {
        let waiting = COUNTERS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let mut counter = waiting.unwrap_or_else(|| Counter::new(vocabulary, Arc::from([])));
        let mut last = Instant::now();
        let mut check = || {
            if last.elapsed() < SIGNAL_INTERVAL {
                return Ok(());
            }
            last = Instant::now();
            raised = Python::attach(|py| py.check_signals()).err();
            if raised.is_some() {
                Err(Interrupted)
            } else {
                Ok(())
            }
        };
        let done = work(&mut counter, &mut check);
        COUNTERS
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(counter);
        done
    });
    match raised {
        Some(error) => Err(error),
        None => done.map_err(|Interrupted| PyValueError::new_err("interrupted")),
    }
}

#[pyfunction]
fn count_tokens(py: Python<'_>, data: &[u8]) -> PyResult<u64> {
    run(py, |counter, check| {
        Ok(counter.count(&String::from_utf8_lossy(data), check)?.tokens)
    })
}

#[pyfunction]
fn count_lines<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let counts = run(py, |counter, check| {
        let mut counts = Vec::new();
        counter.total_lines(data, check, |total| counts.push(total.tokens as u32))?;
        Ok(counts)
    })?;
    Ok(counts.to_pyarray(py))
}

#[pyfunction]
fn encode_tokens<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let ids = run(py, |counter, check| {
        counter.encode(&String::from_utf8_lossy(data), check)
    })?;
    Ok(ids.to_pyarray(py))
}

#[pyfunction]
fn decode_tokens(py: Python<'_>, ids: Vec<i64>) -> PyResult<Bound<'_, PyBytes>> {
    let vocabulary = vocabulary()?;
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

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(count_tokens, module)?)?;
    module.add_function(wrap_pyfunction!(count_lines, module)?)?;
    module.add_function(wrap_pyfunction!(encode_tokens, module)?)?;
    module.add_function(wrap_pyfunction!(decode_tokens, module)?)
}
