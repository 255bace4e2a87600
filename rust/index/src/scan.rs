//! The lexer: comments, strings, words and brackets of a source, by the table of its language.

use memchr::memmem;

use crate::statement::Statements;
use crate::table::{
    DIGIT, FileKind, IDENT_EXTRA, IDENT_START, IDENT_TAIL, Marked, SPACE, StringForm, TRIGGER,
    Table, Trigger,
};
use crate::words::{Field, Words, is_word_byte};

/// Strings interpolated inside one another beyond this depth are read as plain text.
const MAX_INTERPOLATIONS: usize = 64;
/// A `%q(`, `s{}{}` or `/regex/` that does not end within so many bytes is punctuation.
const MAX_BRACKETED_BYTES: usize = 65_536;
const MAX_CHARACTER_BYTES: usize = 12;
const MAX_MARKS: usize = 32;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: String,
    pub(crate) line: u32,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) text: Vec<u8>,
    pub(crate) line: u32,
}

/// What a scan collects; reused from file to file.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) words: Words,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) imports: Vec<Import>,
}

impl Findings {
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.definitions.clear();
        self.imports.clear();
    }
}

/// Collect the words, definitions and import statements of a decoded source.
pub(crate) fn scan_source(table: Option<&Table>, source: &[u8], findings: &mut Findings) {
    let field = match table.map(|table| table.rules.kind) {
        Some(FileKind::Code) => {
            Lexer::new(table.expect("matched above"), source, findings).run();
            return;
        }
        Some(FileKind::Data) => Field::Strings,
        Some(FileKind::Text) | None => Field::Comments,
    };
    findings.words.add_all(source, 0, source.len(), field, None);
}

#[derive(Debug)]
struct Interpolation {
    rule: usize,
    field: Field,
    nested: u32,
}

#[derive(Debug)]
struct Heredoc {
    word: (usize, usize),
    indented: bool,
}

// The flags are independent of each other: a state machine would need their product.
#[allow(clippy::struct_excessive_bools)]
struct Lexer<'a> {
    table: &'a Table,
    source: &'a [u8],
    position: usize,
    line: u32,
    findings: &'a mut Findings,
    statements: Statements<'a>,
    interpolations: Vec<Interpolation>,
    heredocs: Vec<Heredoc>,
    in_directive: bool,
    line_has_token: bool,
    operand_before: bool,
    after_docstring_word: bool,
}

impl<'a> Lexer<'a> {
    fn new(table: &'a Table, source: &'a [u8], findings: &'a mut Findings) -> Self {
        Self {
            table,
            source,
            position: 0,
            line: 1,
            findings,
            statements: Statements::new(table, source),
            interpolations: Vec::new(),
            heredocs: Vec::new(),
            in_directive: false,
            line_has_token: false,
            operand_before: false,
            after_docstring_word: false,
        }
    }

    fn run(mut self) {
        while let Some(&byte) = self.source.get(self.position) {
            let class = self.table.class[byte as usize];
            if class & SPACE != 0 {
                self.position += 1;
            } else if byte == b'\n' {
                self.end_line();
            } else if (class & TRIGGER != 0 && self.start_triggered(byte))
                || (class & IDENT_START != 0 && self.take_identifier())
            {
                // Taken.
            } else if class & DIGIT != 0 {
                self.take_number();
            } else {
                self.take_punctuation(byte);
            }
        }
        self.statements
            .finish(self.source.len(), &mut self.findings.imports);
    }

    /// Whether tokens here say nothing about statements: preprocessor lines and interpolated expressions.
    fn is_gated(&self) -> bool {
        self.in_directive || !self.interpolations.is_empty()
    }

    fn is_continued(&self) -> bool {
        let end = self.position;
        let end = if end > 0 && self.source[end - 1] == b'\r' {
            end - 1
        } else {
            end
        };
        end > 0 && self.source[end - 1] == b'\\'
    }

    fn end_line(&mut self) {
        let is_continued = self.is_continued();
        if !is_continued && self.interpolations.is_empty() {
            self.statements
                .end_line(self.position, self.in_directive, &mut self.findings.imports);
            self.in_directive = false;
        }
        self.position += 1;
        self.line += 1;
        self.line_has_token = false;
        if !self.heredocs.is_empty() {
            self.take_heredoc_bodies();
        }
    }

    fn count_lines(&mut self, start: usize, end: usize) {
        self.line += memchr::memchr_iter(b'\n', &self.source[start..end]).count() as u32;
    }

    fn starts_with(&self, position: usize, text: &str) -> bool {
        self.source[position..].starts_with(text.as_bytes())
    }

    fn start_triggered(&mut self, byte: u8) -> bool {
        let table = self.table;
        for &trigger in &table.triggers[byte as usize] {
            let is_taken = match trigger {
                Trigger::LineStartComment(index) => self.take_line_start_comment(index),
                Trigger::MarkedComment(index) => self.take_marked_comment(index),
                Trigger::BlockComment(index) => self.take_block_comment(index),
                Trigger::LineComment(index) => self.take_line_comment(index),
                Trigger::String(index) => self.take_string(index),
            };
            if is_taken {
                return true;
            }
        }
        false
    }

