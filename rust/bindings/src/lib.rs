//! The border: borrow, validate shapes, detach, call, map the error. No policy and no defaults.

use pyo3::prelude::*;

mod border;
mod chunks;
mod compress;
mod edges;
mod heat;
mod index;
mod louvain;
mod mmr;
mod pagerank;
mod removal_queue;
mod repeats;
mod rrf;
mod surprise;
mod tokens;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    index::register(module)?;
    tokens::register(module)?;
    compress::register(module)?;
    module.add_class::<chunks::ScoredChunks>()?;
    module.add_class::<heat::PreparedGraph>()?;
    module.add_class::<repeats::RepeatSearch>()?;
    module.add_function(wrap_pyfunction!(chunks::chunk_file, module)?)?;
    module.add_function(wrap_pyfunction!(chunks::score_lines, module)?)?;
    module.add_function(wrap_pyfunction!(edges::build_csr, module)?)?;
    module.add_function(wrap_pyfunction!(heat::heat, module)?)?;
    module.add_function(wrap_pyfunction!(louvain::louvain, module)?)?;
    module.add_function(wrap_pyfunction!(mmr::mmr, module)?)?;
    module.add_function(wrap_pyfunction!(mmr::mmr_in_order, module)?)?;
    module.add_function(wrap_pyfunction!(pagerank::pagerank, module)?)?;
    module.add_function(wrap_pyfunction!(rrf::rrf, module)?)?;
    module.add_function(wrap_pyfunction!(surprise::surprise, module)?)?;
    module.add_function(wrap_pyfunction!(surprise::surprise_lines, module)?)?;
    Ok(())
}
