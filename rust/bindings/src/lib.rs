//! The border: borrow, validate shapes, detach, call, map the error. No policy and no defaults.

mod index;
mod tokens;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    index::register(module)?;
    tokens::register(module)?;
    Ok(())
}
