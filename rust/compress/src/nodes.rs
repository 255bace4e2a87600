//! What may be left out: whole syntax nodes that fill whole lines.

use crate::definitions::{Definition, Span};
use crate::lines::{Text, is_byte_space};

/// What stands further from the edge of its line shares the line with something else.
const WIDEST_INDENT: usize = 2000;

/// Kinds of removable nodes, the safest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Comment,
    Doc,
    Import,
    Boilerplate,
    Attribute,
    Statement,
    /// An element of a list, a table or a call's arguments that ends with its comma.
    Row,
}

/// A node that begins and ends with its lines; lines count from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) class: Class,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) first_line: usize,
    pub(crate) last_line: usize,
}

/// What may go, in source order, outer nodes before those inside them.
#[derive(Debug, Default)]
pub struct Skeleton {
    pub(crate) nodes: Vec<Node>,
    /// The lines on which the statements of a block may stand.
    pub(crate) blocks: Vec<(usize, usize)>,
    /// The lines of everything that may go as a whole, definitions included, sorted.
    pub(crate) whole: Vec<(u32, u32)>,
}

impl Skeleton {
    /// Class, first byte, end, first and last line of each node, one node behind the other.
    #[must_use]
    pub fn flat_nodes(&self) -> Vec<u32> {
        let fields = |node: &Node| {
            let class = node.class as usize;
            [class, node.start, node.end, node.first_line, node.last_line]
        };
        self.nodes
            .iter()
            .flat_map(fields)
            .map(|number| number as u32)
            .collect()
    }

    /// First and last line of each block, where the first may be behind the last.
    #[must_use]
    pub fn flat_blocks(&self) -> Vec<u32> {
        self.blocks
            .iter()
            .flat_map(|&(first, last)| [first as u32, last as u32])
            .collect()
    }

    /// First and last line of everything that may go as a whole, definitions included, sorted.
    #[must_use]
    pub fn flat_whole_nodes(&self) -> Vec<u32> {
        flat_lines(&self.whole)
    }
}

/// First and last line of each span, one span behind the other.
#[must_use]
pub fn flat_lines(spans: &[(u32, u32)]) -> Vec<u32> {
    let lines = spans.iter().flat_map(|&(first, last)| [first, last]);
    lines.collect()
}

impl Skeleton {
    /// `named` are the nodes that the language's query names, `blocks` have the inset of their brackets; in `sealed` none goes.
    pub(crate) fn new(
        text: &Text<'_>,
        definitions: &[Definition],
        named: &[(Class, Span)],
        blocks: &[(u32, Span)],
        sealed: &[Span],
    ) -> Self {
        let mut spans: Vec<(Span, Class)> =
            named.iter().map(|&(class, span)| (span, class)).collect();
        spans.sort_unstable_by_key(|&((start, end), _)| (start, std::cmp::Reverse(end)));
        spans.dedup_by(|other, one| {
            // What several patterns name is what the most telling of them says: a doc string is no mere statement.
            let is_same = other.0 == one.0;
            if is_same {
                one.1 = more_telling(one.1, other.1);
            }
            is_same
        });
        let mut heads: Vec<usize> = definitions.iter().map(|found| found.head).collect();
        heads.sort_unstable();
        let before = |byte: usize| heads.partition_point(|&head| head < byte);
        let spreads = |&&(start, end): &&Span| text.line_of(start) < text.line_of(end);
        let sealed: Vec<&Span> = sealed.iter().filter(spreads).collect();
        let is_sealed = |node: &Node| {
            let mut around = sealed.iter();
            around.any(|&&(start, end)| start <= node.start && node.end <= end)
        };
        let nodes: Vec<Node> = spans
            .iter()
            .filter_map(|&(span, class)| on_whole_lines(text, span, class))
            .filter(|node| before(node.start) == before(node.end))
            .filter(|node| !is_sealed(node))
            .collect();
        let of_definitions = definitions
            .iter()
            .filter_map(|found| on_whole_lines(text, (found.start, found.end), Class::Statement));
        let mut whole: Vec<(u32, u32)> = nodes
            .iter()
            .copied()
            .chain(of_definitions)
            .map(|node| (node.first_line as u32, node.last_line as u32))
            .collect();
        whole.sort_unstable();
        whole.dedup();
        let blocks = blocks
            .iter()
            .filter(|(_, (start, end))| end > start)
            .map(|&(inset, (start, end))| {
                let inset = inset as usize;
                (text.line_of(start) + inset, text.line_of(end - 1) - inset)
            })
            .collect();
        Self {
            nodes,
            blocks,
            whole,
        }
    }
}

