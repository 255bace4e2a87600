//! How the lines of a source are indented: their level, and where indentation means nothing.

use hashbrown::HashSet;

use crate::definitions::Span;
use crate::lines::{Text, is_blank, is_byte_space};
use crate::rules::Rules;

/// The line begins inside round or square brackets, or with a closing bracket.
pub(crate) const BRACKETED_LINE: u8 = 128;
/// The line begins inside a literal.
pub(crate) const KEPT_LINE: u8 = 255;
const MOST_LEVELS: usize = BRACKETED_LINE as usize - 1;
const TAB: usize = 8;

/// What a kind of node means for the lines that it spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    Literal,
    Comment,
    Open,
    Close,
}

/// Where literals, brackets and comments stand.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    fixed: Vec<Span>,
    brackets: Vec<(usize, u8)>,
    comments: HashSet<usize, foldhash::fast::FixedState>,
}

impl Marks {
    pub(crate) fn add(&mut self, source: &[u8], mark: Mark, (start, end): Span) {
        match mark {
            Mark::None => return,
            Mark::Open | Mark::Close => {
                if start < end {
                    self.brackets.push((start, source[end - 1]));
                }
                return;
            }
            Mark::Comment => {
                self.comments.insert(start);
            }
            Mark::Literal => {}
        }
        if memchr::memchr(b'\n', &source[start..end]).is_some() {
            self.fixed.push((start, end));
        }
    }

    /// One byte per line, or nothing where all lines stay.
    pub(crate) fn layout(mut self, text: &Text<'_>, rules: &Rules) -> Vec<u8> {
        self.fixed.sort_unstable();
        self.brackets.sort_unstable();
        let starts: Vec<usize> = (1..=text.line_count())
            .map(|line| text.bounds(line).0)
            .collect();
        let lines = Lines {
            text,
            is_free: rules.is_free,
            kept: lines_inside(&self.fixed, &starts),
            inside: innermost_brackets(&self.brackets, &starts),
            comments: &self.comments,
        };
        lines.layout().unwrap_or_default()
    }
}

struct Lines<'a> {
    text: &'a Text<'a>,
    is_free: bool,
    /// By line, from 0, whether it begins inside a literal.
    kept: Vec<bool>,
    /// By line, from 0, the bracket that is open where it begins, or 0.
    inside: Vec<u8>,
    comments: &'a HashSet<usize, foldhash::fast::FixedState>,
}

impl Lines<'_> {
    /// None where a block ends where none began: parsers make of it what they like.
    fn layout(&self) -> Option<Vec<u8>> {
        let mut layout = Vec::with_capacity(self.kept.len());
        let mut widths = vec![0];
        for number in 0..self.kept.len() {
            let (start, end) = self.text.bounds(number + 1);
            let line = &self.text.bytes()[start..end];
            let indent = line.iter().take_while(|&&byte| is_blank(byte)).count();
            let body = &line[indent..];
            if self.kept[number] {
                layout.push(KEPT_LINE);
            } else if body.iter().all(|&byte| is_byte_space(byte)) {
                layout.push(0);
            } else if self.is_free
                && (matches!(self.inside[number], b'(' | b'[')
                    || matches!(body[0], b')' | b']' | b'}'))
            {
                layout.push(BRACKETED_LINE);
            } else {
                let width = width_of(&line[..indent]);
                let is_comment = self.comments.contains(&(start + indent));
                if !self.is_free && (self.inside[number] != 0 || self.continues(number)) {
                    // The grammar of Python takes some lines in brackets for the end of a block they are left of.
                    let deepest = (widths.len() - 1).clamp(1, MOST_LEVELS);
                    layout.push(width.min(deepest) as u8);
                    continue;
                }
                let is_outside = width < widths[widths.len() - 1] && !widths.contains(&width);
                if !self.is_free && !is_comment && is_outside {
                    return None;
                }
                let level = level(&mut widths, width, is_comment && !self.is_free);
                layout.push(level.min(MOST_LEVELS) as u8);
            }
        }
        Some(layout)
    }

    /// Whether the line before ends with a backslash; a comment goes no further than its line.
    fn continues(&self, number: usize) -> bool {
        if number == 0 {
            return false;
        }
        let (start, end) = self.text.bounds(number);
        let line = &self.text.bytes()[start..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.ends_with(b"\\") && !(start..=end).any(|at| self.comments.contains(&at))
    }
}

fn width_of(indent: &[u8]) -> usize {
    indent.iter().fold(0, |width, &byte| {
        if byte == b'\t' {
            width + TAB - width % TAB
        } else {
            width + 1
        }
    })
}

/// The level of a line of this width, given the widths of the open blocks; comments change none.
fn level(widths: &mut Vec<usize>, width: usize, is_comment: bool) -> usize {
    if is_comment {
        // Between two blocks it belongs to the outer one.
        return if width > widths[widths.len() - 1] {
            widths.len()
        } else {
            let within = widths.iter().filter(|&&opened| opened <= width).count();
            within.saturating_sub(1)
        };
    }
    while widths.last().is_some_and(|&opened| opened > width) {
        widths.pop();
    }
    if widths.last().is_none_or(|&opened| opened < width) {
        widths.push(width);
    }
    widths.len() - 1
}

fn lines_inside(fixed: &[Span], starts: &[usize]) -> Vec<bool> {
    let mut kept = vec![false; starts.len()];
    let mut line = 0;
    for &(start, end) in fixed {
        // Nodes stand in order of their start, so that the line only moves forward.
        while line + 1 < starts.len() && starts[line + 1] <= start {
            line += 1;
        }
        let mut inner = line + 1;
        while inner < starts.len() && starts[inner] < end {
            kept[inner] = true;
            inner += 1;
        }
    }
    kept
}

fn innermost_brackets(brackets: &[(usize, u8)], starts: &[usize]) -> Vec<u8> {
    let mut inside = Vec::with_capacity(starts.len());
    let mut stack = Vec::new();
    for &(position, bracket) in brackets {
        while inside.len() < starts.len() && starts[inside.len()] <= position {
            inside.push(stack.last().copied().unwrap_or(0));
        }
        if matches!(bracket, b'(' | b'[' | b'{') {
            stack.push(bracket);
        } else {
            stack.pop();
        }
    }
    inside.resize(starts.len(), stack.last().copied().unwrap_or(0));
    inside
}
