//! Where strings end: quoted, character, marked, heredoc, bracketed and regular expression literals.

use memchr::memmem;

use super::{Heredoc, Interpolation, Lexer};
use crate::table::{Marked, StringForm};
use crate::words::{Field, is_word_byte};

/// Strings interpolated inside one another beyond this depth are read as plain text.
const MAX_INTERPOLATIONS: usize = 64;
/// A `%q(`, `s{}{}` or `/regex/` that does not end within so many bytes is punctuation.
const MAX_BRACKETED_BYTES: usize = 65_536;
const MAX_CHARACTER_BYTES: usize = 12;
const MAX_MARKS: usize = 32;

impl Lexer<'_> {
    /// Match a marked opener here: (content start, end after the closer, content end).
    pub(super) fn match_marked(&self, marked: &Marked) -> Option<(usize, usize, usize)> {
        if !self.starts_with(self.position, &marked.open) {
            return None;
        }
        let marks_start = self.position + marked.open.len();
        let mut content = marks_start;
        while content < self.source.len() && content - marks_start < MAX_MARKS {
            let byte = self.source[content];
            let is_mark = if marked.mark == "word" {
                byte.is_ascii_alphanumeric() || byte == b'_'
            } else {
                byte == marked.mark.as_bytes()[0]
            };
            if !is_mark {
                break;
            }
            content += 1;
        }
        let marks = &self.source[marks_start..content];
        if marks.len() < marked.min_marks || !self.starts_with(content, &marked.open_end) {
            return None;
        }
        let content = content + marked.open_end.len();
        let closer = [marked.close.as_bytes(), marks, marked.close_end.as_bytes()].concat();
        let close_at =
            memmem::find(&self.source[content..], &closer).map(|offset| content + offset);
        let end = self.source.len();
        Some(close_at.map_or((content, end, end), |close_at| {
            (content, close_at + closer.len(), close_at)
        }))
    }

    pub(super) fn take_string(&mut self, index: usize) -> bool {
        match self.table.rules.strings[index].form {
            StringForm::Quoted => {
                if !self.starts_with(self.position, &self.table.rules.strings[index].open) {
                    return false;
                }
                self.take_quoted(index, self.position);
                true
            }
            StringForm::Character => self.take_character(),
            StringForm::Marked => {
                let marked = self.table.rules.strings[index].marked();
                self.take_marked_string(&marked, self.position)
            }
            StringForm::Heredoc => self.open_heredoc(index),
            StringForm::Bracketed => self.take_bracketed(index),
            StringForm::Regex => self.take_regex(),
        }
    }

    /// The field of a string that starts here: comments when it stands where documentation does.
    pub(super) fn string_field(&self, is_multiline: bool) -> Field {
        if self.is_gated() {
            return Field::Strings;
        }
        let is_docstring =
            self.table.rules.docstrings && is_multiline && self.statements.is_empty_statement();
        if is_docstring || self.after_docstring_word {
            Field::Comments
        } else {
            Field::Strings
        }
    }

    pub(super) fn finish_string(&mut self, start: usize, end: usize) {
        self.position = end;
        self.line_has_token = true;
        self.operand_before = true;
        self.after_docstring_word = false;
        if self.interpolations.is_empty() {
            self.statements.take_string(
                start,
                end,
                self.in_directive,
                self.line,
                &mut self.findings.definitions,
            );
            self.statements.end_call(end, &mut self.findings.imports);
        }
    }

    /// Lex a quoted string whose opener stands at `open_at`.
    pub(super) fn take_quoted(&mut self, index: usize, open_at: usize) {
        let rule = &self.table.rules.strings[index];
        let field = self.string_field(rule.multiline);
        self.continue_quoted(index, open_at, open_at + rule.open.len(), field);
    }

    pub(super) fn continue_quoted(
        &mut self,
        index: usize,
        string_start: usize,
        content: usize,
        field: Field,
    ) {
        let table = self.table;
        let rule = &table.rules.strings[index];
        let stops = &table.stops[index];
        let escape = rule.escape.as_bytes().first().copied();
        let mut position = content;
        let (content_end, end) = loop {
            while position < self.source.len() && !stops[self.source[position] as usize] {
                position += 1;
            }
            let Some(&byte) = self.source.get(position) else {
                break (position, position);
            };
            if Some(byte) == escape && !self.is_interpolation(index, position) {
                position = (position + 2).min(self.source.len());
            } else if self.starts_with(position, &rule.close) {
                let after = position + rule.close.len();
                if !(rule.doubled && self.starts_with(after, &rule.close)) {
                    break (position, after);
                }
                position = after + rule.close.len();
            } else if byte == b'\n' && !rule.multiline {
                break (position, position);
            } else if self.is_interpolation(index, position) {
                self.findings
                    .words
                    .add_all(self.source, content, position, field, escape);
                self.count_lines(string_start, position);
                self.interpolations.push(Interpolation {
                    rule: index,
                    field,
                    nested: 0,
                });
                self.position = position + rule.interpolation[0].len();
                self.operand_before = false;
                return;
            } else {
                position += 1;
            }
        };
        self.findings
            .words
            .add_all(self.source, content, content_end, field, escape);
        self.count_lines(string_start, end);
        self.finish_string(string_start, end);
    }

    pub(super) fn is_interpolation(&self, index: usize, position: usize) -> bool {
        let rule = &self.table.rules.strings[index];
        rule.interpolation
            .first()
            .is_some_and(|open| self.starts_with(position, open))
            && self.interpolations.len() < MAX_INTERPOLATIONS
    }

    pub(super) fn take_character(&mut self) -> bool {
        let start = self.position;
        let quote = self.source[start];
        let Some(&first) = self.source.get(start + 1) else {
            return false;
        };
        let end = if first == b'\\' {
            let limit = self.source.len().min(start + MAX_CHARACTER_BYTES);
            let from = (start + 3).min(limit);
            self.source[from..limit]
                .iter()
                .position(|&byte| byte == quote)
                .map(|offset| from + offset)
        } else if first == b'\n' || first == quote {
            None
        } else {
            let width = match first {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xff => 4,
                _ => 1,
            };
            let close_at = start + 1 + width;
            (self.source.get(close_at) == Some(&quote)).then_some(close_at)
        };
        let Some(end) = end else { return false };
        if memchr::memchr(b'\n', &self.source[start..end]).is_some() {
            return false;
        }
        self.finish_string(start, end + 1);
        true
    }

    pub(super) fn take_marked_string(&mut self, marked: &Marked, string_start: usize) -> bool {
        let Some((content, end, content_end)) = self.match_marked(marked) else {
            return false;
        };
        let field = self.string_field(true);
        self.findings
            .words
            .add_all(self.source, content, content_end, field, None);
        self.count_lines(string_start, end);
        self.finish_string(string_start, end);
        true
    }

    pub(super) fn open_heredoc(&mut self, index: usize) -> bool {
        let rule = &self.table.rules.strings[index];
        let start = self.position;
        if !self.starts_with(start, &rule.open) {
            return false;
        }
        let byte_at = |position: usize| self.source.get(position).copied().unwrap_or_default();
        let mut position = start + rule.open.len();
        if byte_at(position) == rule.open.as_bytes()[0] {
            return false;
        }
        let has_modifier =
            rule.modifiers.as_bytes().contains(&byte_at(position)) && byte_at(position) != 0;
        position += usize::from(has_modifier);
        while rule.spaces && matches!(byte_at(position), b' ' | b'\t') {
            position += 1;
        }
        let quote = byte_at(position);
        let is_quoted = matches!(quote, b'"' | b'\'' | b'`');
        position += usize::from(is_quoted);
        let word_start = position;
        while byte_at(position).is_ascii_alphanumeric() || byte_at(position) == b'_' {
            position += 1;
        }
        let first = byte_at(word_start);
        if position == word_start
            || first.is_ascii_digit()
            || (is_quoted && byte_at(position) != quote)
        {
            return false;
        }
        if rule.uppercase && !has_modifier && !is_quoted && !first.is_ascii_uppercase() {
            return false;
        }
        let heredoc = Heredoc {
            word: (word_start, position),
            indented: has_modifier || rule.indented,
        };
        let body = self.line_end(position);
        if self.heredoc_end(&heredoc, body + 1).is_none() {
            return false;
        }
        self.heredocs.push(heredoc);
        self.finish_string(start, position + usize::from(is_quoted));
        true
    }

    /// Find the closing line at or after `start`: (its start, the end of the closing word).
    pub(super) fn heredoc_end(&self, heredoc: &Heredoc, start: usize) -> Option<(usize, usize)> {
        let word = &self.source[heredoc.word.0..heredoc.word.1];
        let mut line = start;
        while line < self.source.len() {
            let mut position = line;
            while heredoc.indented && matches!(self.source.get(position), Some(b' ' | b'\t')) {
                position += 1;
            }
            if self.source[position..].starts_with(word) {
                let after = position + word.len();
                if !self
                    .source
                    .get(after)
                    .is_some_and(|&byte| is_word_byte(byte))
                {
                    return Some((line, after));
                }
            }
            line = self.line_end(line) + 1;
        }
        None
    }

    pub(super) fn take_heredoc_bodies(&mut self) {
        for heredoc in std::mem::take(&mut self.heredocs) {
            let start = self.position;
            let Some((close_line, end)) = self.heredoc_end(&heredoc, start) else {
                continue;
            };
            self.findings
                .words
                .add_all(self.source, start, close_line, Field::Strings, None);
            self.count_lines(start, end);
            self.position = end;
            self.line_has_token = true;
        }
    }

    pub(super) fn take_bracketed(&mut self, index: usize) -> bool {
        let rule = &self.table.rules.strings[index];
        let start = self.position;
        for introducer in &rule.introducers {
            if !self.starts_with(start, introducer) {
                continue;
            }
            let is_word = is_word_byte(introducer.as_bytes()[introducer.len() - 1]);
            let before = if start > 0 {
                self.source[start - 1]
            } else {
                b'\n'
            };
            if introducer.as_bytes()[0].is_ascii_alphabetic() && b"$@%&>.".contains(&before) {
                continue;
            }
            if !is_word && self.operand_before {
                continue;
            }
            if let Some(end) = self.match_bracketed(start + introducer.len(), is_word, rule.parts) {
                let content = start + introducer.len() + 1;
                self.findings
                    .words
                    .add_all(self.source, content, end, Field::Strings, Some(b'\\'));
                self.count_lines(start, end);
                self.finish_string(start, end);
                return true;
            }
        }
        false
    }

    pub(super) fn match_bracketed(
        &self,
        delimiter_at: usize,
        is_word: bool,
        parts: usize,
    ) -> Option<usize> {
        let &open = self.source.get(delimiter_at)?;
        if !open.is_ascii_punctuation() || open == b'_' || b",;)]}>".contains(&open) {
            return None;
        }
        if open == b'='
            || (is_word && open == b'-' && self.source.get(delimiter_at + 1) == Some(&b'>'))
        {
            return None;
        }
        let mut end = self.match_delimited(delimiter_at)?;
        for _ in 1..parts {
            if matching_bracket(open).is_none() {
                // `s/a/b/`: the second part shares the middle delimiter.
                end = self.match_delimited(end - 1)?;
            } else {
                let mut next = end;
                while matches!(self.source.get(next), Some(b' ' | b'\t' | b'\n')) {
                    next += 1;
                }
                self.source
                    .get(next)
                    .filter(|byte| byte.is_ascii_punctuation())?;
                end = self.match_delimited(next)?;
            }
        }
        Some(end)
    }

    pub(super) fn match_delimited(&self, open_at: usize) -> Option<usize> {
        let open = self.source[open_at];
        let close = matching_bracket(open).unwrap_or(open);
        let limit = self.source.len().min(open_at + MAX_BRACKETED_BYTES);
        let mut depth = 1_u32;
        let mut position = open_at + 1;
        while position < limit {
            let byte = self.source[position];
            if byte == b'\\' && close != b'\\' {
                position += 1;
            } else if byte == close {
                depth -= 1;
                if depth == 0 {
                    return Some(position + 1);
                }
            } else if byte == open {
                depth += 1;
            }
            position += 1;
        }
        None
    }

    pub(super) fn take_regex(&mut self) -> bool {
        if self.operand_before {
            return false;
        }
        let start = self.position;
        let limit = self.source.len().min(start + MAX_BRACKETED_BYTES);
        let mut in_class = false;
        let mut position = start + 1;
        while position < limit {
            match self.source[position] {
                b'\n' => return false,
                b'\\' => position += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    let mut end = position + 1;
                    while self.source.get(end).is_some_and(u8::is_ascii_alphabetic) {
                        end += 1;
                    }
                    if memchr::memchr(b'\n', &self.source[start..end]).is_some() {
                        return false;
                    }
                    self.findings.words.add_all(
                        self.source,
                        start + 1,
                        position,
                        Field::Strings,
                        Some(b'\\'),
                    );
                    self.finish_string(start, end);
                    return true;
                }
                _ => {}
            }
            position += 1;
        }
        false
    }
}

fn matching_bracket(open: u8) -> Option<u8> {
    match open {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        b'<' => Some(b'>'),
        _ => None,
    }
}
