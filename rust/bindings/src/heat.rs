//! Python's view of `ctxsieve_kernels::heat`.

use ctxsieve_kernels::{Csr, HeatGraph, Inside};
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

/// A graph that is prepared once; `diffuse` may run in many threads at once.
#[pyclass(frozen, name = "HeatGraph", module = "ctxsieve._kernels._native")]
pub(crate) struct PreparedGraph {
    graph: HeatGraph,
}

#[pymethods]
impl PreparedGraph {
    #[new]
    fn new(
        py: Python<'_>,
        indptr: &Bound<'_, PyAny>,
        indices: &Bound<'_, PyAny>,
        weights: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let indptr = Borrowed::<i64>::get("indptr", indptr)?;
        let indices = Borrowed::<u32>::get("indices", indices)?;
        let weights = Borrowed::<f64>::get("weights", weights)?;
        let (indptr, indices, weights) = (indptr.slice(), indices.slice(), weights.slice());
        let graph = run(py, "HeatGraph", |check| {
            HeatGraph::new(indptr.to_vec(), indices.to_vec(), weights.to_vec(), check)
        })?;
        Ok(Self { graph })
    }

    #[getter]
    fn nodes(&self) -> usize {
        self.graph.nodes()
    }

    #[getter]
    fn entries(&self) -> usize {
        self.graph.entries()
    }

    #[pyo3(signature = (*, seeds, decay_factors, communities = None, inside_factor = 1.0))]
    fn diffuse<'py>(
        &self,
        py: Python<'py>,
        seeds: &Bound<'py, PyAny>,
        decay_factors: &Bound<'py, PyAny>,
        communities: Option<&Bound<'py, PyAny>>,
        inside_factor: f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let seeds = Borrowed::<f64>::get("seeds", seeds)?;
        let decay_factors = Borrowed::<f64>::get("decay_factors", decay_factors)?;
        let communities = communities
            .map(|labels| Borrowed::<i64>::get("communities", labels))
            .transpose()?;
        let (seeds, decay_factors) = (seeds.slice(), decay_factors.slice());
        let inside = communities.as_ref().map(|labels| Inside {
            communities: labels.slice(),
            factor: inside_factor,
        });
        let total = run(py, "HeatGraph.diffuse", |check| {
            self.graph.diffuse(seeds, decay_factors, inside, check)
        })?;
        Ok(total.into_pyarray(py))
    }
}
