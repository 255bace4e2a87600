//! Files of code without some of their nodes.

use std::sync::Arc;

use ctxsieve_compress::{
    Choice, Found, HiddenLines, Limits, Outcome, Removed, Request, Rules, ShownFile, Tools,
    WideCharacters, flat_lines,
};
use ctxsieve_kernels::Error;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};
use tree_sitter::Tree;

use crate::border::{Borrowed, run};
use crate::index::language_of;
use crate::removal_queue::RemovalQueue;
use crate::tokens::{return_counters, take_counters};

/// `NodeRemover(capsule, table)`: one language; `remove` may run in many threads at once.
#[pyclass(frozen, module = "ctxsieve._kernels._native")]
pub(crate) struct NodeRemover {
    pub(crate) rules: Arc<Rules>,
}

type Numbers<'py> = Bound<'py, PyArray1<u32>>;
type FoundNodes<'py> = (
    Numbers<'py>,
    Numbers<'py>,
    Numbers<'py>,
    u32,
    bool,
    Option<SyntaxTree>,
);
pub(crate) type RemovedNodes<'py> = (
    u8,
    Option<Bound<'py, PyString>>,
    u64,
    Numbers<'py>,
    FoundNodes<'py>,
    Option<u64>,
);

/// The tree of a file, for the native core alone.
#[pyclass(frozen, module = "ctxsieve._kernels._native")]
pub(crate) struct SyntaxTree {
    tree: Tree,
}

fn fields_of(py: Python<'_>, found: Found) -> FoundNodes<'_> {
    (
        found.skeleton.flat_nodes().into_pyarray(py),
        found.skeleton.flat_blocks().into_pyarray(py),
        found.skeleton.flat_whole_nodes().into_pyarray(py),
        found.error_nodes,
        found.is_complete,
        found.tree.map(|tree| SyntaxTree { tree }),
    )
}

/// The fields of `RemovedNodes`.
pub(crate) fn fields_of_removed<'py>(
    py: Python<'py>,
    removed: &Removed,
    found: Found,
) -> RemovedNodes<'py> {
    let is_shown = matches!(removed.outcome, Outcome::Removed | Outcome::RemovedLess);
    (
        removed.outcome as u8,
        is_shown.then(|| PyString::new(py, &removed.content)),
        removed.tokens,
        flat_lines(&removed.gaps).into_pyarray(py),
        fields_of(py, found),
        removed.source_tokens,
    )
}

/// What is asked of one file: `(choice, kept, is_aligned, keeps_tree, gap_tokens, parse_limit, match_limit, words, digits)`.
#[derive(FromPyObject)]
pub(crate) struct Asked(Vec<f64>, Vec<u8>, bool, bool, f64, u64, u32, String, String);

impl Asked {
    pub(crate) fn remove(
        &self,
        source: &str,
        rules: &Rules,
        tools: &mut Tools,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(Removed, Found), Error> {
        let Self(choice, kept, is_aligned, keeps_tree, gap_tokens, parse, matches, words, digits) =
            self;
        let choice = match choice[..] {
            [share, surprise, lost_names] => Choice::Aggressive {
                share,
                surprise,
                lost_names,
            },
            [share] => Choice::Entropy { share },
            [] => Choice::Task { kept },
            _ => {
                let count = choice.len();
                let message = format!("choice has {count} numbers: it must have 0, 1 or 3");
                return Err(Error::Invalid(message));
            }
        };
        let request = Request {
            source,
            choice,
            is_aligned: *is_aligned,
            keeps_tree: *keeps_tree,
            limits: Limits {
                parse: *parse,
                matches: *matches,
                gap_tokens: *gap_tokens,
            },
            wide: WideCharacters { words, digits },
        };
        ctxsieve_compress::remove_nodes(request, rules, tools, check)
    }
}

/// Runs `work` without the interpreter, with a parser and a counter of its own.
fn run_tools<T: Send>(
    py: Python<'_>,
    name: &'static str,
    work: impl FnOnce(&mut Tools, &mut dyn FnMut() -> bool) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let counters = take_counters(py, 1)?;
    let mut tools: Vec<Tools> = counters.into_iter().map(Tools::new).collect();
    let done = run(py, name, |check| work(&mut tools[0], check));
    return_counters(tools.into_iter().map(Tools::into_counter).collect());
    done
}

#[pymethods]
impl NodeRemover {
    #[new]
    fn new(capsule: &Bound<'_, PyCapsule>, table: &str) -> PyResult<Self> {
        let language = language_of(capsule)?;
        let rules = Rules::new(language, table)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self {
            rules: Arc::new(rules),
        })
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
        Ok(fields_of(py, found))
    }

