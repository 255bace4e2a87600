//! Bindings of the index crate: walk, scan, segments and syntax trees.

// Extracted arguments are owned.
#![allow(clippy::needless_pass_by_value)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ctxsieve_index as index;
use ctxsieve_index::syntax;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};

use crate::border::Borrowed;

const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

// A method path is not general enough over the lifetime of the interpreter.
#[allow(clippy::redundant_closure_for_method_calls)]
/// Run `work` on a thread of its own without the interpreter, and raise `cancelled` when a signal handler raises.
fn run_interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let cancelled = AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = std::sync::mpsc::channel();
            let cancelled = &cancelled;
            let worker = scope.spawn(move || {
                let result = work(cancelled);
                let _ = sender.send(());
                result
            });
            while receiver.recv_timeout(SIGNAL_INTERVAL)
                == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    cancelled.store(true, Ordering::Relaxed);
                    let _ = worker.join();
                    return Err(error);
                }
            }
            worker
                .join()
                .map_err(|panic| std::panic::resume_unwind(panic))
        })
    })
}

#[cfg(unix)]
fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    PathBuf::from(OsString::from_vec(bytes.to_vec()))
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from(String::from_utf8_lossy(bytes).into_owned()))
}

/// Paths as shown, with a NUL byte between them.
fn joined(paths: impl Iterator<Item = PathBuf>) -> Vec<u8> {
    let mut blob = Vec::new();
    for path in paths {
        if !blob.is_empty() {
            blob.push(0);
        }
        let separator = |&byte: &u8| {
            if cfg!(windows) && byte == b'\\' {
                b'/'
            } else {
                byte
            }
        };
        blob.extend(index::path_bytes(&path).iter().map(separator));
    }
    blob
}

/// `walk_tree(root, with_git_rules, threads)`: paths, sizes, mtimes, ctimes, inodes, skipped paths, reasons,
/// nested repositories; paths are joined with NUL bytes.
#[pyfunction]
fn walk_tree<'py>(
    py: Python<'py>,
    root: &[u8],
    with_git_rules: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let root = path_from_bytes(root);
    let tree = run_interruptible(py, |cancelled| {
        index::walk_tree(&root, with_git_rules, threads, cancelled)
    })?
    .map_err(|_| PyOSError::new_err("walk was cancelled"))?;
    let sizes: Vec<u64> = tree.files.iter().map(|file| file.size).collect();
    let mtimes: Vec<i64> = tree.files.iter().map(|file| file.mtime_ns).collect();
    let ctimes: Vec<i64> = tree.files.iter().map(|file| file.ctime_ns).collect();
    let inodes: Vec<u64> = tree.files.iter().map(|file| file.inode).collect();
    let reasons: Vec<u8> = tree.skipped.iter().map(|skipped| skipped.1 as u8).collect();
    let paths = joined(tree.files.into_iter().map(|file| file.path));
    let skipped = joined(tree.skipped.into_iter().map(|skipped| skipped.0));
    let repositories = joined(tree.repositories.into_iter());
    PyTuple::new(
        py,
        [
            PyBytes::new(py, &paths).into_any(),
            sizes.into_pyarray(py).into_any(),
            mtimes.into_pyarray(py).into_any(),
            ctimes.into_pyarray(py).into_any(),
            inodes.into_pyarray(py).into_any(),
            PyBytes::new(py, &skipped).into_any(),
            reasons.into_pyarray(py).into_any(),
            PyBytes::new(py, &repositories).into_any(),
        ],
    )
}

fn compile_tables(tables: &[Vec<u8>]) -> PyResult<Vec<index::Table>> {
    tables
        .iter()
        .map(|table| {
            index::Table::from_json(table).map_err(|error| PyValueError::new_err(error.to_string()))
        })
        .collect()
}

/// `scan_record(data, language, tables)`: the facts of one file as canonical bytes.
#[pyfunction]
fn scan_record<'py>(
    py: Python<'py>,
    data: &[u8],
    language: i16,
    tables: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let tables = compile_tables(&tables)?;
    let record = py.detach(|| index::scan_record(data, language, &tables));
    Ok(PyBytes::new(py, &record))
}

