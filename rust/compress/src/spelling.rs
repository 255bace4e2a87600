//! Lines in fewer tokens: shorter white space at their ends.

use crate::layout::{BRACKETED_LINE, KEPT_LINE};
use crate::lines::{Text, is_blank};

/// A line as it is written: spaces, a part of the source, and perhaps a carriage return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spelled {
    pub(crate) spaces: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) has_return: bool,
}

impl Spelled {
    fn is_empty(self) -> bool {
        self.spaces == 0 && self.start >= self.end && !self.has_return
    }

    pub(crate) fn write(self, source: &str, into: &mut String) {
        into.extend(std::iter::repeat_n(' ', self.spaces));
        into.push_str(&source[self.start..self.end]);
        if self.has_return {
            into.push('\r');
        }
    }
}

/// The lines as they stand; line 0 is empty.
pub(crate) fn as_they_stand(text: &Text<'_>) -> Vec<Spelled> {
    (0..=text.line_count())
        .map(|line| {
            let (start, end) = if line == 0 { (0, 0) } else { text.bounds(line) };
            Spelled {
                spaces: 0,
                start,
                end,
                has_return: false,
            }
        })
        .collect()
}

/// The lines as the layout allows them to be spelled; line 0 is empty.
pub(crate) fn aligned(text: &Text<'_>, layout: &[u8]) -> Vec<Spelled> {
    let mut spelled = as_they_stand(text);
    for line in 1..spelled.len() {
        let own = layout[line - 1];
        let following = layout.get(line).copied().unwrap_or(0);
        align(text.bytes(), &mut spelled[line], own, following);
    }
    let last = text.line_count();
    if last > 0 && !text.ends_with_newline() && spelled[last].is_empty() {
        // Nothing behind the last newline is no line.
        (spelled[last].start, spelled[last].end) = text.bounds(last);
    }
    spelled
}

fn align(source: &[u8], line: &mut Spelled, own: u8, following: u8) {
    let is_loose = |byte: u8| is_blank(byte) || byte == b'\r';
    if following != KEPT_LINE && line.start < line.end && is_loose(source[line.end - 1]) {
        line.has_return = source[line.end - 1] == b'\r';
        line.end -= usize::from(line.has_return);
        while line.start < line.end && is_blank(source[line.end - 1]) {
            line.end -= 1;
        }
    }
    if own > BRACKETED_LINE {
        return;
    }
    let begin = line.start;
    while line.start < line.end && is_blank(source[line.start]) {
        line.start += 1;
    }
    line.spaces = if own == BRACKETED_LINE {
        usize::from(line.start > begin)
    } else {
        own as usize
    };
}

/// The text of the lines from `first` to `last`, line endings included.
pub(crate) fn write_lines(
    text: &Text<'_>,
    spelled: &[Spelled],
    first: usize,
    last: usize,
    into: &mut String,
) {
    if first > last {
        return;
    }
    for (line, spelled) in (first..).zip(&spelled[first..=last]) {
        spelled.write(text.source, into);
        if line < text.line_count() || text.ends_with_newline() {
            into.push('\n');
        }
    }
}
