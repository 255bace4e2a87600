//! The lexer: comments, strings, words and brackets of a source, by the table of its language.

mod strings;

use memchr::memmem;

use crate::statement::Statements;
use crate::table::{
    DIGIT, FileKind, IDENT_EXTRA, IDENT_START, IDENT_TAIL, SPACE, StringForm, TRIGGER, Table,
    Trigger,
};
use crate::words::{Field, Words, is_word_byte};

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
