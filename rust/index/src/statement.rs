//! From tokens to rough definitions and import statements: where statements start, which scope a brace opens.

mod names;
mod recorder;
mod scopes;

use recorder::Recorder;

use crate::scan::{Definition, Findings, Import, identifier_end};
use crate::table::{Block, Keyword, NameForm, Place, Scope, Table};
use crate::words::{Field, is_word_byte};

const MAX_CONDITIONALS: usize = 256;

#[derive(Debug, Clone, Copy)]
struct Frame {
    scope: Block,
    brackets: u32,
    is_typedef: bool,
}

#[derive(Debug)]
struct Pending {
    definer: usize,
    /// Open brackets of the group that is being passed over.
    group: u32,
}

#[derive(Debug, Clone, Copy)]
struct Name {
    start: usize,
    end: usize,
    line: u32,
}

#[derive(Debug, Clone, Copy)]
enum Callable {
    None,
    Arguments {
        name: Name,
        brackets: u32,
    },
    Tail {
        name: Name,
        close_line: u32,
        has_colon: bool,
    },
}

// The flags are independent of each other: a state machine would need their product.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Statements<'a> {
    table: &'a Table,
    source: &'a [u8],
    frames: Vec<Frame>,
    brackets: u32,
    at_start: bool,
    tokens: u32,
    opens: Option<Block>,
    is_transparent: bool,
    is_typedef: bool,
    is_blocked: bool,
    previous_word: Option<Name>,
    before_word: u8,
    last_punctuation: u8,
    defined_end: usize,
    pending: Option<Pending>,
    callable: Callable,
    recorder: Option<Recorder>,
    conditionals: Vec<(Vec<Frame>, u32)>,
}

impl<'a> Statements<'a> {
    pub(crate) fn new(table: &'a Table, source: &'a [u8]) -> Self {
        Self {
            table,
            source,
            frames: Vec::new(),
            brackets: 0,
            at_start: true,
            tokens: 0,
            opens: None,
            is_transparent: false,
            is_typedef: false,
            is_blocked: false,
            previous_word: None,
            before_word: 0,
            last_punctuation: 0,
            defined_end: usize::MAX,
            pending: None,
            callable: Callable::None,
            recorder: None,
            conditionals: Vec::new(),
        }
    }

    pub(crate) fn is_empty_statement(&self) -> bool {
        self.tokens == 0 && self.brackets == 0
    }

    fn scope(&self) -> Block {
        self.frames.last().map_or(Block::Top, |frame| frame.scope)
    }

    fn is_in(&self, scope: Scope) -> bool {
        let here = self.scope();
        match scope {
            Scope::Any => true,
            Scope::Top => here == Block::Top && self.brackets == 0,
            Scope::Type => here != Block::Body && self.brackets == 0,
            Scope::InsideType => here == Block::Type && self.brackets == 0,
        }
    }

    fn is_at(&self, place: Place) -> bool {
        place == Place::Anywhere || self.at_start
    }

    fn reset(&mut self) {
        self.at_start = true;
        self.tokens = 0;
        self.is_transparent = false;
        self.is_typedef = false;
        self.is_blocked = false;
        self.previous_word = None;
        self.before_word = 0;
        self.last_punctuation = 0;
        self.pending = None;
    }

    fn byte_at(&self, position: usize) -> u8 {
        self.source.get(position).copied().unwrap_or_default()
    }

    fn skip_white(&self, start: usize, with_lines: bool) -> usize {
        let mut position = start;
        while let Some(byte) = self.source.get(position) {
            match byte {
                b' ' | b'\t' | b'\r' => position += 1,
                b'\n' if with_lines => position += 1,
                _ => break,
            }
        }
        position
    }

    /// Whether one of `texts` stands at `position`; words must end there.
    fn stands_at(&self, position: usize, texts: &[String]) -> bool {
        texts.iter().any(|text| {
            let bytes = text.as_bytes();
            self.source[position.min(self.source.len())..].starts_with(bytes)
                && !(is_word_byte(bytes[bytes.len() - 1])
                    && is_word_byte(self.byte_at(position + bytes.len())))
        })
    }

    pub(crate) fn take_word(
        &mut self,
        start: usize,
        end: usize,
        keyword: Option<&Keyword>,
        line: u32,
        findings: &mut Findings,
    ) {
        let name = Name { start, end, line };
        self.resolve_pending(name, keyword, findings);
        if let Some(keyword) = keyword {
            self.start_definer(keyword);
            if let Some(&rule) = keyword
                .imports
                .iter()
                .find(|&&rule| self.starts_import(rule, end))
            {
                self.start_recorder(rule, start, line);
            }
            self.is_transparent |= keyword.is_transparent;
            self.is_typedef |= keyword.is_typedef;
        }
        if self.at_start {
            self.try_bindings(name, findings);
        }
        self.at_start &= keyword.is_some_and(|keyword| keyword.is_modifier);
        self.before_word = self.last_punctuation;
        self.last_punctuation = 0;
        self.previous_word = Some(name);
        self.tokens += 1;
    }

    fn resolve_pending(&mut self, name: Name, keyword: Option<&Keyword>, findings: &mut Findings) {
        let Some(pending) = &self.pending else { return };
        if pending.group > 0 {
            return;
        }
        let definer = &self.table.rules.definers[pending.definer];
        let word = &self.source[name.start..name.end];
        if definer.skip.iter().any(|skip| skip.as_bytes() == word) {
            return;
        }
        self.pending = None;
        let restarts = keyword.is_some_and(|keyword| !keyword.definers.is_empty());
        if !restarts && definer.name == NameForm::Identifier {
            self.define_after_keyword(definer, name, findings);
        }
    }

