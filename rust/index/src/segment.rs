//! A segment: the facts of a set of files and their inverted index, as flat little-endian arrays in one file.
//!
//! Header: magic, version, number of sections, number of documents, file length, then (offset, length) of every
//! section. Sections start at multiples of 64 bytes, in the order of `Section`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hashbrown::HashTable;

use crate::facts::{FileFacts, HUGE, NO_LANGUAGE, UNREADABLE, collect_facts, saturate};
use crate::scan::Findings;
use crate::table::Table;
use crate::words::{FIELDS, for_each_term, hash_bytes};

pub(crate) const MAGIC: [u8; 8] = *b"CTXSVSEG";
/// Raised whenever a section or the meaning of a fact changes.
pub(crate) const VERSION: u32 = 1;
const ALIGNMENT: usize = 64;
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
    write_segment(chunks, workers, output)?;
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

/// All texts of the workers' dictionaries in ascending order, and the rank of each by worker and index.
struct Ranking {
    offsets: Vec<u32>,
    blob: Vec<u8>,
    ranks: Vec<Vec<u32>>,
}

fn rank_texts(dictionaries: &[&Dictionary]) -> Ranking {
    let prefix = |text: &[u8]| {
        let mut bytes = [0_u8; 8];
        let length = text.len().min(8);
        bytes[..length].copy_from_slice(&text[..length]);
        u64::from_be_bytes(bytes)
    };
    let mut order: Vec<(u64, u32, u32)> = Vec::new();
    for (number, dictionary) in dictionaries.iter().enumerate() {
        order.extend(
            (0..dictionary.ends.len() as u32)
                .map(|index| (prefix(dictionary.text(index)), number as u32, index)),
        );
    }
    let text = |entry: &(u64, u32, u32)| dictionaries[entry.1 as usize].text(entry.2);
    order.sort_unstable_by(|left, right| {
        left.0
            .cmp(&right.0)
            .then_with(|| text(left).cmp(text(right)))
    });
    let mut ranking = Ranking {
        offsets: vec![0],
        blob: Vec::new(),
        ranks: dictionaries
            .iter()
            .map(|dictionary| vec![0; dictionary.ends.len()])
            .collect(),
    };
    for (position, entry) in order.iter().enumerate() {
        if position == 0 || text(entry) != text(&order[position - 1]) {
            ranking.blob.extend_from_slice(text(entry));
            ranking.offsets.push(ranking.blob.len() as u32);
        }
        ranking.ranks[entry.1 as usize][entry.2 as usize] = ranking.offsets.len() as u32 - 2;
    }
    ranking
}

/// Offsets from counts: `counts` shifted by one and summed.
fn indptr(counts: &[u64]) -> Vec<u64> {
    let mut sums = Vec::with_capacity(counts.len() + 1);
    let mut sum = 0;
    sums.push(0);
    for count in counts {
        sum += count;
        sums.push(sum);
    }
    sums
}

fn invert_postings(chunks: &mut [Chunk], ranking: &Ranking) -> (Vec<u64>, Vec<u32>, Vec<u8>) {
    let mut counts = vec![0_u64; ranking.offsets.len() - 1];
    for chunk in chunks.iter() {
        let ranks = &ranking.ranks[chunk.worker];
        for &(term, _) in &chunk.postings {
            counts[ranks[term as usize] as usize] += 1;
        }
    }
    let offsets = indptr(&counts);
    let total = offsets[offsets.len() - 1] as usize;
    let mut cursors = offsets.clone();
    let mut documents = vec![0_u32; total];
    let mut frequencies = vec![0_u8; total * FIELDS];
    let mut document = 0_u32;
    for chunk in chunks.iter_mut() {
        let ranks = &ranking.ranks[chunk.worker];
        let mut start = 0;
        for &end in &chunk.posting_ends {
            for &(term, counts) in &chunk.postings[start..end as usize] {
                let cursor = &mut cursors[ranks[term as usize] as usize];
                documents[*cursor as usize] = document;
                let at = *cursor as usize * FIELDS;
                frequencies[at..at + FIELDS].copy_from_slice(&counts);
                *cursor += 1;
            }
            start = end as usize;
            document += 1;
        }
        chunk.postings = Vec::new();
    }
    (offsets, documents, frequencies)
}