fn more_telling(one: Class, other: Class) -> Class {
    if one == Class::Doc || other == Class::Doc {
        Class::Doc
    } else {
        one.min(other)
    }
}

/// The node, when it fills whole lines and nothing ties them to others.
fn on_whole_lines(text: &Text<'_>, (start, end): Span, class: Class) -> Option<Node> {
    let data = text.bytes();
    // Some grammars count the line's end as part of a comment or directive.
    let mut stop = end;
    while stop > start && matches!(data[stop - 1], b'\r' | b'\n') {
        stop -= 1;
    }
    if stop <= start {
        return None;
    }
    let (first, last) = (text.line_of(start), text.line_of(stop - 1));
    let (before, after) = (text.bounds(first).0, text.bounds(last).1);
    let (is_statement, is_row) = (class == Class::Statement, class == Class::Row);
    let behind = &data[stop..after];
    let fits = start - before <= WIDEST_INDENT
        && after - stop <= WIDEST_INDENT
        && is_white(&data[before..start])
        && ((is_white(behind) && !is_row)
            || (is_statement && is_only(b';', behind))
            || (is_row && is_only(b',', behind)))
        && !(first > 1 && ends_with_backslash(text, first - 1))
        && !ends_with_backslash(text, last)
        && !((is_statement || is_row) && opens_here_document(&data[start..stop]))
        && !(class == Class::Comment && start == 0 && data.starts_with(b"#!"));
    fits.then_some(Node {
        class,
        start,
        end: stop,
        first_line: first,
        last_line: last,
    })
}

fn is_white(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| is_byte_space(byte))
}

/// Whether the mark is all that stands in the bytes.
fn is_only(mark: u8, bytes: &[u8]) -> bool {
    let mut marks = bytes.iter().filter(|&&byte| !is_byte_space(byte));
    marks.next() == Some(&mark) && marks.next().is_none()
}

fn ends_with_backslash(text: &Text<'_>, line: usize) -> bool {
    let (start, end) = text.bounds(line);
    let mark = text.bytes()[start..end]
        .iter()
        .rfind(|&&byte| !is_byte_space(byte));
    mark == Some(&b'\\')
}

/// Whether `<<`, perhaps `-`, `~` or `<`, white space, perhaps a quotation mark, and a name stand somewhere: the text of
/// a here-document stands behind the statement that opens it.
fn opens_here_document(bytes: &[u8]) -> bool {
    let mut signs = memchr::memchr_iter(b'<', bytes);
    signs.any(|at| bytes.get(at + 1) == Some(&b'<') && opens_at(bytes, at))
}

fn opens_at(bytes: &[u8], found: usize) -> bool {
    let mut rest = &bytes[found + 2..];
    if let [b'-' | b'~' | b'<', behind @ ..] = rest {
        rest = behind;
    }
    while let [byte, behind @ ..] = rest
        && is_byte_space(*byte)
    {
        rest = behind;
    }
    if let [b'"' | b'\'' | b'`', behind @ ..] = rest {
        rest = behind;
    }
    matches!(rest, [b'A'..=b'Z' | b'a'..=b'z' | b'_', ..])
}

#[cfg(test)]
mod tests {
    use super::{is_only, opens_here_document};

    #[test]
    fn here_documents_are_recognised() {
        for text in ["cat <<EOF", "x <<- 'END'", "a <<<b", "<<~\"T\"", "1 <<<< x"] {
            assert!(opens_here_document(text.as_bytes()), "{text}");
        }
        for text in ["1 << 2", "a < b", "<<", "<<-", "x <<= 3"] {
            assert!(!opens_here_document(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn one_semicolon_is_no_other_statement() {
        assert!(is_only(b';', b" ; "));
        assert!(!is_only(b';', b" ;; "));
        assert!(!is_only(b';', b" ; a"));
        assert!(!is_only(b';', b" , "));
    }
}
