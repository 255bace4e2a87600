//! From tokens to rough definitions and import statements: where statements start, which scope a brace opens.

use crate::scan::{Definition, Findings, Import, identifier_end};
use crate::table::{Binding, Block, Definer, Keyword, NameForm, NamePattern, Place, Scope, Table};
use crate::words::{Field, is_word_byte};

/// Import statements are cut at this length.
pub(crate) const MAX_STATEMENT_BYTES: usize = 8192;
/// An annotation between a name and its `=` is looked through up to this length.
const MAX_ANNOTATION_BYTES: usize = 512;
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

#[derive(Debug)]
struct Recorder {
    rule: usize,
    text: Vec<u8>,
    segment: usize,
    depth: u32,
    line: u32,
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

    fn start_definer(&mut self, keyword: &Keyword) {
        let rules = &self.table.rules.definers;
        let found = keyword
            .definers
            .iter()
            .find(|&&index| self.is_at(rules[index].at) && self.is_in(rules[index].scope));
        let Some(&index) = found else { return };
        if rules[index].name == NameForm::None {
            self.opens = Some(rules[index].opens);
        } else {
            self.pending = Some(Pending {
                definer: index,
                group: 0,
            });
        }
    }

    fn define_after_keyword(&mut self, definer: &Definer, name: Name, findings: &mut Findings) {
        let mut last = name;
        while let Some(joiner) = definer
            .joiners
            .iter()
            .find(|joiner| self.source[last.end..].starts_with(joiner.as_bytes()))
        {
            let start = last.end + joiner.len();
            let Some(end) = identifier_end(self.table, self.source, start) else {
                break;
            };
            last = Name {
                start,
                end,
                line: name.line,
            };
        }
        if !definer.followed_by.is_empty()
            && !self.stands_at(self.skip_white(last.end, true), &definer.followed_by)
        {
            return;
        }
        self.opens = Some(definer.opens);
        self.define(last, &definer.kind, findings);
    }

    fn define(&mut self, name: Name, kind: &str, findings: &mut Findings) {
        findings
            .words
            .add_all(self.source, name.start, name.end, Field::Definitions, None);
        let text = self.source[name.start..name.end].to_vec();
        findings.definitions.push(Definition {
            name: text,
            kind: kind.to_owned(),
            line: name.line,
        });
        self.defined_end = name.end;
        self.callable = Callable::None;
    }

    fn try_bindings(&mut self, name: Name, findings: &mut Findings) {
        let table = self.table;
        let found = table
            .rules
            .bindings
            .iter()
            .find(|binding| self.binds(binding, name));
        if let Some(binding) = found {
            self.define(name, &binding.kind, findings);
        }
    }

    fn binds(&self, binding: &Binding, name: Name) -> bool {
        if !self.is_in(binding.scope) || (binding.column_zero && !self.is_column_zero(name.start)) {
            return false;
        }
        if binding.pattern == NamePattern::Upper && !self.source[name.start].is_ascii_uppercase() {
            return false;
        }
        let mut position = self.skip_white(name.end, false);
        if binding.annotated
            && self.byte_at(position) == b':'
            && !matches!(self.byte_at(position + 1), b'=' | b':')
        {
            match self.end_of_annotation(position + 1) {
                Some(operator) => position = operator,
                None => return false,
            }
        }
        let Some(operator) = binding
            .operators
            .iter()
            .find(|operator| self.source[position..].starts_with(operator.as_bytes()))
        else {
            return false;
        };
        let after = position + operator.len();
        if operator == "=" && matches!(self.byte_at(after), b'=' | b'>' | b'~') {
            return false;
        }
        binding.pattern != NamePattern::AssignedFunction
            || self.stands_at(self.skip_white(after, true), &binding.functions)
    }

    fn is_column_zero(&self, position: usize) -> bool {
        position == 0 || self.source[position - 1] == b'\n'
    }

