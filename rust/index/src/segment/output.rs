//! Merges what the workers found and writes it: sorted texts, inverted postings, flat sections.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::{Chunk, Dictionary, Worker};
use crate::words::FIELDS;

const MAGIC: [u8; 8] = *b"CTXSVSEG";
/// Raised whenever a section or the meaning of a fact changes.
const VERSION: u32 = 1;
const ALIGNMENT: usize = 64;

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

pub(super) fn write_segment(
    mut chunks: Vec<Chunk>,
    workers: Vec<Worker>,
    output: &Path,
) -> io::Result<()> {
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
