//! Chunks of one file: imports, types, functions and loose logic.

use crate::lines::{Text, is_space};

/// What a chunk holds, in the order of presentation among chunks that do not match the task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChunkKind {
    /// Import statements.
    Imports,
    /// A type, or what stands between its members.
    Type,
    /// A function with what it contains.
    Function,
    /// Anything else.
    Logic,
}

/// What the kind of a definition means here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionRole {
    /// It holds others.
    Type,
    /// It keeps what it contains.
    Function,
    /// A constant, variable or field.
    Value,
}

/// One definition; lines count from 1.
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    /// What it is.
    pub role: DefinitionRole,
    /// Its first line.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// The number of the definition around it, which is smaller than its own.
    pub parent: Option<usize>,
    /// From its head to the end of its signature.
    pub signature: (usize, usize),
}

/// How long chunks are.
#[derive(Debug, Clone, Copy)]
pub struct ChunkLimits {
    /// A run of lines up to this long is one chunk; at least 1.
    pub maximum_lines: usize,
    /// Longer runs are cut in parts of about so many lines.
    pub part_lines: usize,
    /// A value at file level is a chunk of its own from so many lines on.
    pub own_value_lines: usize,
}

/// Lines that belong together; they count from 1.
#[derive(Debug, Clone, Copy)]
pub struct Chunk {
    /// What it holds.
    pub kind: ChunkKind,
    /// Its first line.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// The innermost definition that owns the lines.
    pub owner: Option<usize>,
}

/// Says of a line's byte in a layout that the line begins inside a literal or a comment.
const KEPT_LINE: u8 = 255;

/// Chunks that cover every line exactly once, in source order; none begins inside a literal or comment.
pub(crate) fn chunk_text(
    text: &Text<'_>,
    definitions: &[Definition],
    is_import: &[bool],
    limits: ChunkLimits,
    layout: &[u8],
) -> Vec<Chunk> {
    let is_inside = |line: usize| layout.get(line - 1) == Some(&KEPT_LINE);
    let owners = owners(text.line_count(), definitions, limits);
    let mut chunks = Vec::new();
    let mut start = 0;
    for run in owners.chunk_by(PartialEq::eq) {
        let (first, last) = (start + 1, start + run.len());
        start = last;
        let mut give = |kind, span| {
            split(text, span, limits, is_inside, |(first, last)| {
                chunks.push(Chunk {
                    kind,
                    first,
                    last,
                    owner: run[0],
                });
            });
        };
        if let Some(owner) = run[0] {
            give(kind_of(definitions[owner].role), (first, last));
        } else {
            each_kind(first, last, is_import, is_inside, give);
        }
    }
    chunks
}

/// For each line the innermost definition that is a chunk of its own; functions keep what they contain.
fn owners(count: usize, definitions: &[Definition], limits: ChunkLimits) -> Vec<Option<usize>> {
    let mut owners = vec![None; count];
    let mut is_closed = vec![false; definitions.len()];
    for (index, definition) in definitions.iter().enumerate() {
        if definition.parent.is_some_and(|parent| is_closed[parent]) {
            is_closed[index] = true;
            continue;
        }
        let length = (definition.last + 1).saturating_sub(definition.first);
        if definition.role == DefinitionRole::Value
            && (length < limits.own_value_lines || definition.parent.is_some())
        {
            continue;
        }
        is_closed[index] = definition.role == DefinitionRole::Function;
        let end = definition.last.min(count);
        if definition.first <= end {
            owners[definition.first - 1..end].fill(Some(index));
        }
    }
    owners
}

fn kind_of(role: DefinitionRole) -> ChunkKind {
    match role {
        DefinitionRole::Type => ChunkKind::Type,
        DefinitionRole::Function => ChunkKind::Function,
        DefinitionRole::Value => ChunkKind::Logic,
    }
}

/// Gives a run at file level under its kinds: imports are a chunk apart from the logic around them.
fn each_kind(
    first: usize,
    last: usize,
    is_import: &[bool],
    is_inside: impl Fn(usize) -> bool,
    mut give: impl FnMut(ChunkKind, (usize, usize)),
) {
    let mut imports = (first..=last).filter(|&line| is_import[line]);
    let Some(first_import) = imports.next() else {
        give(ChunkKind::Logic, (first, last));
        return;
    };
    let last_import = imports.next_back().unwrap_or(first_import);
    if first < first_import {
        give(ChunkKind::Logic, (first, first_import - 1));
    }
    // The end of the last statement is not known here; a parenthesised import may run on.
    let mut end = if last - last_import <= 8 {
        last
    } else {
        last_import + 2
    };
    while end < last && is_inside(end + 1) {
        end += 1;
    }
    give(ChunkKind::Imports, (first_import, end));
    if end < last {
        give(ChunkKind::Logic, (end + 1, last));
    }
}

/// Gives a span in parts, cut before the least indented line after a blank one near the wanted length.
///
/// A literal or comment that goes on there stays whole: the cut comes behind it.
fn split(
    text: &Text<'_>,
    (mut first, last): (usize, usize),
    limits: ChunkLimits,
    is_inside: impl Fn(usize) -> bool,
    mut give: impl FnMut((usize, usize)),
) {
    while last - first + 1 > limits.maximum_lines {
        let start = (first + (limits.part_lines / 2).max(1)).min(last);
        let end = first.saturating_add(limits.part_lines).min(last);
        // Of several that cost the same the last one.
        let mut cut = (start..=end)
            .rev()
            .min_by_key(|&line| (is_inside(line), cut_cost(text, line)))
            .unwrap_or(start);
        while cut <= last && is_inside(cut) {
            cut += 1;
        }
        if cut > last {
            break;
        }
        give((first, cut - 1));
        first = cut;
    }
    give((first, last));
}

/// How bad it is to start a part at a line: not after a blank line, then the indentation.
fn cut_cost(text: &Text<'_>, line: usize) -> (bool, usize) {
    if !text.is_filled[line] {
        return (true, 1 << 30);
    }
    let (start, end) = text.bounds(line);
    let indentation = text.source[start..end]
        .chars()
        .take_while(|&character| is_space(character))
        .count();
    (text.is_filled[line - 1], indentation)
}
