//! A segment: the facts of a set of files and their inverted index, as flat little-endian arrays in one file.
//!
//! Header: magic, version, number of sections, number of documents, file length, then (offset, length) of every
//! section. Sections start at multiples of 64 bytes, in the order of `Section`.

mod output;

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hashbrown::HashTable;

use crate::facts::{FileFacts, HUGE, NO_LANGUAGE, UNREADABLE, collect_facts, saturate};
use crate::scan::Findings;
use crate::table::Table;
use crate::words::{FIELDS, for_each_term, hash_bytes};

const CHUNK_FILES: usize = 64;

/// Why a segment was not built.
#[derive(Debug)]
pub enum BuildError {
    /// The caller asked to stop.
    Cancelled,
    /// The segment could not be written.
    Io(io::Error),
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What to scan.
#[derive(Debug)]
pub struct Request<'a> {
    /// The folder that all paths are relative to.
    pub root: &'a Path,
    /// Relative paths; the position is the document number.
    pub paths: &'a [PathBuf],
    /// Index into `tables`, `NO_LANGUAGE` or `LANGUAGE_BY_INTERPRETER`, by document.
    pub languages: &'a [i16],
    /// The compiled scan tables.
    pub tables: &'a [Table],
    /// Larger files are not read.
    pub max_bytes: u64,
    /// At least 1.
    pub threads: usize,
}

/// Distinct byte strings, numbered in order of arrival.
#[derive(Debug, Default)]
struct Dictionary {
    table: HashTable<u32>,
    arena: Vec<u8>,
    ends: Vec<u64>,
}

impl Dictionary {
    fn text(&self, index: u32) -> &[u8] {
        text_of(&self.arena, &self.ends, index)
    }

    fn intern(&mut self, text: &[u8]) -> u32 {
        let hash = hash_bytes(text);
        let (arena, ends) = (&self.arena, &self.ends);
        if let Some(&index) = self
            .table
            .find(hash, |&index| text_of(arena, ends, index) == text)
        {
            return index;
        }
        let index = self.ends.len() as u32;
        self.table.insert_unique(hash, index, |&other| {
            hash_bytes(text_of(arena, ends, other))
        });
        self.arena.extend_from_slice(text);
        self.ends.push(self.arena.len() as u64);
        index
    }
}

fn text_of<'a>(arena: &'a [u8], ends: &[u64], index: u32) -> &'a [u8] {
    let index = index as usize;
    let start = if index == 0 {
        0
    } else {
        ends[index - 1] as usize
    };
    &arena[start..ends[index] as usize]
}

#[derive(Debug, Default)]
struct Chunk {
    files: Vec<FileFacts>,
    lengths: Vec<[u32; FIELDS]>,
    /// (term, frequencies) of one file after the other, and where each file's end.
    postings: Vec<(u32, [u8; FIELDS])>,
    posting_ends: Vec<u32>,
    definitions: Vec<(u32, u32, u32)>,
    definition_ends: Vec<u32>,
    imports: Vec<(u32, u32)>,
    import_ends: Vec<u32>,
    worker: usize,
}

#[derive(Debug, Default)]
struct Worker {
    terms: Dictionary,
    names: Dictionary,
    kinds: Dictionary,
    texts: Dictionary,
    findings: Findings,
    /// By term: number of the file that saw it last, and its slot among that file's counts.
    stamps: Vec<(u32, u32)>,
    counts: Vec<(u32, [u32; FIELDS])>,
    stamp: u32,
}

impl Worker {
    fn add_file(&mut self, chunk: &mut Chunk, data: &[u8], language: i16, tables: &[Table]) {
        let (facts, text) = collect_facts(data, language, tables, &mut self.findings);
        self.stamp += 1;
        self.counts.clear();
        let mut lengths = [0_u32; FIELDS];
        let (terms, stamps, counts, stamp) = (
            &mut self.terms,
            &mut self.stamps,
            &mut self.counts,
            self.stamp,
        );
        self.findings.words.for_each(&text, |word, word_counts| {
            for_each_term(word, |term| {
                let index = terms.intern(term);
                if stamps.len() <= index as usize {
                    stamps.push((0, 0));
                }
                let entry = &mut stamps[index as usize];
                if entry.0 != stamp {
                    *entry = (stamp, counts.len() as u32);
                    counts.push((index, [0; FIELDS]));
                }
                let sums = &mut counts[entry.1 as usize].1;
                for field in 0..FIELDS {
                    sums[field] += word_counts[field];
                    lengths[field] += word_counts[field];
                }
            });
        });
        chunk.postings.extend(
            self.counts
                .iter()
                .map(|&(term, counts)| (term, saturate(counts))),
        );
        for definition in &self.findings.definitions {
            let name = self.names.intern(&definition.name);
            let kind = self.kinds.intern(definition.kind.as_bytes());
            chunk.definitions.push((name, kind, definition.line));
        }
        for import in &self.findings.imports {
            chunk
                .imports
                .push((self.texts.intern(&import.text), import.line));
        }
        Self::end_file(chunk, facts, lengths);
    }

