//! Files of code without some of their nodes.

use ctxsieve_compress::{Choice, Found, Limits, Outcome, Rules, WideCharacters};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};

use crate::border::run;
use crate::index::language_of;
use crate::tokens::{return_counters, take_counters};

/// `NodeRemover(capsule, table)`: one language, its queries compiled; `remove` may run in many threads at once.
#[pyclass(frozen, module = "ctxsieve._kernels._native")]
pub(crate) struct NodeRemover {
    rules: Rules,
}

type Numbers<'py> = Bound<'py, PyArray1<u32>>;
type FoundNodes<'py> = (Numbers<'py>, Numbers<'py>, Numbers<'py>, u32, bool);
type RemovedNodes<'py> = (
    u8,
    Option<Bound<'py, PyString>>,
    u64,
    Numbers<'py>,
    FoundNodes<'py>,
    Option<u64>,
);

fn fields_of<'py>(py: Python<'py>, found: &Found) -> FoundNodes<'py> {
    (
        found.skeleton.flat_nodes().into_pyarray(py),
        found.skeleton.flat_blocks().into_pyarray(py),
        found.skeleton.flat_whole_nodes().into_pyarray(py),
        found.error_nodes,
        found.is_complete,
    )
}

#[pymethods]
impl NodeRemover {
    #[new]
    fn new(capsule: &Bound<'_, PyCapsule>, table: &str) -> PyResult<Self> {
        let language = language_of(capsule)?;
        let rules = Rules::new(language, table)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { rules })
    }

    /// The fields of `FoundNodes`.
    #[pyo3(signature = (source, *, parse_limit, match_limit))]
    fn find<'py>(
        &self,
        py: Python<'py>,
        source: &str,
        parse_limit: u64,
        match_limit: u32,
    ) -> PyResult<FoundNodes<'py>> {
        let limits = Limits {
            parse: parse_limit,
            matches: match_limit,
            gap_tokens: 0.0,
        };
        let found = run(py, "find_nodes", |check| {
            ctxsieve_compress::find_nodes(source, &self.rules, limits, check)
        })?;
        Ok(fields_of(py, &found))
    }

    /// The fields of `RemovedNodes`.
    #[pyo3(signature = (source, choice, *, kept, is_aligned, gap_tokens, parse_limit, match_limit, words, digits))]
    #[expect(clippy::too_many_arguments, reason = "plain values cross the border")]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "sequences are extracted, not borrowed"
    )]
    fn remove<'py>(
        &self,
        py: Python<'py>,
        source: &str,
        choice: Vec<f64>,
        kept: &[u8],
        is_aligned: bool,
        gap_tokens: f64,
        parse_limit: u64,
        match_limit: u32,
        words: &str,
        digits: &str,
    ) -> PyResult<RemovedNodes<'py>> {
        let choice = match choice[..] {
            [share, surprise, lost_names] => Choice::Aggressive {
                share,
                surprise,
                lost_names,
            },
            [share] => Choice::Entropy { share },
            [] => Choice::Task { kept },
            _ => {
                let message = format!(
                    "choice has {} numbers: it must have 0, 1 or 3",
                    choice.len()
                );
                return Err(PyValueError::new_err(message));
            }
        };
        let limits = Limits {
            parse: parse_limit,
            matches: match_limit,
            gap_tokens,
        };
        let wide = WideCharacters { words, digits };
        let mut counters = take_counters(py, 1)?;
        let done = run(py, "remove_nodes", |check| {
            ctxsieve_compress::remove_nodes(
                source,
                &self.rules,
                choice,
                is_aligned,
                limits,
                wide,
                &mut counters[0],
                check,
            )
        });
        return_counters(counters);
        let (removed, found) = done?;
        let is_shown = matches!(removed.outcome, Outcome::Removed | Outcome::RemovedLess);
        let gaps: Vec<u32> = removed
            .gaps
            .iter()
            .flat_map(|&(first, last)| [first, last])
            .collect();
        Ok((
            removed.outcome as u8,
            is_shown.then(|| PyString::new(py, &removed.content)),
            removed.tokens,
            gaps.into_pyarray(py),
            fields_of(py, &found),
            removed.source_tokens,
        ))
    }
}
