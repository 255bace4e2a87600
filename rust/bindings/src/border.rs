//! What every binding does: borrow buffers, read numbers, and run a kernel without the interpreter.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use ctxsieve_kernels::Error;
use pyo3::buffer::{Element, PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// How often a running kernel looks for signals; Ctrl-C has to work within 200 ms.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// An element type with the buffer formats that hold it, and its name in messages.
pub(crate) trait Item: Element {
    const NAME: &'static str;
    const FORMATS: &'static [&'static str];
}

impl Item for f64 {
    const NAME: &'static str = "float64";
    const FORMATS: &'static [&'static str] = &["d"];
}

impl Item for i64 {
    const NAME: &'static str = "int64";
    const FORMATS: &'static [&'static str] = &["l", "q"];
}

impl Item for u32 {
    const NAME: &'static str = "uint32";
    const FORMATS: &'static [&'static str] = &["I", "L"];
}

impl Item for u8 {
    const NAME: &'static str = "uint8";
    const FORMATS: &'static [&'static str] = &["B"];
}

/// A buffer that stays exported by its Python owner for as long as this lives.
pub(crate) enum Borrowed<T: Item> {
    Shared(PyBuffer<T>),
    /// A copy, for the rare buffer that is not aligned.
    Copied(Vec<T>),
}

impl<T: Item> Borrowed<T> {
    /// Borrows a contiguous one-dimensional buffer.
    ///
    /// The owner may still write to it from another thread; kernels therefore never index without
    /// bounds checks into anything but their own copies.
    pub(crate) fn get(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let wanted = format!(
            "it must be a contiguous one-dimensional buffer of {}",
            T::NAME
        );
        let Ok(buffer) = PyUntypedBuffer::get(value) else {
            let kind = value.get_type().name()?;
            return Err(PyValueError::new_err(format!(
                "{name} is a {kind}: {wanted}"
            )));
        };
        let format = buffer.format().to_string_lossy().into_owned();
        if !T::FORMATS.contains(&format.as_str()) || buffer.item_size() != size_of::<T>() {
            return Err(PyValueError::new_err(format!(
                "{name} holds items of format '{format}': {wanted}"
            )));
        }
        if buffer.dimensions() != 1 {
            let dimensions = buffer.dimensions();
            return Err(PyValueError::new_err(format!(
                "{name} has {dimensions} dimensions: {wanted}"
            )));
        }
        if !buffer.is_c_contiguous() {
            return Err(PyValueError::new_err(format!(
                "{name} is not contiguous: {wanted}"
            )));
        }
        if buffer.item_count() > 0 && !buffer.buf_ptr().cast::<T>().is_aligned() {
            return Ok(Self::Copied(copy_unaligned(&buffer)));
        }
        Ok(Self::Shared(buffer.into_typed()?))
    }

    pub(crate) fn slice(&self) -> &[T] {
        match self {
            Self::Copied(items) => items,
            Self::Shared(buffer) if buffer.item_count() == 0 => &[],
            // SAFETY: checked in `get`: contiguous, aligned, of this type; exported while `self` lives.
            Self::Shared(buffer) => unsafe {
                std::slice::from_raw_parts(buffer.buf_ptr().cast::<T>(), buffer.item_count())
            },
        }
    }
}

fn copy_unaligned<T: Item>(buffer: &PyUntypedBuffer) -> Vec<T> {
    let start = buffer.buf_ptr().cast::<T>();
    // SAFETY: `get` has checked that the buffer is contiguous and holds `item_count` items of this type.
    (0..buffer.item_count())
        .map(|at| unsafe { start.add(at).read_unaligned() })
        .collect()
}

/// Reads an integer of at least `smallest` and at most `largest`.
pub(crate) fn integer(
    name: &str,
    value: &Bound<'_, PyAny>,
    smallest: i64,
    largest: i64,
) -> PyResult<i64> {
    let number = value
        .py()
        .import("operator")?
        .getattr("index")?
        .call1((value,))?;
    match number.extract::<i64>() {
        Ok(number) if (smallest..=largest).contains(&number) => Ok(number),
        _ => Err(PyValueError::new_err(format!(
            "{name} is {number}: it must be from {smallest} to {largest}"
        ))),
    }
}

/// Runs a kernel detached from the interpreter.
///
/// The kernel's `check` attaches now and then to let Python handle signals: Ctrl-C raises here. A panic,
/// which would be a defect of ours, becomes a `RuntimeError`.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is not general enough over lifetimes"
)]
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    kernel: &'static str,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut raised: Option<PyErr> = None;
    let outcome = py.detach(|| {
        let mut last_look = Instant::now();
        let mut check = || {
            if last_look.elapsed() < SIGNAL_INTERVAL {
                return false;
            }
            raised = Python::attach(|py| py.check_signals()).err();
            last_look = Instant::now();
            raised.is_some()
        };
        catch_unwind(AssertUnwindSafe(|| work(&mut check)))
    });
    match outcome {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(Error::Invalid(text))) => Err(PyValueError::new_err(text)),
        Ok(Err(Error::Interrupted)) => Err(raised
            .unwrap_or_else(|| PyRuntimeError::new_err(format!("{kernel} stopped by itself")))),
        Err(_) => Err(PyRuntimeError::new_err(format!(
            "{kernel} failed inside the native core; please report it with the input"
        ))),
    }
}
