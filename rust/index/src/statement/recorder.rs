//! Cuts import statements out of the source; comments are left out.

use super::Statements;
use crate::scan::Import;
use crate::words::is_word_byte;

/// Import statements are cut at this length.
const MAX_STATEMENT_BYTES: usize = 8192;

#[derive(Debug)]
pub(super) struct Recorder {
    rule: usize,
    text: Vec<u8>,
    segment: usize,
    depth: u32,
    line: u32,
}

impl Statements<'_> {
    pub(super) fn starts_import(&self, index: usize, end: usize) -> bool {
        let rule = &self.table.rules.imports[index];
        if self.recorder.is_some() || !self.is_at(rule.at) {
            return false;
        }
        let next = self.skip_white(end, false);
        if rule.end.iter().any(|end| end == "call")
            && !matches!(self.byte_at(next), b'(' | b'"' | b'\'' | b'`' | b'[')
        {
            return false;
        }
        rule.next.is_empty() || self.stands_at(next, &rule.next)
    }

    pub(super) fn start_recorder(&mut self, rule: usize, start: usize, line: u32) {
        if self.recorder.is_none() {
            self.recorder = Some(Recorder {
                rule,
                text: Vec::new(),
                segment: start,
                depth: 0,
                line,
            });
        }
    }

    pub(crate) fn skip_comment(&mut self, start: usize, end: usize) {
        if let Some(recorder) = &mut self.recorder {
            recorder
                .text
                .extend_from_slice(&self.source[recorder.segment..start]);
            recorder.segment = end;
        }
    }

    pub(super) fn record_line_end(&mut self, position: usize, imports: &mut Vec<Import>) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        let rule = &self.table.rules.imports[recorder.rule];
        let ends = recorder.depth == 0 && rule.end.iter().any(|end| end == "line");
        if ends || self.is_too_long(position) {
            self.finish_recorder(position, imports);
        }
    }

    pub(super) fn is_too_long(&self, at: usize) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| {
            recorder.text.len() + at - recorder.segment > MAX_STATEMENT_BYTES
        })
    }

    pub(super) fn record_punctuation(&mut self, byte: u8, at: usize, imports: &mut Vec<Import>) {
        if self.recorder.is_none() {
            return;
        }
        if self.is_too_long(at) {
            self.finish_recorder(at, imports);
            return;
        }
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let rule = &self.table.rules.imports[recorder.rule];
        let ends_with = |text: &str| rule.end.iter().any(|end| end == text);
        if recorder.depth == 0 && rule.drop_at.as_bytes().contains(&byte) {
            self.recorder = None;
            return;
        }
        match byte {
            b'{' if recorder.depth == 0 && ends_with("{") => self.finish_recorder(at, imports),
            b'(' | b'[' | b'{' => recorder.depth += 1,
            b')' | b']' | b'}' if recorder.depth == 0 => self.finish_recorder(at, imports),
            b')' | b']' | b'}' => {
                recorder.depth -= 1;
                if recorder.depth == 0 && ends_with("call") {
                    self.finish_recorder(at + 1, imports);
                }
            }
            b';' if recorder.depth == 0 && ends_with(";") => self.finish_recorder(at, imports),
            _ => {}
        }
    }

    /// End a recorded call whose argument was a string without brackets.
    pub(crate) fn end_call(&mut self, end: usize, imports: &mut Vec<Import>) {
        if let Some(recorder) = &self.recorder
            && recorder.depth == 0
            && self.table.rules.imports[recorder.rule]
                .end
                .iter()
                .any(|end| end == "call")
        {
            self.finish_recorder(end, imports);
        }
    }

    pub(super) fn finish_recorder(&mut self, end: usize, imports: &mut Vec<Import>) {
        let Some(mut recorder) = self.recorder.take() else {
            return;
        };
        if recorder.segment < end {
            recorder
                .text
                .extend_from_slice(&self.source[recorder.segment..end]);
        }
        let text = recorder.text.trim_ascii();
        let text = &text[..text.len().min(MAX_STATEMENT_BYTES)];
        let rule = &self.table.rules.imports[recorder.rule];
        if rule.requires.is_empty()
            || rule
                .requires
                .iter()
                .any(|word| contains_word(text, word.as_bytes()))
        {
            imports.push(Import {
                text: text.to_vec(),
                line: recorder.line,
            });
        }
    }

    /// Close what the end of the source leaves open.
    pub(crate) fn finish(&mut self, end: usize, imports: &mut Vec<Import>) {
        if let Some(recorder) = &self.recorder {
            if self.table.rules.imports[recorder.rule]
                .end
                .iter()
                .any(|end| end == "call")
            {
                self.recorder = None;
            } else {
                self.finish_recorder(end, imports);
            }
        }
    }
}

/// Whether `text` holds `word` outside `"`, `'` and back-quoted strings.
fn contains_word(text: &[u8], word: &[u8]) -> bool {
    let mut position = 0;
    while position < text.len() {
        let byte = text[position];
        if matches!(byte, b'"' | b'\'' | b'`') {
            position += 1;
            while position < text.len() && text[position] != byte {
                position += if text[position] == b'\\' { 2 } else { 1 };
            }
            position += 1;
        } else if is_word_byte(byte) {
            let start = position;
            while position < text.len() && is_word_byte(text[position]) {
                position += 1;
            }
            if &text[start..position] == word {
                return true;
            }
        } else {
            position += 1;
        }
    }
    false
}