    fn end_file(chunk: &mut Chunk, facts: FileFacts, lengths: [u32; FIELDS]) {
        chunk.files.push(facts);
        chunk.lengths.push(lengths);
        chunk.posting_ends.push(chunk.postings.len() as u32);
        chunk.definition_ends.push(chunk.definitions.len() as u32);
        chunk.import_ends.push(chunk.imports.len() as u32);
    }
}

/// Scan the files of `request` and write their segment to `output`.
///
/// Files that cannot be read are documents with the flag `UNREADABLE` and their `errno`.
///
/// # Errors
/// `Cancelled` when `cancelled` became true; `Io` when `output` cannot be written.
///
/// # Panics
/// Only when a thread of its own panicked.
pub fn build_segment(
    request: &Request<'_>,
    output: &Path,
    cancelled: &AtomicBool,
) -> Result<(), BuildError> {
    let chunk_count = request.paths.len().div_ceil(CHUNK_FILES);
    let next = AtomicUsize::new(0);
    let chunks: Mutex<Vec<Option<Chunk>>> = Mutex::new((0..chunk_count).map(|_| None).collect());
    let threads = request.threads.max(1).min(chunk_count.max(1));
    let workers: Vec<Worker> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|number| {
                let (next, chunks) = (&next, &chunks);
                scope.spawn(move || {
                    let mut worker = Worker::default();
                    let mut buffer = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= chunk_count || cancelled.load(Ordering::Relaxed) {
                            return worker;
                        }
                        let chunk =
                            scan_chunk(request, index, number, &mut worker, &mut buffer, cancelled);
                        chunks.lock().expect("no holder panics")[index] = Some(chunk);
                    }
                })
            })
            .collect();
        handles
            .into_iter()
            .map(|handle| handle.join().expect("a scan does not panic"))
            .collect()
    });
    if cancelled.load(Ordering::Relaxed) {
        return Err(BuildError::Cancelled);
    }
    let chunks = chunks.into_inner().expect("no holder panics");
    let chunks: Vec<Chunk> = chunks
        .into_iter()
        .map(|chunk| chunk.expect("every chunk was scanned"))
        .collect();
    output::write_segment(chunks, workers, output)?;
    Ok(())
}

fn scan_chunk(
    request: &Request<'_>,
    index: usize,
    number: usize,
    worker: &mut Worker,
    buffer: &mut Vec<u8>,
    cancelled: &AtomicBool,
) -> Chunk {
    let mut chunk = Chunk {
        worker: number,
        ..Chunk::default()
    };
    let first = index * CHUNK_FILES;
    let last = request.paths.len().min(first + CHUNK_FILES);
    for document in first..last {
        if cancelled.load(Ordering::Relaxed) {
            break;
        }
        let language = request.languages[document];
        match read_regular(
            &request.root.join(&request.paths[document]),
            request.max_bytes,
            buffer,
        ) {
            Ok(None) => worker.add_file(&mut chunk, buffer, language, request.tables),
            Ok(Some(bytes)) => {
                let facts = FileFacts {
                    language: language.max(NO_LANGUAGE),
                    flags: HUGE,
                    bytes,
                    ..FileFacts::default()
                };
                Worker::end_file(&mut chunk, facts, [0; FIELDS]);
            }
            Err(error) => {
                let errno = error.raw_os_error().unwrap_or_default() as u16;
                let flags = UNREADABLE;
                let facts = FileFacts {
                    language: language.max(NO_LANGUAGE),
                    flags,
                    errno,
                    ..FileFacts::default()
                };
                Worker::end_file(&mut chunk, facts, [0; FIELDS]);
            }
        }
    }
    chunk
}

/// Read a regular file of at most `max_bytes` into `buffer`, or return its size when it is larger.
fn read_regular(path: &Path, max_bytes: u64, buffer: &mut Vec<u8>) -> io::Result<Option<u64>> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // A path that became a link or a pipe since the walk is neither followed nor waited for.
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC);
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::from_raw_os_error(22));
    }
    if metadata.len() > max_bytes {
        return Ok(Some(metadata.len()));
    }
    buffer.clear();
    let read = file.take(max_bytes + 1).read_to_end(buffer)? as u64;
    Ok((read > max_bytes).then_some(read))
}