struct Definitions {
    indptr: Vec<u32>,
    names: Vec<u32>,
    kinds: Vec<u8>,
    lines: Vec<u32>,
}

fn collect_definitions(chunks: &[Chunk], names: &Ranking, kinds: &Ranking) -> Definitions {
    let mut found = Definitions {
        indptr: vec![0],
        names: Vec::new(),
        kinds: Vec::new(),
        lines: Vec::new(),
    };
    for chunk in chunks {
        let base = found.names.len() as u32;
        for &(name, kind, line) in &chunk.definitions {
            found.names.push(names.ranks[chunk.worker][name as usize]);
            found
                .kinds
                .push(kinds.ranks[chunk.worker][kind as usize] as u8);
            found.lines.push(line);
        }
        found
            .indptr
            .extend(chunk.definition_ends.iter().map(|end| base + end));
    }
    found
}

/// The documents that define each name, ascending and unique: (indptr, documents).
fn invert_definitions(definitions: &Definitions, name_count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(definitions.names.len());
    for (document, bounds) in definitions.indptr.windows(2).enumerate() {
        let names = &definitions.names[bounds[0] as usize..bounds[1] as usize];
        pairs.extend(names.iter().map(|&name| (name, document as u32)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut counts = vec![0_u64; name_count];
    for &(name, _) in &pairs {
        counts[name as usize] += 1;
    }
    let offsets = indptr(&counts)
        .into_iter()
        .map(|offset| offset as u32)
        .collect();
    (
        offsets,
        pairs.into_iter().map(|(_, document)| document).collect(),
    )
}

fn bytes_of<const N: usize, T: Copy>(values: &[T], to_bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() * N);
    for &value in values {
        bytes.extend_from_slice(&to_bytes(value));
    }
    bytes
}

fn file_sections(chunks: &[Chunk]) -> Vec<Vec<u8>> {
    let mut sections = vec![Vec::new(); 8];
    for chunk in chunks {
        for facts in &chunk.files {
            sections[0].extend_from_slice(&facts.sha256);
            sections[1].extend_from_slice(&facts.language.to_le_bytes());
            sections[2].push(facts.encoding);
            sections[3].extend_from_slice(&facts.flags.to_le_bytes());
            sections[4].extend_from_slice(&facts.errno.to_le_bytes());
            sections[5].extend_from_slice(&facts.lines.to_le_bytes());
            sections[6].extend_from_slice(&facts.bytes.to_le_bytes());
        }
        for lengths in &chunk.lengths {
            sections[7].extend(lengths.iter().flat_map(|length| length.to_le_bytes()));
        }
    }
    sections
}

fn write_segment(mut chunks: Vec<Chunk>, workers: Vec<Worker>, output: &Path) -> io::Result<()> {
    let document_count: usize = chunks.iter().map(|chunk| chunk.files.len()).sum();
    let dictionaries =
        |select: fn(&Worker) -> &Dictionary| workers.iter().map(select).collect::<Vec<_>>();
    let kinds = rank_texts(&dictionaries(|worker| &worker.kinds));
    let names = rank_texts(&dictionaries(|worker| &worker.names));
    let texts = rank_texts(&dictionaries(|worker| &worker.texts));
    let terms = rank_texts(&dictionaries(|worker| &worker.terms));
    drop(workers);

    let mut sections = file_sections(&chunks);
    let definitions = collect_definitions(&chunks, &names, &kinds);
    let (name_indptr, name_documents) = invert_definitions(&definitions, names.offsets.len() - 1);
    let mut import_indptr = vec![0_u32];
    let (mut import_texts, mut import_lines) = (Vec::new(), Vec::new());
    for chunk in &chunks {
        let base = import_texts.len() as u32;
        import_texts.extend(
            chunk
                .imports
                .iter()
                .map(|&(text, _)| texts.ranks[chunk.worker][text as usize]),
        );
        import_lines.extend(chunk.imports.iter().map(|&(_, line)| line));
        import_indptr.extend(chunk.import_ends.iter().map(|end| base + end));
    }
    sections.extend([
        bytes_of(&kinds.offsets, u32::to_le_bytes),
        kinds.blob,
        bytes_of(&definitions.indptr, u32::to_le_bytes),
        bytes_of(&definitions.names, u32::to_le_bytes),
        definitions.kinds,
        bytes_of(&definitions.lines, u32::to_le_bytes),
        bytes_of(&names.offsets, u32::to_le_bytes),
        names.blob,
        bytes_of(&name_indptr, u32::to_le_bytes),
        bytes_of(&name_documents, u32::to_le_bytes),
        bytes_of(&import_indptr, u32::to_le_bytes),
        bytes_of(&import_texts, u32::to_le_bytes),
        bytes_of(&import_lines, u32::to_le_bytes),
        bytes_of(&texts.offsets, u32::to_le_bytes),
        texts.blob,
    ]);
    let (posting_indptr, posting_documents, frequencies) = invert_postings(&mut chunks, &terms);
    drop(chunks);
    sections.push(bytes_of(&terms.offsets, u32::to_le_bytes));
    sections.push(terms.blob);
    sections.push(bytes_of(&posting_indptr, u64::to_le_bytes));
    drop(terms.ranks);
    let tail = [
        Payload::Integers(posting_documents),
        Payload::Bytes(frequencies),
    ];
    let payloads: Vec<Payload> = sections
        .into_iter()
        .map(Payload::Bytes)
        .chain(tail)
        .collect();
    write_sections(document_count, &payloads, output)
}

enum Payload {
    Bytes(Vec<u8>),
    Integers(Vec<u32>),
}

impl Payload {
    fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Integers(integers) => integers.len() * 4,
        }
    }
}

