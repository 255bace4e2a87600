//! Names after a keyword and names before an operator.

use super::{Callable, Name, Pending, Statements};
use crate::scan::{Definition, Findings, identifier_end};
use crate::table::{Binding, Definer, Keyword, NameForm, NamePattern};
use crate::words::Field;

/// An annotation between a name and its `=` is looked through up to this length.
const MAX_ANNOTATION_BYTES: usize = 512;

impl Statements<'_> {
    pub(super) fn start_definer(&mut self, keyword: &Keyword) {
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

    pub(super) fn define_after_keyword(
        &mut self,
        definer: &Definer,
        name: Name,
        findings: &mut Findings,
    ) {
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

    pub(super) fn define(&mut self, name: Name, kind: &str, findings: &mut Findings) {
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

    pub(super) fn try_bindings(&mut self, name: Name, findings: &mut Findings) {
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

    pub(super) fn binds(&self, binding: &Binding, name: Name) -> bool {
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

    pub(super) fn is_column_zero(&self, position: usize) -> bool {
        position == 0 || self.source[position - 1] == b'\n'
    }

    /// The position of the `=` after a type annotation, on the same line or inside its brackets.
    pub(super) fn end_of_annotation(&self, start: usize) -> Option<usize> {
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
}