/// `build_segment(root, paths, languages, tables, max_bytes, threads, output)`: scan the files and write the segment.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn build_segment(
    py: Python<'_>,
    root: &[u8],
    paths: Vec<Vec<u8>>,
    languages: PyReadonlyArray1<'_, i16>,
    tables: Vec<Vec<u8>>,
    max_bytes: u64,
    threads: usize,
    output: &[u8],
) -> PyResult<()> {
    let tables = compile_tables(&tables)?;
    let languages = languages.as_slice()?;
    if languages.len() != paths.len() {
        let text = format!(
            "languages has {} entries for {} paths: they must be equal",
            languages.len(),
            paths.len()
        );
        return Err(PyValueError::new_err(text));
    }
    let paths: Vec<PathBuf> = paths.iter().map(|path| path_from_bytes(path)).collect();
    let (root, output) = (path_from_bytes(root), path_from_bytes(output));
    let request = index::Request {
        root: &root,
        paths: &paths,
        languages,
        tables: &tables,
        max_bytes,
        threads,
    };
    match run_interruptible(py, |cancelled| {
        index::build_segment(&request, &output, cancelled)
    })? {
        Ok(()) => Ok(()),
        Err(index::BuildError::Io(error)) => Err(error.into()),
        Err(index::BuildError::Cancelled) => Err(PyOSError::new_err("scan was cancelled")),
    }
}

pub(crate) fn language_of(capsule: &Bound<'_, PyCapsule>) -> PyResult<tree_sitter::Language> {
    let pointer = capsule.pointer_checked(Some(c"tree_sitter.Language"))?;
    // SAFETY: a capsule of this name holds the static table of a grammar, which lives as long as its module, and
    // modules with grammars are never unloaded.
    let language = unsafe { tree_sitter::Language::from_raw(pointer.as_ptr().cast()) };
    let version = language.abi_version();
    if (tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION..=tree_sitter::LANGUAGE_VERSION)
        .contains(&version)
    {
        Ok(language)
    } else {
        Err(PyValueError::new_err(format!(
            "grammar has ABI {version}: the parser takes 13 to 15"
        )))
    }
}

fn indptr_of(counts: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut offsets = vec![0_u64];
    for count in counts {
        offsets.push(offsets[offsets.len() - 1] + count as u64);
    }
    offsets
}

fn cancelled_error() -> PyErr {
    PyOSError::new_err("parse was cancelled")
}

/// Queries by grammar table and text: compiling one takes a tenth of a second for the larger grammars.
static QUERIES: Mutex<BTreeMap<(usize, String), Arc<tree_sitter::Query>>> =
    Mutex::new(BTreeMap::new());
const QUERY_LIMIT: usize = 512;

fn compiled_query(
    language: &tree_sitter::Language,
    grammar: usize,
    text: &str,
) -> Option<Arc<tree_sitter::Query>> {
    let key = (grammar, text.to_owned());
    let known = QUERIES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&key)
        .cloned();
    if known.is_some() {
        return known;
    }
    let query = Arc::new(tree_sitter::Query::new(language, text).ok()?);
    let mut queries = QUERIES.lock().unwrap_or_else(PoisonError::into_inner);
    if queries.len() >= QUERY_LIMIT {
        queries.clear();
    }
    queries.insert(key, Arc::clone(&query));
    Some(query)
}

/// `query_captures(sources, capsule, query, parse_limit, match_limit, threads)`: the fields of `QueryCaptures`, or None
/// when the query does not compile.
#[pyfunction]
fn query_captures<'py>(
    py: Python<'py>,
    sources: Vec<Bound<'py, PyBytes>>,
    capsule: &Bound<'py, PyCapsule>,
    query: &str,
    parse_limit: u64,
    match_limit: u32,
    threads: usize,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let language = language_of(capsule)?;
    let Some(query) = compiled_query(
        &language,
        capsule
            .pointer_checked(Some(c"tree_sitter.Language"))?
            .as_ptr() as usize,
        query,
    ) else {
        return Ok(None);
    };
    let sources: Vec<&[u8]> = sources.iter().map(PyBytesMethods::as_bytes).collect();
    let limits = syntax::Limits {
        parse: parse_limit,
        matches: match_limit,
        threads,
    };
    let found = run_interruptible(py, |cancelled| {
        syntax::query_captures(&sources, &language, &query, limits, cancelled)
    })?
    .ok_or_else(cancelled_error)?;
    let indptr = indptr_of(found.iter().map(|captures| captures.rows.len()));
    let column = |number: usize| -> Vec<u32> {
        found
            .iter()
            .flat_map(|captures| captures.rows.iter().map(move |row| row[number]))
            .collect()
    };
    let mut fields = vec![indptr.into_pyarray(py).into_any()];
    fields.extend((0..7).map(|number| column(number).into_pyarray(py).into_any()));
    let errors: Vec<u32> = found.iter().map(|captures| captures.error_nodes).collect();
    let missing: Vec<u32> = found
        .iter()
        .map(|captures| captures.missing_nodes)
        .collect();
    let status: Vec<u8> = found.iter().map(|captures| captures.status).collect();
    fields.push(errors.into_pyarray(py).into_any());
    fields.push(missing.into_pyarray(py).into_any());
    fields.push(status.into_pyarray(py).into_any());
    PyTuple::new(py, fields).map(Some)
}

