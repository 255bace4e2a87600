//! Repeats in the files of one answer.

use ctxsieve_compress::{Costs, LoadedFile, RepeatOptions, WideCharacters};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::border::{Borrowed, run};
use crate::tokens::{return_counters, take_counters};

/// The search for repeats in one answer, file by file.
#[pyclass(module = "ctxsieve._kernels._native")]
pub(crate) struct RepeatSearch {
    search: ctxsieve_compress::RepeatSearch,
}

/// A text in which the lines of a file stand, its tokens, and first and last line of each gap.
type Content<'py> = (Bound<'py, PyString>, u64, Bound<'py, PyAny>);

/// One file, as `ctxsieve_compress::LoadedFile` explains it.
#[derive(FromPyObject)]
struct File<'py> {
    text: Bound<'py, PyString>,
    place: Bound<'py, PyString>,
    shown: Bound<'py, PyAny>,
    term_shares: Bound<'py, PyAny>,
    costs: Option<Bound<'py, PyAny>>,
    content: Option<Content<'py>>,
    comment: (Bound<'py, PyString>, Bound<'py, PyString>),
    is_verbatim: bool,
    crosses_gaps: bool,
    is_exact: bool,
    lost_names: Option<f64>,
}

/// The buffers of a file: shown lines, shares, costs, gaps.
type Buffers = (
    Borrowed<u32>,
    Borrowed<f64>,
    Option<Borrowed<f64>>,
    Option<Borrowed<u32>>,
);

fn buffers_of(file: &File<'_>) -> PyResult<Buffers> {
    let costs = file.costs.as_ref();
    let content = file.content.as_ref();
    Ok((
        Borrowed::get("shown", &file.shown)?,
        Borrowed::get("term_shares", &file.term_shares)?,
        costs
            .map(|costs| Borrowed::get("costs", costs))
            .transpose()?,
        content
            .map(|(_, _, gaps)| Borrowed::get("gaps", gaps))
            .transpose()?,
    ))
}

fn loaded<'a>(file: &'a File<'_>, buffers: &'a Buffers) -> PyResult<LoadedFile<'a>> {
    let (shown, shares, costs, gaps) = buffers;
    let costs = match (&file.content, gaps, costs) {
        (Some((content, tokens, _)), Some(gaps), None) => Costs::Text {
            content: content.to_str()?,
            tokens: *tokens,
            gaps: gaps.slice(),
        },
        (None, None, Some(costs)) => Costs::Lines(costs.slice()),
        _ => {
            return Err(PyValueError::new_err(
                "a file has both or neither of costs and content: it must have one of them",
            ));
        }
    };
    Ok(LoadedFile {
        text: file.text.to_str()?,
        place: file.place.to_str()?,
        shown: shown.slice(),
        term_shares: shares.slice(),
        costs,
        comment: (file.comment.0.to_str()?, file.comment.1.to_str()?),
        is_verbatim: file.is_verbatim,
        crosses_gaps: file.crosses_gaps,
        is_exact: file.is_exact,
        lost_names: file.lost_names,
    })
}

#[pymethods]
impl RepeatSearch {
    #[new]
    #[pyo3(signature = (files, *, relevance_weight, least_relevance, least_gain_tokens, lines_together, threads))]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "sequences are extracted, not borrowed"
    )]
    fn new(
        py: Python<'_>,
        files: Vec<File<'_>>,
        relevance_weight: f64,
        least_relevance: f64,
        least_gain_tokens: u32,
        lines_together: usize,
        threads: usize,
    ) -> PyResult<Self> {
        let options = RepeatOptions {
            relevance_weight,
            least_relevance,
            least_gain_tokens,
            lines_together,
        };
        let buffers: Vec<Buffers> = files.iter().map(buffers_of).collect::<PyResult<_>>()?;
        let files: Vec<LoadedFile<'_>> = files
            .iter()
            .zip(&buffers)
            .map(|(file, buffers)| loaded(file, buffers))
            .collect::<PyResult<_>>()?;
        let mut counters = take_counters(py, threads.clamp(1, files.len().max(1)))?;
        let search = run(py, "find_repeats", |check| {
            ctxsieve_compress::RepeatSearch::new(&files, options, &mut counters, check)
        });
        return_counters(counters);
        Ok(Self { search: search? })
    }

    /// The next file that has to be planned, None when all are.
    fn next_file(&mut self, py: Python<'_>) -> PyResult<Option<usize>> {
        run(py, "find_repeats", |check| self.search.next_file(check))
    }

    /// Plans what goes from that file.
    #[pyo3(signature = (text, nodes, comments, *, words, digits))]
    fn plan(
        &mut self,
        py: Python<'_>,
        text: &str,
        nodes: &Bound<'_, PyAny>,
        comments: &Bound<'_, PyAny>,
        words: &str,
        digits: &str,
    ) -> PyResult<()> {
        let nodes = Borrowed::<u32>::get("nodes", nodes)?;
        let comments = Borrowed::<u32>::get("comments", comments)?;
        let wide = WideCharacters { words, digits };
        let (nodes, comments) = (nodes.slice(), comments.slice());
        let mut counters = take_counters(py, 1)?;
        let planned = run(py, "find_repeats", |check| {
            self.search
                .plan(text, nodes, comments, wide, &mut counters[0], check)
        });
        return_counters(counters);
        planned
    }

    /// File, first and last hidden line, file, first and last line of the place, and 1 where the text is the same.
    fn repeats<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let fields = |repeat: &ctxsieve_compress::Repeat| {
            let (hidden, lines) = (repeat.hidden, repeat.lines);
            let is_same = u32::from(repeat.is_same);
            [
                repeat.file,
                hidden.0,
                hidden.1,
                repeat.place,
                lines.0,
                lines.1,
                is_same,
            ]
        };
        let flat: Vec<u32> = self.search.repeats().iter().flat_map(fields).collect();
        flat.into_pyarray(py)
    }
}