    fn finish_comment(&mut self, start: usize, end: usize) {
        self.findings
            .words
            .add_all(self.source, start, end, Field::Comments, None);
        self.statements.skip_comment(start, end);
        self.count_lines(start, end);
        self.position = end;
    }

    fn take_line_start_comment(&mut self, index: usize) -> bool {
        let start = self.position;
        let (open, close) = &self.table.rules.line_start_comments[index];
        if !(start == 0 || self.source[start - 1] == b'\n') || !self.starts_with(start, open) {
            return false;
        }
        let mut end = start;
        loop {
            let is_last = end > start && self.starts_with(end, close);
            end = self.line_end(end);
            if is_last || end == self.source.len() {
                break;
            }
            end += 1;
        }
        self.finish_comment(start, end);
        true
    }

    fn line_end(&self, start: usize) -> usize {
        memchr::memchr(b'\n', &self.source[start..])
            .map_or(self.source.len(), |offset| start + offset)
    }

    fn take_marked_comment(&mut self, index: usize) -> bool {
        let Some((_, end, _)) = self.match_marked(&self.table.rules.marked_comments[index]) else {
            return false;
        };
        self.finish_comment(self.position, end);
        true
    }

    fn take_block_comment(&mut self, index: usize) -> bool {
        let start = self.position;
        let (open, close) = &self.table.rules.block_comments[index];
        if !self.starts_with(start, open) {
            return false;
        }
        let mut end = start + open.len();
        let mut depth = 1_u32;
        while depth > 0 {
            let close_at =
                memmem::find(&self.source[end..], close.as_bytes()).map(|offset| end + offset);
            let Some(close_at) = close_at else {
                end = self.source.len();
                break;
            };
            let open_at = if self.table.rules.nested_comments {
                memmem::find(&self.source[end..close_at], open.as_bytes())
                    .map(|offset| end + offset)
            } else {
                None
            };
            if let Some(open_at) = open_at {
                depth += 1;
                end = open_at + open.len();
            } else {
                depth -= 1;
                end = close_at + close.len();
            }
        }
        self.finish_comment(start, end);
        true
    }

    fn take_line_comment(&mut self, index: usize) -> bool {
        let start = self.position;
        let rules = &self.table.rules;
        if !self.starts_with(start, &rules.line_comments[index]) {
            return false;
        }
        if rules.line_comment_after_space
            && start > 0
            && !b" \t\r\n;|&(){}".contains(&self.source[start - 1])
        {
            return false;
        }
        if rules
            .line_comment_exceptions
            .iter()
            .any(|text| self.starts_with(start, text))
        {
            return false;
        }
        let mut end = self.line_end(start);
        while rules.continued_line_comments
            && end < self.source.len()
            && self.source[end - 1] == b'\\'
        {
            end = self.line_end(end + 1);
        }
        self.finish_comment(start, end);
        true
    }

