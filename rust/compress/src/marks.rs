//! Lines left out of a text that was put together already, with one mark for all that is missing in one place.

use ctxsieve_kernels::Error;
use tree_sitter::Tree;

use crate::alike::are_read_alike;
use crate::costs::{Check, count_tokens};
use crate::lines::{Text, is_space};
use crate::neutral::are_neutral;
use crate::nodes::Class;
use crate::removal::Tools;
use crate::rules::Rules;
use crate::tree::{count_broken_nodes, parse, prepare};

/// First and last line.
type Span = (u32, u32);

/// A text in which some lines of a file stand, and one line for each gap between them.
#[derive(Debug, Clone, Copy)]
pub struct ShownFile<'a> {
    /// The file's own text.
    pub source: &'a str,
    /// The text.
    pub content: &'a str,
    /// First and last line of what stands in it, ascending.
    pub shown: &'a [u32],
    /// First and last line of each gap.
    pub gaps: &'a [u32],
    /// Tokens of the text.
    pub tokens: u64,
    /// Class, first byte, end, first and last line of each node that may go.
    pub nodes: &'a [u32],
    /// First and last line of each block that may not be left empty.
    pub blocks: &'a [u32],
    /// Error and missing nodes of the file.
    pub error_nodes: u32,
    /// Its tree, where somebody has it.
    pub tree: Option<&'a Tree>,
}

/// Lines to hide, and what their mark says of them.
#[derive(Debug, Clone, Copy)]
pub struct HiddenLines<'a> {
    /// First and last line.
    pub lines: Span,
    /// It follows the numbers of the lines.
    pub note: &'a str,
}

/// What is left of a text.
#[derive(Debug)]
pub struct LeftText {
    /// The text.
    pub content: String,
    /// Its tokens.
    pub tokens: u64,
    /// First and last line of each gap, ascending.
    pub gaps: Vec<Span>,
}

/// Leaves lines out of a text of code, or as many as are found by halves in so many tries with which it still parses.
///
/// None where what is left would cost no less.
///
/// # Errors
///
/// [`Error::Invalid`] when the text is not that of the lines, [`Error::Interrupted`] when `check` says so.
pub fn leave_out(
    file: &ShownFile<'_>,
    hidden: &[HiddenLines<'_>],
    rules: &Rules,
    (parse_limit, tried_texts): (u64, usize),
    tools: &mut Tools,
    check: &mut dyn FnMut() -> bool,
) -> Result<Option<LeftText>, Error> {
    let text = Text::new(file.source);
    let subject = Subject::new(file, &text, rules)?;
    let mut best: Option<LeftText> = None;
    let mut kept: Vec<HiddenLines<'_>> = Vec::new();
    let mut waiting = vec![hidden];
    let mut parsed = None;
    for _ in 0..tried_texts {
        let Some(part) = waiting.pop() else {
            break;
        };
        let mut tried = kept.clone();
        tried.extend_from_slice(part);
        let (left, is_emptied) = subject.without(&tried);
        let known = (&mut *tools, &mut parsed);
        if subject.keeps_parsing(&left, &is_emptied, parse_limit, known, check)? {
            (kept, best) = (tried, Some(left));
        } else if part.len() > 1 {
            let (first, second) = part.split_at(part.len() / 2);
            waiting.extend([second, first]);
        }
    }
    let Some(mut left) = best else {
        return Ok(None);
    };
    left.tokens = count_tokens(&mut tools.counter, &left.content, check)?;
    Ok((left.tokens < file.tokens).then_some(left))
}

/// The numbers of lines as people write them.
pub(crate) fn numbers_of<T: Copy + PartialEq + std::fmt::Display>(first: T, last: T) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}

/// White space at the beginning of a line.
pub(crate) fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(is_space).len()]
}

/// What stands before a mark where a block would be empty.
pub(crate) fn filler(rules: &Rules) -> Option<String> {
    rules
        .ellipsis
        .as_ref()
        .map(|ellipsis| format!("{ellipsis}  "))
}