fn write_sections(document_count: usize, payloads: &[Payload], output: &Path) -> io::Result<()> {
    let align = |position: usize| position.div_ceil(ALIGNMENT) * ALIGNMENT;
    let mut position = align(32 + payloads.len() * 16);
    let mut table = Vec::new();
    for payload in payloads {
        table.extend_from_slice(&(position as u64).to_le_bytes());
        table.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        position = align(position + payload.len());
    }
    let mut writer = Positioned {
        inner: BufWriter::with_capacity(1 << 20, File::create(output)?),
        position: 0,
    };
    writer.put(&MAGIC)?;
    writer.put(&VERSION.to_le_bytes())?;
    writer.put(&(payloads.len() as u32).to_le_bytes())?;
    writer.put(&(document_count as u64).to_le_bytes())?;
    writer.put(&(position as u64).to_le_bytes())?;
    writer.put(&table)?;
    for payload in payloads {
        writer.pad(ALIGNMENT)?;
        match payload {
            Payload::Bytes(bytes) => writer.put(bytes)?,
            Payload::Integers(integers) => {
                for block in integers.chunks(16_384) {
                    writer.put(&bytes_of(block, u32::to_le_bytes))?;
                }
            }
        }
    }
    writer.pad(ALIGNMENT)?;
    writer.inner.flush()
}

struct Positioned {
    inner: BufWriter<File>,
    position: usize,
}

impl Positioned {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.position += bytes.len();
        self.inner.write_all(bytes)
    }

    fn pad(&mut self, alignment: usize) -> io::Result<()> {
        let end = self.position.div_ceil(alignment) * alignment;
        self.put(&vec![0; end - self.position])
    }
}