/// `syntax_nodes(sources, capsule, parse_limit, threads)`: the fields of `SyntaxNodes`.
#[pyfunction]
fn syntax_nodes<'py>(
    py: Python<'py>,
    sources: Vec<Bound<'py, PyBytes>>,
    capsule: &Bound<'py, PyCapsule>,
    parse_limit: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let language = language_of(capsule)?;
    let sources: Vec<&[u8]> = sources.iter().map(PyBytesMethods::as_bytes).collect();
    let limits = syntax::Limits {
        parse: parse_limit,
        matches: u32::MAX,
        threads,
    };
    let trees = run_interruptible(py, |cancelled| {
        syntax::syntax_nodes(&sources, &language, limits, cancelled)
    })?
    .ok_or_else(cancelled_error)?;
    let nodes = || trees.iter().flat_map(|tree| &tree.nodes);
    let kinds: Vec<u16> = nodes().map(|node| node.kind).collect();
    let fields: Vec<u16> = nodes().map(|node| node.field).collect();
    let flags: Vec<u8> = nodes().map(|node| node.flags).collect();
    let status: Vec<u8> = trees.iter().map(|tree| tree.status).collect();
    let mut columns = vec![
        indptr_of(trees.iter().map(|tree| tree.nodes.len()))
            .into_pyarray(py)
            .into_any(),
        kinds.into_pyarray(py).into_any(),
        fields.into_pyarray(py).into_any(),
    ];
    columns.extend((0..5).map(|number| {
        let column: Vec<u32> = nodes().map(|node| node.numbers[number]).collect();
        column.into_pyarray(py).into_any()
    }));
    columns.push(flags.into_pyarray(py).into_any());
    columns.push(status.into_pyarray(py).into_any());
    PyTuple::new(py, columns)
}

/// `find_path_words(paths, words)`: number of the word, document and field by occurrence, and lengths by document and
/// field.
#[pyfunction]
fn find_path_words<'py>(
    py: Python<'py>,
    paths: &[u8],
    words: Vec<Bound<'py, PyBytes>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let words: Vec<&[u8]> = words.iter().map(PyBytesMethods::as_bytes).collect();
    let found = py.detach(|| index::find_path_words(paths, &words));
    PyTuple::new(
        py,
        [
            found.words.into_pyarray(py).into_any(),
            found.documents.into_pyarray(py).into_any(),
            found.fields.into_pyarray(py).into_any(),
            found.lengths.into_pyarray(py).into_any(),
        ],
    )
}

/// `sha256(data)`: the digest.
#[pyfunction]
fn sha256<'py>(py: Python<'py>, data: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &py.detach(|| index::sha256(data)))
}

/// `find_texts(offsets, blob, queries)`: positions among sorted texts, -1 for none.
#[pyfunction]
fn find_texts<'py>(
    py: Python<'py>,
    offsets: &Bound<'py, PyAny>,
    blob: &Bound<'py, PyAny>,
    queries: Vec<Bound<'py, PyBytes>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let offsets = Borrowed::<u32>::get("offsets", offsets)?;
    let blob = Borrowed::<u8>::get("blob", blob)?;
    let queries: Vec<&[u8]> = queries.iter().map(PyBytesMethods::as_bytes).collect();
    let positions = py.detach(|| index::find_texts(offsets.slice(), blob.slice(), &queries));
    Ok(positions.into_pyarray(py))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(walk_tree, module)?)?;
    module.add_function(wrap_pyfunction!(find_path_words, module)?)?;
    module.add_function(wrap_pyfunction!(find_texts, module)?)?;
    module.add_function(wrap_pyfunction!(scan_record, module)?)?;
    module.add_function(wrap_pyfunction!(sha256, module)?)?;
    module.add_function(wrap_pyfunction!(build_segment, module)?)?;
    module.add_function(wrap_pyfunction!(query_captures, module)?)?;
    module.add_function(wrap_pyfunction!(syntax_nodes, module)?)?;
    Ok(())
}