/// The comment that stands for hidden lines, indented and ended like a row of the text; `words` follow the dots.
pub(crate) fn mark(rules: &Rules, row: &str, words: &str, is_emptied: bool) -> String {
    let indent = indent_of(row);
    let filler = filler(rules).filter(|_| is_emptied).unwrap_or_default();
    let ending = if row.ends_with('\r') { "\r\n" } else { "\n" };
    format!(
        "{indent}{filler}{}{ending}",
        rules.comment(&format!("... {words}"))
    )
}

/// A run of rows that are shown, or one row that stands for hidden lines.
#[derive(Debug, Clone, Copy)]
struct Piece<'a> {
    span: Span,
    rows: &'a [&'a str],
    is_shown: bool,
}

/// What is left of the pieces.
#[derive(Debug)]
enum Part<'a> {
    Shown(Span, &'a [&'a str]),
    /// With the row that stood for all of it before, if nothing was added.
    Gap(Vec<Hidden<'a>>, Option<&'a str>),
}

/// Lines that one mark names, what it says of them, and the row that stood for the first of them before.
#[derive(Debug, Clone, Copy)]
struct Hidden<'a> {
    span: Span,
    note: &'a str,
    row: &'a str,
}

struct Subject<'a> {
    file: &'a ShownFile<'a>,
    text: &'a Text<'a>,
    rules: &'a Rules,
    rows: Vec<&'a str>,
    spans: Vec<(Span, bool)>,
    is_statement: Vec<bool>,
}

impl<'a> Subject<'a> {
    fn new(file: &'a ShownFile<'a>, text: &'a Text<'a>, rules: &'a Rules) -> Result<Self, Error> {
        let count = text.line_count();
        let spans_of = |flat: &[u32], is_shown: bool| -> Vec<(Span, bool)> {
            let pairs = flat.chunks_exact(2);
            pairs.map(|pair| ((pair[0], pair[1]), is_shown)).collect()
        };
        let mut spans = spans_of(file.shown, true);
        spans.extend(spans_of(file.gaps, false));
        spans.sort_unstable();
        let rows: Vec<&str> = file.content.split_terminator('\n').collect();
        let (mut wanted, mut following) = (0, 1);
        for &((first, last), is_shown) in &spans {
            if first < following || first > last || last as usize > count {
                return Err(not_of_the_lines(rows.len()));
            }
            wanted += if is_shown {
                (last - first) as usize + 1
            } else {
                1
            };
            following = last + 1;
        }
        if wanted != rows.len() {
            return Err(not_of_the_lines(rows.len()));
        }
        let mut is_statement = text.is_filled.clone();
        for node in file.nodes.chunks_exact(5) {
            let (first, last) = (node[3] as usize, node[4] as usize);
            if node[0] == Class::Comment as u32
                && let Some(lines) = is_statement.get_mut(first..=last)
            {
                lines.fill(false);
            }
        }
        Ok(Self {
            file,
            text,
            rules,
            rows,
            spans,
            is_statement,
        })
    }

    fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        let mut at = 0;
        self.spans.iter().map(move |&(span, is_shown)| {
            let length = if is_shown {
                (span.1 - span.0) as usize + 1
            } else {
                1
            };
            let rows = &self.rows[at..at + length];
            at += length;
            Piece {
                span,
                rows,
                is_shown,
            }
        })
    }

    /// The text without the hidden lines, not counted yet, and which of its gaps have the language's own filler.
    fn without(&self, hidden: &[HiddenLines<'_>]) -> (LeftText, Vec<bool>) {
        let mut hidden = hidden.to_vec();
        hidden.sort_by_key(|one| one.lines);
        let parts = joined(self.cut(&hidden));
        let mut is_shown = vec![false; self.text.line_count() + 1];
        for part in &parts {
            if let Part::Shown((first, last), _) = part {
                is_shown[*first as usize..=*last as usize].fill(true);
            }
        }
        let openings = self.openings(&is_shown);
        let mut content = String::with_capacity(self.file.content.len());
        let (mut gaps, mut emptied) = (Vec::new(), Vec::new());
        for part in &parts {
            match part {
                Part::Shown(_, rows) => {
                    for row in *rows {
                        content.push_str(row);
                        content.push('\n');
                    }
                }
                Part::Gap(hidden, row) => {
                    let (span, text) = self.gap(hidden, *row, &openings);
                    let begin = filler(self.rules);
                    let is_filled =
                        |begin: String| text.trim_start_matches(is_space).starts_with(&begin);
                    emptied.push(begin.is_some_and(is_filled));
                    gaps.push(span);
                    content.push_str(&text);
                }
            }
        }
        if !self.file.content.ends_with('\n') && content.ends_with('\n') {
            content.pop();
        }
        let left = LeftText {
            content,
            tokens: 0,
            gaps,
        };
        (left, emptied)
    }

    /// What is left of the pieces, and the hidden lines between them; `hidden` is sorted.
    fn cut<'s>(&'s self, hidden: &[HiddenLines<'s>]) -> Vec<Part<'s>> {
        let beyond = (self.text.line_count() as u32 + 1, 0);
        let mut parts: Vec<Part<'s>> = Vec::new();
        let mut at = 0;
        for piece in self.pieces() {
            let row_of = |line: u32| {
                let row = if piece.is_shown {
                    line - piece.span.0
                } else {
                    0
                };
                piece.rows[row as usize]
            };
            let mut first = piece.span.0;
            while first <= piece.span.1 {
                while at < hidden.len() && hidden[at].lines.1 < first {
                    at += 1;
                }
                let (span, note) = hidden
                    .get(at)
                    .map_or((beyond, ""), |one| (one.lines, one.note));
                if span.0 <= first {
                    if span.0 == first || parts.is_empty() {
                        let row = row_of(first);
                        parts.push(Part::Gap(vec![Hidden { span, note, row }], None));
                    }
                    first = span.1 + 1;
                    continue;
                }
                let kept = (first, piece.span.1.min(span.0 - 1));
                if piece.is_shown {
                    let (begin, end) = (kept.0 - piece.span.0, kept.1 - piece.span.0);
                    parts.push(Part::Shown(
                        kept,
                        &piece.rows[begin as usize..=end as usize],
                    ));
                } else {
                    let row = piece.rows[0];
                    let known = Hidden {
                        span: kept,
                        note: "",
                        row,
                    };
                    parts.push(Part::Gap(vec![known], (kept == piece.span).then_some(row)));
                }
                first = kept.1 + 1;
            }
        }
        parts
    }

    fn gap(&self, hidden: &[Hidden<'_>], row: Option<&str>, openings: &[u32]) -> (Span, String) {
        let (first, last) = (hidden[0], hidden[hidden.len() - 1]);
        let span = (first.span.0, last.span.1);
        if let Some(row) = row {
            return (span, format!("{row}\n"));
        }
        let at = openings.partition_point(|&opening| opening < span.0);
        let is_emptied = openings.get(at).is_some_and(|&opening| opening <= span.1);
        let words: Vec<String> = hidden
            .iter()
            .map(|one| format!("{}{}", numbers_of(one.span.0, one.span.1), one.note))
            .collect();
        (
            span,
            mark(self.rules, first.row, &words.join(", "), is_emptied),
        )
    }

    /// The first statement of each block that would be empty below a head that is shown, rising.
    fn openings(&self, is_shown: &[bool]) -> Vec<u32> {
        if self.rules.ellipsis.is_none() {
            return Vec::new();
        }
        let count = self.text.line_count();
        let statements: Vec<usize> = (1..=count)
            .filter(|&line| self.is_statement[line])
            .collect();
        let mut visible = vec![0_u32];
        for line in 1..=count {
            let is_visible = self.is_statement[line] && is_shown[line];
            visible.push(visible[line - 1] + u32::from(is_visible));
        }
        let mut openings: Vec<u32> = Vec::new();
        for block in self.file.blocks.chunks_exact(2) {
            let (first, last) = (block[0] as usize, block[1] as usize);
            let at = statements.partition_point(|&line| line < first);
            // A block stands below a statement, and has one.
            let (Some(head), Some(&opening)) = (at.checked_sub(1), statements.get(at)) else {
                continue;
            };
            if opening <= last
                && last <= count
                && is_shown[statements[head]]
                && visible[last] == visible[first - 1]
            {
                openings.push(opening as u32);
            }
        }
        openings.sort_unstable();
        openings.dedup();
        openings
    }

    /// Whether the text has no more error nodes than the file and, where that has none, is read as it was.
    ///
    /// The file's tree, which `parsed` keeps where nobody had it, may tell; otherwise the text is parsed.
    fn keeps_parsing(
        &self,
        left: &LeftText,
        emptied: &[bool],
        parse_limit: u64,
        (tools, parsed): (&mut Tools, &mut Option<Tree>),
        check: Check<'_>,
    ) -> Result<bool, Error> {
        let parser = &mut tools.parser;
        prepare(parser, &self.rules.language)?;
        let limit = self.file.error_nodes;
        if limit > 0 {
            let tree = parse(parser, left.content.as_bytes(), parse_limit, check)?;
            return Ok(tree.is_some_and(|tree| count_broken_nodes(tree.root_node()) <= limit));
        }
        if self.file.tree.is_none() && parsed.is_none() {
            *parsed = parse(parser, self.text.bytes(), parse_limit, check)?;
        }
        let Some(before) = self.file.tree.or(parsed.as_ref()) else {
            return Ok(false);
        };
        let gaps = left.gaps.iter();
        let gaps: Vec<(usize, usize)> = gaps
            .map(|&(first, last)| (first as usize, last as usize))
            .collect();
        if !self.text.is_deep && are_neutral(before, self.text, self.rules, &gaps, emptied) {
            return Ok(true);
        }
        let after = parse(parser, left.content.as_bytes(), parse_limit, check)?;
        Ok(after.is_some_and(|after| {
            let texts = [self.text.bytes(), left.content.as_bytes()];
            count_broken_nodes(after.root_node()) == 0
                && are_read_alike([before, &after], texts, &gaps)
        }))
    }
}

/// The parts with gaps that follow each other, blank lines between them included, as one.
fn joined(parts: Vec<Part<'_>>) -> Vec<Part<'_>> {
    let mut joined: Vec<Part<'_>> = Vec::with_capacity(parts.len());
    for part in parts {
        let Part::Gap(hidden, row) = part else {
            joined.push(part);
            continue;
        };
        let is_something = |part: &Part<'_>| !is_blank(part);
        match joined.iter().rposition(is_something) {
            Some(at) if matches!(joined[at], Part::Gap(..)) => {
                joined.truncate(at + 1);
                if let Some(Part::Gap(before, row)) = joined.last_mut() {
                    before.extend(hidden);
                    (*before, *row) = (in_sequence(before), None);
                }
            }
            _ => joined.push(Part::Gap(hidden, row)),
        }
    }
    joined
}

fn is_blank(part: &Part<'_>) -> bool {
    let Part::Shown(_, rows) = part else {
        return false;
    };
    rows.iter().all(|row| row.chars().all(is_space))
}

/// The same lines, those without a note as few ranges, and every line between the ranges in one of them.
fn in_sequence<'a>(hidden: &[Hidden<'a>]) -> Vec<Hidden<'a>> {
    let mut result = vec![hidden[0]];
    for &item in &hidden[1..] {
        let last = result.len() - 1;
        let before = &mut result[last];
        if before.note.is_empty() && item.note.is_empty() {
            before.span.1 = item.span.1;
        } else if item.note.is_empty() {
            let span = (before.span.1 + 1, item.span.1);
            result.push(Hidden { span, ..item });
        } else {
            before.span.1 = item.span.0 - 1;
            result.push(item);
        }
    }
    result
}

fn not_of_the_lines(rows: usize) -> Error {
    Error::Invalid(format!(
        "the text of {rows} lines is not that of the lines shown, and one for each gap"
    ))
}