    pub(crate) fn take_number(&mut self) {
        self.pending = None;
        self.take_operand();
    }

    fn take_operand(&mut self) {
        self.at_start = false;
        self.tokens += 1;
        self.previous_word = None;
        self.last_punctuation = 0;
    }

    pub(crate) fn take_string(
        &mut self,
        start: usize,
        end: usize,
        in_directive: bool,
        line: u32,
        definitions: &mut Vec<Definition>,
    ) {
        if in_directive {
            return;
        }
        if let Some(pending) = self.pending.take_if(|pending| pending.group == 0) {
            let definer = &self.table.rules.definers[pending.definer];
            if definer.name == NameForm::String {
                let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
                let mut text = &self.source[start..end];
                if text.first().is_some_and(is_quote) {
                    text = &text[1..];
                }
                if text.last().is_some_and(is_quote) {
                    text = &text[..text.len() - 1];
                }
                definitions.push(Definition {
                    name: text.to_vec(),
                    kind: definer.kind.clone(),
                    line,
                });
                self.opens = Some(definer.opens);
            }
        }
        self.take_operand();
    }

    pub(crate) fn take_directive(
        &mut self,
        start: usize,
        word: &[u8],
        end: usize,
        line: u32,
        findings: &mut Findings,
    ) {
        match word {
            b"if" | b"ifdef" | b"ifndef" if self.conditionals.len() < MAX_CONDITIONALS => {
                self.conditionals.push((self.frames.clone(), self.brackets));
            }
            b"else" | b"elif" | b"elifdef" | b"elifndef" => {
                if let Some((frames, brackets)) = self.conditionals.last() {
                    self.frames.clone_from(frames);
                    self.brackets = *brackets;
                }
            }
            b"endif" => {
                self.conditionals.pop();
            }
            _ => {}
        }
        let name = [b"#", word].concat();
        let Some(keyword) = self.table.keyword(&name) else {
            return;
        };
        if let Some(&index) = keyword.definers.first() {
            let name_start = self.skip_white(end, false);
            if let Some(name_end) = identifier_end(self.table, self.source, name_start) {
                let definer = &self.table.rules.definers[index];
                findings
                    .words
                    .add_all(self.source, name_start, name_end, Field::Definitions, None);
                let text = self.source[name_start..name_end].to_vec();
                findings.definitions.push(Definition {
                    name: text,
                    kind: definer.kind.clone(),
                    line,
                });
            }
        }
        if let Some(&rule) = keyword.imports.first() {
            self.start_recorder(rule, start, line);
        }
    }

    pub(crate) fn take_punctuation(
        &mut self,
        byte: u8,
        at: usize,
        in_directive: bool,
        line: u32,
        findings: &mut Findings,
    ) {
        self.record_punctuation(byte, at, &mut findings.imports);
        if in_directive {
            return;
        }
        self.pass_pending(byte);
        if byte == b'.'
            && self.at_start
            && matches!(self.byte_at(at + 1), b' ' | b'\t')
            && let Some(&rule) = self.table.dot_imports.first()
        {
            self.start_recorder(rule, at, line);
        }
        let opens_scopes = self.table.rules.braces_open_scopes;
        let is_reset = match byte {
            b'{' if opens_scopes => self.open_brace(findings),
            b'}' if opens_scopes => self.close_brace(at),
            b'(' | b'[' | b'{' => self.open_bracket(byte, line),
            b')' | b']' | b'}' => self.close_bracket(line),
            b';' if self.brackets == 0 => self.end_statement(findings),
            b'=' if self.brackets == 0 => self.take_equals(at, findings),
            b':' => {
                if let Callable::Tail { has_colon, .. } = &mut self.callable {
                    *has_colon = true;
                }
                false
            }
            _ => false,
        };
        if is_reset {
            return;
        }
        self.take_operand();
        self.last_punctuation = byte;
    }

    /// Pass over punctuation between a keyword and its name, or give the definer up.
    fn pass_pending(&mut self, byte: u8) {
        let last = self.last_punctuation;
        let Some(pending) = &mut self.pending else {
            return;
        };
        let definer = &self.table.rules.definers[pending.definer];
        let open = definer.skip_group.as_bytes().first().copied();
        if pending.group > 0 {
            let close = match open {
                Some(b'(') => b')',
                Some(b'[') => b']',
                _ => b'>',
            };
            if Some(byte) == open {
                pending.group += 1;
            } else if byte == close && !(byte == b'>' && matches!(last, b'-' | b'=')) {
                pending.group -= 1;
            }
        } else if Some(byte) == open {
            pending.group = 1;
        } else if !definer.skip.iter().any(|skip| skip.as_bytes() == [byte]) {
            if byte == b'{' {
                self.opens = Some(definer.opens);
            }
            self.pending = None;
        }
    }

    pub(crate) fn end_line(
        &mut self,
        position: usize,
        in_directive: bool,
        imports: &mut Vec<Import>,
    ) {
        self.record_line_end(position, imports);
        if in_directive || self.brackets > 0 || !self.table.rules.newline_ends_statement {
            return;
        }
        if matches!(self.callable, Callable::Tail { .. })
            && self.byte_at(self.skip_white(position, true)) != b'{'
        {
            self.callable = Callable::None;
        }
        self.reset();
    }
}
