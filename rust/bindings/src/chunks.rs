//! Files in chunks: which lines are about a task, and which are shown for a number of tokens.

use ctxsieve_compress::{
    ChunkLimits, ChunkOptions, ChunkedFile, Definition, DefinitionLines, DefinitionRole, FileLines,
    Hits, LineWeights,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::border::{Borrowed, integer, run};
use crate::tokens::{return_counters, take_counters};

/// Files are far shorter; what is longer would ask for more memory than there is.
const MOST_LINES: i64 = u32::MAX as i64;

/// Scores lines by the terms near them and by their definitions.
#[pyfunction]
#[pyo3(signature = (count, *, lines, terms, shares, weights, spans, named, options))]
#[expect(clippy::too_many_arguments, reason = "plain values cross the border")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "sequences are extracted, not borrowed"
)]
pub(crate) fn score_lines<'py>(
    py: Python<'py>,
    count: &Bound<'py, PyAny>,
    lines: &Bound<'py, PyAny>,
    terms: &Bound<'py, PyAny>,
    shares: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    spans: (Vec<i64>, Vec<i64>, Vec<i64>),
    named: Vec<f64>,
    options: [f64; 6],
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let count = integer("count", count, 0, MOST_LINES)? as usize;
    let lines = Borrowed::<i64>::get("lines", lines)?;
    let terms = Borrowed::<i64>::get("terms", terms)?;
    let shares = Borrowed::<f64>::get("shares", shares)?;
    let weights = Borrowed::<f64>::get("weights", weights)?;
    let hits = Hits {
        lines: lines.slice(),
        terms: terms.slice(),
        shares: shares.slice(),
    };
    let definitions = DefinitionLines {
        first: &spans.0,
        last: &spans.1,
        parents: &spans.2,
        named: &named,
    };
    let [
        decay,
        definition,
        usual_length,
        length_power,
        name,
        inherited,
    ] = options;
    let options = LineWeights {
        decay,
        definition,
        usual_length,
        length_power,
        name,
        inherited,
    };
    let weights = weights.slice();
    let scores = run(py, "score_lines", |_| {
        Ok(ctxsieve_compress::score_lines(
            count,
            hits,
            weights,
            definitions,
            options,
        ))
    })?;
    scores.map(|scores| scores.into_pyarray(py)).ok_or_else(|| {
        PyValueError::new_err("hits, weights and definitions do not belong together")
    })
}

/// One file in chunks, scored; `choose` may run in many threads at once.
#[pyclass(frozen, module = "ctxsieve._kernels._native")]
pub(crate) struct ScoredChunks {
    file: ChunkedFile,
}

type Integers<'py> = Bound<'py, PyArray1<i64>>;
type ChunkColumns<'py> = (
    Bound<'py, PyArray1<u8>>,
    Integers<'py>,
    Integers<'py>,
    Integers<'py>,
    Bound<'py, PyArray1<f64>>,
);

type ChosenLines<'py> = (Bound<'py, PyString>, Vec<(usize, usize)>, u64);

/// Cuts a file in chunks; None where the arguments do not belong together.
#[pyfunction]
#[pyo3(signature = (text, spelling, *, line_tokens, tokens, scores, roles, spans, signatures, import_lines, limits, is_ordered, match_share, comment, layout = None))]
#[expect(clippy::too_many_arguments, reason = "plain values cross the border")]
#[expect(
    clippy::needless_pass_by_value,
    reason = "sequences are extracted, not borrowed"
)]
pub(crate) fn chunk_file(
    py: Python<'_>,
    text: &str,
    spelling: Option<&str>,
    line_tokens: Vec<u32>,
    tokens: u64,
    scores: &Bound<'_, PyAny>,
    roles: &[u8],
    spans: (Vec<i64>, Vec<i64>, Vec<i64>),
    signatures: (Vec<i64>, Vec<i64>),
    import_lines: Vec<usize>,
    limits: (usize, usize, usize),
    is_ordered: bool,
    match_share: f64,
    comment: (String, String),
    layout: Option<&[u8]>,
) -> PyResult<Option<ScoredChunks>> {
    let scores = Borrowed::<f64>::get("scores", scores)?;
    let scores = scores.slice();
    let Some(definitions) = definitions_of(roles, &spans, &signatures) else {
        return Ok(None);
    };
    let lines = FileLines {
        text,
        spelling,
        line_tokens: &line_tokens,
        tokens,
        layout: layout.unwrap_or_default(),
    };
    let options = ChunkOptions {
        limits: ChunkLimits {
            maximum_lines: limits.0,
            part_lines: limits.1,
            own_value_lines: limits.2,
        },
        is_ordered,
        match_share,
        comment,
    };
    run(py, "chunk_file", |_| {
        Ok(ChunkedFile::new(
            lines,
            scores,
            definitions,
            &import_lines,
            options,
        ))
    })
    .map(|file| file.map(|file| ScoredChunks { file }))
}

fn definitions_of(
    roles: &[u8],
    (first, last, parents): &(Vec<i64>, Vec<i64>, Vec<i64>),
    (heads, ends): &(Vec<i64>, Vec<i64>),
) -> Option<Vec<Definition>> {
    if [first, last, parents, heads, ends].map(Vec::len) != [roles.len(); 5] {
        return None;
    }
    let place = |number: i64| usize::try_from(number).ok();
    (0..roles.len())
        .map(|at| {
            Some(Definition {
                role: match roles[at] {
                    0 => DefinitionRole::Type,
                    1 => DefinitionRole::Function,
                    _ => DefinitionRole::Value,
                },
                first: place(first[at])?,
                last: place(last[at])?,
                parent: place(parents[at]),
                signature: (place(heads[at])?, place(ends[at])?),
            })
        })
        .collect()
}

#[pymethods]
impl ScoredChunks {
    /// By chunk its kind, first and last line, definition (-1 for none) and score.
    fn columns<'py>(&self, py: Python<'py>) -> ChunkColumns<'py> {
        let chunks = self.file.chunks();
        let column = |of: fn(&ctxsieve_compress::Chunk) -> i64| {
            chunks.iter().map(of).collect::<Vec<i64>>().into_pyarray(py)
        };
        (
            chunks
                .iter()
                .map(|chunk| chunk.kind as u8)
                .collect::<Vec<u8>>()
                .into_pyarray(py),
            column(|chunk| chunk.first as i64),
            column(|chunk| chunk.last as i64),
            column(|chunk| chunk.owner.map_or(-1, |owner| owner as i64)),
            self.file.scores().to_vec().into_pyarray(py),
        )
    }

    /// The text within the budget, the first and last lines of what it shows, and its tokens.
    fn choose<'py>(
        &self,
        py: Python<'py>,
        budget_tokens: i64,
        structure_first: bool,
    ) -> PyResult<ChosenLines<'py>> {
        let mut counters = take_counters(py, 1)?;
        let done = run(py, "choose_lines", |check| {
            self.file
                .choose(budget_tokens, structure_first, &mut counters[0], check)
        });
        return_counters(counters);
        let lines = done?;
        Ok((PyString::new(py, &lines.content), lines.shown, lines.tokens))
    }
}