    /// The fields of `RemovedNodes`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is extracted, not borrowed"
    )]
    fn remove<'py>(
        &self,
        py: Python<'py>,
        source: &str,
        asked: Asked,
    ) -> PyResult<RemovedNodes<'py>> {
        let (removed, found) = run_tools(py, "remove_nodes", |tools, check| {
            asked.remove(source, &self.rules, tools, check)
        })?;
        Ok(fields_of_removed(py, &removed, found))
    }

    /// A text of a file without some lines, its tokens and gaps; None where it would cost no less.
    ///
    /// `hidden` has first and last line of what goes, `notes` what the marks say of them.
    #[pyo3(signature = (source, content, *, tokens, shown, gaps, hidden, notes, nodes, blocks, error_nodes, tree, parse_limit, tried_texts))]
    #[expect(
        clippy::too_many_arguments,
        clippy::needless_pass_by_value,
        reason = "plain values cross the border, sequences are extracted"
    )]
    fn leave_out<'py>(
        &self,
        py: Python<'py>,
        source: &str,
        content: &str,
        tokens: u64,
        shown: &Bound<'py, PyAny>,
        gaps: &Bound<'py, PyAny>,
        hidden: &Bound<'py, PyAny>,
        notes: Vec<String>,
        nodes: &Bound<'py, PyAny>,
        blocks: &Bound<'py, PyAny>,
        error_nodes: u32,
        tree: Option<&Bound<'py, SyntaxTree>>,
        parse_limit: u64,
        tried_texts: usize,
    ) -> PyResult<Option<LeftText<'py>>> {
        let shown = Borrowed::<u32>::get("shown", shown)?;
        let gaps = Borrowed::<u32>::get("gaps", gaps)?;
        let hidden = Borrowed::<u32>::get("hidden", hidden)?;
        let nodes = Borrowed::<u32>::get("nodes", nodes)?;
        let blocks = Borrowed::<u32>::get("blocks", blocks)?;
        let file = ShownFile {
            source,
            content,
            shown: shown.slice(),
            gaps: gaps.slice(),
            tokens,
            nodes: nodes.slice(),
            blocks: blocks.slice(),
            error_nodes,
            tree: tree.map(|tree| &tree.get().tree),
        };
        let spans = hidden.slice().chunks_exact(2);
        let hidden: Vec<HiddenLines<'_>> = spans
            .zip(&notes)
            .map(|(span, note)| HiddenLines {
                lines: (span[0], span[1]),
                note,
            })
            .collect();
        let limits = (parse_limit, tried_texts);
        let done = run_tools(py, "leave_out", |tools, check| {
            ctxsieve_compress::leave_out(&file, &hidden, &self.rules, limits, tools, check)
        })?;
        Ok(done.map(|left| {
            let content = PyString::new(py, &left.content);
            (
                content,
                left.tokens,
                flat_lines(&left.gaps).into_pyarray(py),
            )
        }))
    }
}

/// A text, its tokens, and first and last line of each gap.
type LeftText<'py> = (Bound<'py, PyString>, u64, Numbers<'py>);

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NodeRemover>()?;
    module.add_class::<SyntaxTree>()?;
    module.add_class::<RemovalQueue>()
}
