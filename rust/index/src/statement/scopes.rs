//! Brackets, braces and what they make of `NAME ( … ) {`.

use super::{Callable, Frame, Name, Statements};
use crate::scan::Findings;
use crate::table::{Block, Scope};

impl Statements<'_> {
    pub(super) fn open_bracket(&mut self, byte: u8, line: u32) -> bool {
        if byte == b'(' && self.brackets == 0 {
            self.consider_callable(line);
        }
        self.brackets += 1;
        false
    }

    pub(super) fn consider_callable(&mut self, line: u32) {
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

    pub(super) fn close_bracket(&mut self, line: u32) -> bool {
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

    pub(super) fn emit_callable(&mut self, name: Name, findings: &mut Findings) {
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

    pub(super) fn open_brace(&mut self, findings: &mut Findings) -> bool {
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

    pub(super) fn close_brace(&mut self, at: usize) -> bool {
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

    pub(super) fn end_statement(&mut self, findings: &mut Findings) -> bool {
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

    pub(super) fn take_equals(&mut self, at: usize, findings: &mut Findings) -> bool {
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
}
