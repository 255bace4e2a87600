//! What the lexer knows about a language: a data table, compiled for a byte loop.

// Each flag is a key of the table.
#![allow(clippy::struct_excessive_bools)]

use std::fmt;

use hashbrown::HashMap;
use serde::Deserialize;

pub(crate) const SPACE: u8 = 1;
pub(crate) const IDENT_START: u8 = 2;
pub(crate) const IDENT_TAIL: u8 = 4;
pub(crate) const DIGIT: u8 = 8;
/// May start a comment or a string.
pub(crate) const TRIGGER: u8 = 16;
/// An identifier byte of this language that is not part of a word.
pub(crate) const IDENT_EXTRA: u8 = 32;

/// A table that cannot be used; the text says why.
#[derive(Debug)]
pub struct TableError(String);

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for TableError {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FileKind {
    Code,
    Text,
    Data,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    Any,
    Top,
    Type,
    InsideType,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Place {
    Anywhere,
    Statement,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Block {
    Body,
    Type,
    Top,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NameForm {
    Identifier,
    None,
    String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NamePattern {
    Any,
    Upper,
    AssignedFunction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StringForm {
    Quoted,
    Character,
    Marked,
    Heredoc,
    Bracketed,
    Regex,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Marked {
    pub(crate) open: String,
    pub(crate) mark: String,
    pub(crate) min_marks: usize,
    pub(crate) open_end: String,
    pub(crate) close: String,
    pub(crate) close_end: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StringRule {
    pub(crate) form: StringForm,
    pub(crate) open: String,
    pub(crate) close: String,
    pub(crate) escape: String,
    pub(crate) doubled: bool,
    pub(crate) multiline: bool,
    pub(crate) interpolation: Vec<String>,
    pub(crate) prefixes: Vec<String>,
    pub(crate) mark: String,
    pub(crate) min_marks: usize,
    pub(crate) open_end: String,
    pub(crate) close_end: String,
    pub(crate) modifiers: String,
    pub(crate) indented: bool,
    pub(crate) spaces: bool,
    pub(crate) uppercase: bool,
    pub(crate) introducers: Vec<String>,
    pub(crate) parts: usize,
    pub(crate) operand_words: Vec<String>,
}

impl StringRule {
    pub(crate) fn marked(&self) -> Marked {
        Marked {
            open: self.open.clone(),
            mark: self.mark.clone(),
            min_marks: self.min_marks,
            open_end: self.open_end.clone(),
            close: self.close.clone(),
            close_end: self.close_end.clone(),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Definer {
    pub(crate) keyword: String,
    pub(crate) kind: String,
    pub(crate) scope: Scope,
    pub(crate) at: Place,
    pub(crate) skip: Vec<String>,
    pub(crate) skip_group: String,
    pub(crate) joiners: Vec<String>,
    pub(crate) followed_by: Vec<String>,
    pub(crate) opens: Block,
    pub(crate) name: NameForm,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Binding {
    pub(crate) operators: Vec<String>,
    pub(crate) kind: String,
    pub(crate) scope: Scope,
    pub(crate) column_zero: bool,
    pub(crate) annotated: bool,
    pub(crate) pattern: NamePattern,
    pub(crate) functions: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Callables {
    pub(crate) kind: String,
    pub(crate) kind_in_type: String,
    pub(crate) scope: Scope,
    pub(crate) not: Vec<String>,
    pub(crate) body: Vec<String>,
    pub(crate) semicolon_in_type: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ImportRule {
    pub(crate) keyword: String,
    pub(crate) at: Place,
    pub(crate) end: Vec<String>,
    pub(crate) next: Vec<String>,
    pub(crate) drop_at: String,
    pub(crate) requires: Vec<String>,
}

/// The table as the Python side writes it: every key present, in JSON.
#[derive(Debug, Deserialize)]
pub(crate) struct Rules {
    pub(crate) kind: FileKind,
    pub(crate) interpreters: Vec<String>,
    pub(crate) line_comments: Vec<String>,
    pub(crate) line_comment_after_space: bool,
    pub(crate) line_comment_exceptions: Vec<String>,
    pub(crate) continued_line_comments: bool,
    pub(crate) block_comments: Vec<(String, String)>,
    pub(crate) marked_comments: Vec<Marked>,
    pub(crate) nested_comments: bool,
    pub(crate) line_start_comments: Vec<(String, String)>,
    pub(crate) docstrings: bool,
    pub(crate) docstring_words: Vec<String>,
    pub(crate) identifier_start: String,
    pub(crate) identifier_tail: String,
    pub(crate) preprocessor: bool,
    pub(crate) column_zero_resets: bool,
    pub(crate) newline_ends_statement: bool,
    pub(crate) braces_open_scopes: bool,
    pub(crate) modifiers: Vec<String>,
    pub(crate) transparent: Vec<String>,
    pub(crate) typedef_words: Vec<String>,
    pub(crate) strings: Vec<StringRule>,
    pub(crate) definers: Vec<Definer>,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) callables: Option<Callables>,
    pub(crate) imports: Vec<ImportRule>,
}

/// What one word means in this language.
#[derive(Debug, Default)]
pub(crate) struct Keyword {
    pub(crate) definers: Vec<usize>,
    pub(crate) imports: Vec<usize>,
    pub(crate) is_modifier: bool,
    pub(crate) is_transparent: bool,
    pub(crate) is_operand_word: bool,
    pub(crate) is_docstring_word: bool,
    pub(crate) is_typedef: bool,
    pub(crate) is_never_callable: bool,
}

/// What may start at a byte, in order of trial.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trigger {
    LineStartComment(usize),
    MarkedComment(usize),
    BlockComment(usize),
    LineComment(usize),
    String(usize),
}

/// A scan table, compiled.
#[derive(Debug)]
pub struct Table {
    pub(crate) rules: Rules,
    pub(crate) class: [u8; 256],
    pub(crate) triggers: Vec<Vec<Trigger>>,
    pub(crate) keywords: HashMap<Vec<u8>, Keyword, foldhash::fast::FixedState>,
    /// Bit `length` of `keyword_lengths[first byte]`: whether a keyword of that shape exists.
    keyword_lengths: [u64; 256],
    /// For each string rule the bytes at which its content is looked at.
    pub(crate) stops: Vec<[bool; 256]>,
    pub(crate) has_prefixes: bool,
    pub(crate) dot_imports: Vec<usize>,
}

impl Table {
    /// Compile a table from its JSON form, in which every key is present.
    ///
    /// # Errors
    /// The JSON does not hold exactly the keys of a scan table.
    pub fn from_json(json: &[u8]) -> Result<Self, TableError> {
        let rules: Rules = serde_json::from_slice(json)
            .map_err(|error| TableError(format!("scan table does not read: {error}")))?;
        Ok(Self::compile(rules))
    }

    fn compile(rules: Rules) -> Self {
        let mut class = base_classes();
        for byte in rules.identifier_start.bytes() {
            class[byte as usize] |= IDENT_START | IDENT_EXTRA;
        }
        for byte in rules.identifier_tail.bytes() {
            class[byte as usize] |= IDENT_TAIL | IDENT_EXTRA;
        }
        let triggers = collect_triggers(&rules);
        for (byte, list) in triggers.iter().enumerate() {
            if !list.is_empty() {
                class[byte] |= TRIGGER;
            }
        }
        let keywords = collect_keywords(&rules);
        let mut keyword_lengths = [0_u64; 256];
        for word in keywords.keys() {
            keyword_lengths[word[0] as usize] |= 1 << word.len().min(63);
        }
        let stops = rules.strings.iter().map(string_stops).collect();
        let has_prefixes = rules.strings.iter().any(|rule| !rule.prefixes.is_empty());
        let dot_imports = (0..rules.imports.len())
            .filter(|&index| rules.imports[index].keyword == ".")
            .collect();
        Self {
            rules,
            class,
            triggers,
            keywords,
            keyword_lengths,
            stops,
            has_prefixes,
            dot_imports,
        }
    }

    pub(crate) fn keyword(&self, word: &[u8]) -> Option<&Keyword> {
        if self.keyword_lengths[word[0] as usize] >> word.len().min(63) & 1 == 0 {
            return None;
        }
        self.keywords.get(word)
    }

    /// Whether `name` (the base name of an interpreter, version digits cut off) runs this language.
    #[must_use]
    pub fn runs(&self, name: &[u8]) -> bool {
        self.rules
            .interpreters
            .iter()
            .any(|interpreter| interpreter.as_bytes() == name)
    }
}

fn base_classes() -> [u8; 256] {
    let mut class = [0_u8; 256];
    for (byte, flags) in class.iter_mut().enumerate() {
        *flags = match byte as u8 {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => SPACE,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..=0xff => IDENT_START | IDENT_TAIL,
            b'0'..=b'9' => DIGIT | IDENT_TAIL,
            _ => 0,
        };
    }
    class
}

fn collect_triggers(rules: &Rules) -> Vec<Vec<Trigger>> {
    let mut triggers: Vec<Vec<Trigger>> = vec![Vec::new(); 256];
    let mut add = |open: &str, trigger: Trigger| {
        if let Some(&byte) = open.as_bytes().first() {
            triggers[byte as usize].push(trigger);
        }
    };
    for (index, pair) in rules.line_start_comments.iter().enumerate() {
        add(&pair.0, Trigger::LineStartComment(index));
    }
    for (index, marked) in rules.marked_comments.iter().enumerate() {
        add(&marked.open, Trigger::MarkedComment(index));
    }
    for (index, pair) in rules.block_comments.iter().enumerate() {
        add(&pair.0, Trigger::BlockComment(index));
    }
    for (index, open) in rules.line_comments.iter().enumerate() {
        add(open, Trigger::LineComment(index));
    }
    for (index, rule) in rules.strings.iter().enumerate() {
        match rule.form {
            StringForm::Bracketed => {
                let mut seen = [false; 256];
                for introducer in &rule.introducers {
                    let byte = introducer.as_bytes().first().copied().unwrap_or_default() as usize;
                    if !seen[byte] {
                        seen[byte] = true;
                        add(introducer, Trigger::String(index));
                    }
                }
            }
            StringForm::Marked if rule.open.is_empty() => {
                add(
                    if rule.mark == "word" {
                        &rule.open_end
                    } else {
                        &rule.mark
                    },
                    Trigger::String(index),
                );
            }
            _ => add(&rule.open, Trigger::String(index)),
        }
    }
    triggers
}

fn collect_keywords(rules: &Rules) -> HashMap<Vec<u8>, Keyword, foldhash::fast::FixedState> {
    let mut keywords: HashMap<Vec<u8>, Keyword, foldhash::fast::FixedState> = HashMap::default();
    let mut entry = |word: &str, change: &mut dyn FnMut(&mut Keyword)| {
        if !word.is_empty() {
            change(keywords.entry(word.as_bytes().to_vec()).or_default());
        }
    };
    for (index, definer) in rules.definers.iter().enumerate() {
        entry(&definer.keyword, &mut |keyword| {
            keyword.definers.push(index);
        });
    }
    for (index, import) in rules.imports.iter().enumerate() {
        entry(&import.keyword, &mut |keyword| keyword.imports.push(index));
    }
    for word in &rules.modifiers {
        entry(word, &mut |keyword| keyword.is_modifier = true);
    }
    for word in &rules.transparent {
        entry(word, &mut |keyword| keyword.is_transparent = true);
    }
    for word in &rules.docstring_words {
        entry(word, &mut |keyword| keyword.is_docstring_word = true);
    }
    for word in &rules.typedef_words {
        entry(word, &mut |keyword| keyword.is_typedef = true);
    }
    for word in rules.callables.iter().flat_map(|callables| &callables.not) {
        entry(word, &mut |keyword| keyword.is_never_callable = true);
    }
    for word in rules.strings.iter().flat_map(|rule| &rule.operand_words) {
        entry(word, &mut |keyword| keyword.is_operand_word = true);
    }
    keywords
}

fn string_stops(rule: &StringRule) -> [bool; 256] {
    let mut stops = [false; 256];
    stops[b'\n' as usize] = true;
    for text in [&rule.escape, &rule.close]
        .into_iter()
        .chain(rule.interpolation.first())
    {
        if let Some(&byte) = text.as_bytes().first() {
            stops[byte as usize] = true;
        }
    }
    stops
}