    /// Match a marked opener here: (content start, end after the closer, content end).
    fn match_marked(&self, marked: &Marked) -> Option<(usize, usize, usize)> {
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

    fn take_string(&mut self, index: usize) -> bool {
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
    fn string_field(&self, is_multiline: bool) -> Field {
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

    fn finish_string(&mut self, start: usize, end: usize) {
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
    fn take_quoted(&mut self, index: usize, open_at: usize) {
        let rule = &self.table.rules.strings[index];
        let field = self.string_field(rule.multiline);
        self.continue_quoted(index, open_at, open_at + rule.open.len(), field);
    }

    fn continue_quoted(&mut self, index: usize, string_start: usize, content: usize, field: Field) {
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

    fn is_interpolation(&self, index: usize, position: usize) -> bool {
        let rule = &self.table.rules.strings[index];
        rule.interpolation
            .first()
            .is_some_and(|open| self.starts_with(position, open))
            && self.interpolations.len() < MAX_INTERPOLATIONS
    }

    fn take_character(&mut self) -> bool {
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

    fn take_marked_string(&mut self, marked: &Marked, string_start: usize) -> bool {
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

    fn open_heredoc(&mut self, index: usize) -> bool {
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
    fn heredoc_end(&self, heredoc: &Heredoc, start: usize) -> Option<(usize, usize)> {
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

    fn take_heredoc_bodies(&mut self) {
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

    fn take_bracketed(&mut self, index: usize) -> bool {
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

    fn match_bracketed(&self, delimiter_at: usize, is_word: bool, parts: usize) -> Option<usize> {
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

    fn match_delimited(&self, open_at: usize) -> Option<usize> {
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

    fn take_regex(&mut self) -> bool {
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

    fn identifier_end(&self, start: usize) -> Option<usize> {
        identifier_end(self.table, self.source, start)
    }

    fn take_identifier(&mut self) -> bool {
        let start = self.position;
        let Some(end) = self.identifier_end(start) else {
            return false;
        };
        if self.table.has_prefixes
            && end < self.source.len()
            && self.take_prefixed_string(start, end)
        {
            return true;
        }
        let word = &self.source[start..end];
        let has_extra = word
            .iter()
            .any(|&byte| self.table.class[byte as usize] & IDENT_EXTRA != 0);
        if has_extra {
            self.findings
                .words
                .add_all(self.source, start, end, Field::Code, None);
        } else {
            self.findings
                .words
                .add(self.source, start, end, Field::Code);
        }
        let keyword = self.table.keyword(word);
        self.after_docstring_word = keyword.is_some_and(|keyword| keyword.is_docstring_word);
        self.operand_before = !keyword.is_some_and(|keyword| keyword.is_operand_word);
        self.line_has_token = true;
        self.position = end;
        if !self.is_gated() {
            self.statements
                .take_word(start, end, keyword, self.line, self.findings);
        }
        true
    }

    fn take_prefixed_string(&mut self, start: usize, end: usize) -> bool {
        let table = self.table;
        let word = &self.source[start..end];
        for (index, rule) in table.rules.strings.iter().enumerate() {
            let is_prefix = rule
                .prefixes
                .iter()
                .any(|prefix| prefix.as_bytes().eq_ignore_ascii_case(word));
            if !is_prefix || !self.starts_with(end, &rule.open) {
                continue;
            }
            match rule.form {
                StringForm::Quoted => self.take_quoted(index, end),
                StringForm::Marked => {
                    self.position = end;
                    let marked = rule.marked();
                    if !self.take_marked_string(&marked, end) {
                        self.position = start;
                        continue;
                    }
                }
                StringForm::Character => {
                    self.position = end;
                    if !self.take_character() {
                        self.position = start;
                        continue;
                    }
                }
                _ => continue,
            }
            return true;
        }
        false
    }

    fn take_number(&mut self) {
        let mut end = self.position + 1;
        while self.source.get(end).is_some_and(|&byte| is_word_byte(byte)) {
            end += 1;
        }
        self.position = end;
        self.line_has_token = true;
        self.operand_before = true;
        self.after_docstring_word = false;
        if !self.is_gated() {
            self.statements.take_number();
        }
    }

    fn take_punctuation(&mut self, byte: u8) {
        if byte == b'#'
            && self.table.rules.preprocessor
            && !self.line_has_token
            && self.interpolations.is_empty()
        {
            self.take_directive();
            return;
        }
        if self.close_interpolation(byte) {
            return;
        }
        let at = self.position;
        self.position += 1;
        self.line_has_token = true;
        self.operand_before = matches!(byte, b')' | b']' | b'}');
        self.after_docstring_word = false;
        if self.interpolations.is_empty() {
            self.statements
                .take_punctuation(byte, at, self.in_directive, self.line, self.findings);
        }
    }

    /// Go back into the string when `byte` closes the innermost interpolation.
    fn close_interpolation(&mut self, byte: u8) -> bool {
        let table = self.table;
        let Some(top) = self.interpolations.last_mut() else {
            return false;
        };
        let pair = &table.rules.strings[top.rule].interpolation;
        let open = pair[0].as_bytes()[pair[0].len() - 1];
        let close = pair[1].as_bytes()[0];
        if byte == close {
            if top.nested == 0 {
                let (rule, field) = (top.rule, top.field);
                self.interpolations.pop();
                self.continue_quoted(rule, self.position, self.position + 1, field);
                return true;
            }
            top.nested -= 1;
        } else if byte == open {
            top.nested += 1;
        }
        false
    }

    fn take_directive(&mut self) {
        let start = self.position;
        let mut word_start = start + 1;
        while matches!(self.source.get(word_start), Some(b' ' | b'\t')) {
            word_start += 1;
        }
        let mut end = word_start;
        while self.source.get(end).is_some_and(|&byte| is_word_byte(byte)) {
            end += 1;
        }
        self.in_directive = true;
        self.line_has_token = true;
        self.operand_before = false;
        self.position = end.max(start + 1);
        let word = &self.source[word_start..end];
        self.statements
            .take_directive(start, word, end, self.line, self.findings);
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

/// The end of the identifier that starts at `start`; extra start bytes must lead to a letter.
pub(crate) fn identifier_end(table: &Table, source: &[u8], start: usize) -> Option<usize> {
    let mut position = start;
    loop {
        let &byte = source.get(position)?;
        let class = table.class[byte as usize];
        if class & IDENT_START == 0 {
            return None;
        }
        position += 1;
        if class & IDENT_EXTRA == 0 {
            break;
        }
    }
    while source
        .get(position)
        .is_some_and(|&byte| table.class[byte as usize] & IDENT_TAIL != 0)
    {
        position += 1;
    }
    Some(position)
}