    /// The position of the `=` after a type annotation, on the same line or inside its brackets.
    fn end_of_annotation(&self, start: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for position in start..self.source.len().min(start + MAX_ANNOTATION_BYTES) {
            match self.source[position] {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
                b'=' if depth == 0 => return Some(position),
                b'\n' | b';' | b',' if depth == 0 => return None,
                _ => {}
            }
        }
        None
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

    fn open_bracket(&mut self, byte: u8, line: u32) -> bool {
        if byte == b'(' && self.brackets == 0 {
            self.consider_callable(line);
        }
        self.brackets += 1;
        false
    }

    fn consider_callable(&mut self, line: u32) {
        let (Some(rules), Some(name)) = (&self.table.rules.callables, self.previous_word) else {
            return;
        };
        if self.is_blocked || name.end == self.defined_end || !self.is_in(rules.scope) {
            return;
        }
        if matches!(self.before_word, b'@' | b'.') {
            return;
        }
        let keyword = self.table.keyword(&self.source[name.start..name.end]);
        if keyword.is_some_and(|keyword| keyword.is_never_callable) {
            return;
        }
        if let Callable::Tail {
            close_line,
            has_colon,
            ..
        } = self.callable
            && (has_colon || line <= close_line)
        {
            return;
        }
        self.callable = Callable::Arguments {
            name,
            brackets: self.brackets,
        };
    }

    fn close_bracket(&mut self, line: u32) -> bool {
        self.brackets = self.brackets.saturating_sub(1);
        if let Callable::Arguments { name, brackets } = self.callable
            && brackets == self.brackets
        {
            self.callable = Callable::Tail {
                name,
                close_line: line,
                has_colon: false,
            };
        }
        false
    }

    fn emit_callable(&mut self, name: Name, findings: &mut Findings) {
        let table = self.table;
        if let Some(rules) = &table.rules.callables {
            let kind = if self.scope() == Block::Type {
                &rules.kind_in_type
            } else {
                &rules.kind
            };
            self.define(name, kind, findings);
        }
    }

    fn open_brace(&mut self, findings: &mut Findings) -> bool {
        let mut scope = if self.is_transparent {
            self.scope()
        } else {
            self.opens.unwrap_or(Block::Body)
        };
        if let Callable::Tail { name, .. } = self.callable
            && self.brackets == 0
        {
            self.emit_callable(name, findings);
            scope = Block::Body;
        }
        self.frames.push(Frame {
            scope,
            brackets: self.brackets,
            is_typedef: self.is_typedef,
        });
        self.brackets = 0;
        self.opens = None;
        self.callable = Callable::None;
        self.reset();
        true
    }

    fn close_brace(&mut self, at: usize) -> bool {
        let mut closed = self.frames.pop();
        if self.table.rules.column_zero_resets && self.is_column_zero(at) {
            closed = self.frames.first().copied().or(closed).map(|frame| Frame {
                brackets: 0,
                ..frame
            });
            self.frames.clear();
        }
        self.brackets = closed.map_or(0, |frame| frame.brackets);
        self.opens = None;
        self.callable = Callable::None;
        self.reset();
        self.is_typedef = closed.is_some_and(|frame| frame.is_typedef);
        true
    }

    fn end_statement(&mut self, findings: &mut Findings) -> bool {
        if let (true, Some(name)) = (
            self.is_typedef && self.is_in(Scope::Type),
            self.previous_word,
        ) {
            self.define(name, "type", findings);
        }
        if let Callable::Tail { name, .. } = self.callable {
            let counts = self
                .table
                .rules
                .callables
                .as_ref()
                .is_some_and(|rules| rules.semicolon_in_type);
            if counts && self.scope() == Block::Type && !self.is_blocked {
                self.emit_callable(name, findings);
            }
        }
        self.opens = None;
        self.callable = Callable::None;
        self.reset();
        true
    }

    fn take_equals(&mut self, at: usize, findings: &mut Findings) -> bool {
        if let Callable::Tail { name, .. } = self.callable {
            let arrow = self
                .table
                .rules
                .callables
                .as_ref()
                .is_some_and(|rules| rules.body.iter().any(|body| body == "=>"));
            if arrow && self.byte_at(at + 1) == b'>' {
                self.emit_callable(name, findings);
            }
        }
        self.callable = Callable::None;
        self.is_blocked = true;
        false
    }

    pub(crate) fn end_line(
        &mut self,
        position: usize,
        in_directive: bool,
        imports: &mut Vec<Import>,
    ) {
        if let Some(recorder) = &self.recorder {
            let rule = &self.table.rules.imports[recorder.rule];
            let ends = recorder.depth == 0 && rule.end.iter().any(|end| end == "line");
            if ends || self.is_too_long(position) {
                self.finish_recorder(position, imports);
            }
        }
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

    fn starts_import(&self, index: usize, end: usize) -> bool {
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

    fn start_recorder(&mut self, rule: usize, start: usize, line: u32) {
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

    fn is_too_long(&self, at: usize) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| {
            recorder.text.len() + at - recorder.segment > MAX_STATEMENT_BYTES
        })
    }

    fn record_punctuation(&mut self, byte: u8, at: usize, imports: &mut Vec<Import>) {
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

    fn finish_recorder(&mut self, end: usize, imports: &mut Vec<Import>) {
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
