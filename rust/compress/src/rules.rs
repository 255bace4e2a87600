//! What the tables say of one language, checked.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use ctxsieve_kernels::Error;
use serde::Deserialize;
use tree_sitter::{Language, Parser};

use crate::layout::Mark;
use crate::nodes::Class;
use crate::queries::{Captures, LazyQuery, NumberedQuery, patterns_in};
use crate::roots::{Place, take_places};

/// Why the rules of a language cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesError(String);

impl fmt::Display for RulesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for RulesError {}

/// What indentation means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Indentation {
    Free,
    Blocks,
    Columns,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    definitions: String,
    compress: String,
    indentation: Indentation,
    literals: Vec<String>,
    comments: Vec<String>,
    opening: Vec<String>,
    closing: Vec<String>,
    separator: String,
    name_separators: Vec<String>,
    keywords: BTreeMap<String, String>,
    clauses_are_one: bool,
    ellipsis: Option<String>,
    line_comment: Option<String>,
    block_comment: Option<(String, String)>,
}

/// Kinds of definitions; the order is that of the twin's, and means nothing.
const KINDS: [&str; 15] = [
    "module",
    "class",
    "interface",
    "struct",
    "union",
    "enum",
    "trait",
    "type",
    "implementation",
    "function",
    "method",
    "constant",
    "variable",
    "field",
    "macro",
];

/// A kind of definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind(u8);

impl Kind {
    fn of(name: &str) -> Result<Self, RulesError> {
        KINDS
            .iter()
            .position(|kind| *kind == name)
            .map(|number| Self(number as u8))
            .ok_or_else(|| RulesError(format!("{name:?} is no kind of definition")))
    }

    fn name(self) -> &'static str {
        KINDS[self.0 as usize]
    }

    pub(crate) fn is_callable(self) -> bool {
        matches!(self.name(), "function" | "method")
    }

    pub(crate) fn is_value(self) -> bool {
        matches!(self.name(), "constant" | "variable" | "field")
    }

    fn is_type(self) -> bool {
        matches!(
            self.name(),
            "class" | "interface" | "struct" | "union" | "enum" | "trait" | "implementation"
        )
    }

    /// The kind inside a definition: functions of types are methods, their variables fields.
    pub(crate) fn inside(self, scope: Option<Kind>) -> Kind {
        let becomes = match self.name() {
            "function" => "method",
            "variable" => "field",
            _ => return self,
        };
        if scope.is_some_and(Kind::is_type) {
            Kind::of(becomes).unwrap_or(self)
        } else {
            self
        }
    }
}

/// What a capture stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Defined(Kind),
    Definition,
    Keyword,
    Name,
    Body,
    Last,
    Qualifier,
    Outer,
    Inner,
    Lead,
    Access,
    Local,
    Node(Class),
    Block { inset: u32 },
    Sealed,
    Other,
}

impl Role {
    fn of_definitions(name: &str) -> Result<Self, RulesError> {
        if let Some(kind) = name.strip_prefix("definition.") {
            return Ok(Self::Defined(Kind::of(kind)?));
        }
        Ok(match name {
            "definition" => Self::Definition,
            "keyword" => Self::Keyword,
            "name" => Self::Name,
            "body" => Self::Body,
            "last" => Self::Last,
            "qualifier" => Self::Qualifier,
            "outer" => Self::Outer,
            "inner" => Self::Inner,
            "lead" => Self::Lead,
            "access" => Self::Access,
            "local" => Self::Local,
            _ => Self::Other,
        })
    }

    fn of_compress(name: &str) -> Self {
        match name {
            "comment" => Self::Node(Class::Comment),
            "doc" => Self::Node(Class::Doc),
            "import" => Self::Node(Class::Import),
            "boilerplate" => Self::Node(Class::Boilerplate),
            "attribute" => Self::Node(Class::Attribute),
            "body.statement" => Self::Node(Class::Statement),
            "row" => Self::Node(Class::Row),
            "sealed" => Self::Sealed,
            "block" => Self::Block { inset: 0 },
            "block.delimited" => Self::Block { inset: 1 },
            _ => Self::Other,
        }
    }
}

/// One language.
#[derive(Debug)]
pub struct Rules {
    pub(crate) language: Language,
    pub(crate) captures: Captures,
    /// By kind id, what the patterns say of such nodes; None where one may begin anywhere.
    pub(crate) places: Option<Vec<Place>>,
    /// What the places do not tell of definitions and of what may go.
    asked: LazyQuery,
    /// All of it, to be asked of a whole tree.
    whole: LazyQuery,
    /// Definitions alone, for texts that are nested too deeply for more.
    definitions: LazyQuery,
    /// By kind id of the grammar; empty where no line may be indented differently.
    pub(crate) marks: Vec<Mark>,
    /// By kind id.
    pub(crate) is_named: Vec<bool>,
    pub(crate) is_free: bool,
    pub(crate) separator: String,
    pub(crate) name_separators: Vec<String>,
    pub(crate) keywords: Vec<(String, Kind)>,
    pub(crate) clauses_are_one: bool,
    pub(crate) ellipsis: Option<String>,
    /// The kind of statement that it is, where a line is always one.
    pub(crate) ellipsis_kind: Option<u16>,
    line_comment: Option<String>,
    block_comment: Option<(String, String)>,
    /// By two kinds, whether the second is taken wherever the first is; filled as it is asked for.
    taken_always: Mutex<BTreeMap<(u16, u16), bool>>,
}

impl Rules {
    /// Reads the rules of a language from JSON.
    ///
    /// # Errors
    ///
    /// When the table has another form, or a kind of definition is unknown.
    pub fn new(language: Language, table: &str) -> Result<Self, RulesError> {
        let table: Table =
            serde_json::from_str(table).map_err(|error| RulesError(error.to_string()))?;
        let text = format!("{}\n{}", table.definitions, table.compress);
        let mut captures = Captures::default();
        captures.add(&table.definitions, Role::of_definitions)?;
        captures.add(&table.compress, |name| Ok(Role::of_compress(name)))?;
        let patterns = patterns_in(&text);
        let taken = patterns
            .as_ref()
            .and_then(|patterns| take_places(patterns, &language, &captures));
        let (places, numbers) = taken.map_or((None, Vec::new()), |(places, numbers)| {
            (Some(places), numbers)
        });
        let patterns = patterns.unwrap_or_default();
        let asked: Vec<&str> = numbers.iter().map(|&number| patterns[number]).collect();
        let asked = asked.join("\n");
        let keywords = table
            .keywords
            .iter()
            .map(|(word, kind)| Ok((word.clone(), Kind::of(kind)?)))
            .collect::<Result<_, _>>()?;
        let marks = marks_of(&language, &table);
        let is_free = table.indentation == Indentation::Free;
        let ellipsis = table.ellipsis.as_deref().filter(|_| !is_free);
        let ellipsis_kind = ellipsis.and_then(|text| statement_kind(&language, text));
        Ok(Self {
            captures,
            places,
            asked: LazyQuery::new(asked, numbers),
            whole: LazyQuery::new(text, Vec::new()),
            definitions: LazyQuery::new(table.definitions, Vec::new()),
            marks,
            is_named: (0..language.node_kind_count())
                .map(|kind| language.node_kind_is_named(kind as u16))
                .collect(),
            is_free,
            language,
            separator: table.separator,
            name_separators: table.name_separators,
            keywords,
            clauses_are_one: table.clauses_are_one,
            ellipsis: table.ellipsis,
            ellipsis_kind,
            line_comment: table.line_comment,
            block_comment: table.block_comment,
            taken_always: Mutex::default(),
        })
    }

    /// The patterns that the places do not tell.
    pub(crate) fn asked(&self) -> Result<&NumberedQuery, Error> {
        self.asked.get(&self.language, &self.captures)
    }

    /// All patterns, to be asked of a whole tree.
    pub(crate) fn whole(&self) -> Result<&NumberedQuery, Error> {
        self.whole.get(&self.language, &self.captures)
    }

    /// The patterns of definitions, to be asked of a whole tree.
    pub(crate) fn definitions(&self) -> Result<&NumberedQuery, Error> {
        self.definitions.get(&self.language, &self.captures)
    }

    /// Whether the parser takes a node of a kind in a state.
    pub(crate) fn takes(&self, state: u16, kind: u16) -> bool {
        self.state_after(state, kind).is_some()
    }

    /// The parser's state when it has taken a node of a kind in a state, None where it does not take it.
    pub(crate) fn state_after(&self, state: u16, kind: u16) -> Option<u16> {
        if state as usize >= self.language.parse_state_count() {
            return None;
        }
        Some(self.language.next_state(state, kind)).filter(|&reached| reached != 0)
    }

    /// Whether the parser does anything but fail in a state where a node of a kind comes next: it takes it, or puts
    /// together what came before.
    pub(crate) fn expects(&self, state: u16, kind: u16) -> bool {
        self.takes(state, kind)
            || self
                .language
                .lookahead_iterator(state)
                .is_some_and(|mut expected| expected.any(|symbol| symbol == kind))
    }

    /// Whether the parser takes a node of the other kind in every state in which it takes one of this kind.
    pub(crate) fn takes_always(&self, kind: u16, other: u16) -> bool {
        let mut known = self
            .taken_always
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *known.entry((kind, other)).or_insert_with(|| {
            // State 0 is that of recovery from errors.
            (1..self.language.parse_state_count() as u16)
                .all(|state| !self.takes(state, kind) || self.takes(state, other))
        })
    }

    /// The words as a comment.
    pub(crate) fn comment(&self, words: &str) -> String {
        match (&self.line_comment, &self.block_comment) {
            (Some(line), _) => comment(line, "", words),
            (None, Some((opening, closing))) => comment(opening, closing, words),
            (None, None) => comment("", "", words),
        }
    }
}

/// The words as a comment between these signs; one of a line has no closing, and without signs they stand alone.
pub(crate) fn comment(opening: &str, closing: &str, words: &str) -> String {
    match (opening, closing) {
        ("", "") => words.to_owned(),
        (line, "") => format!("{line} {words}"),
        (opening, closing) => format!("{opening} {} {closing}", words.replace(closing, "")),
    }
}

/// The kind of the one statement that a text is.
fn statement_kind(language: &Language, text: &str) -> Option<u16> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let tree = parser.parse(text, None)?;
    let root = tree.root_node();
    let is_one = root.child_count() == 1 && !root.has_error();
    root.child(0)
        .filter(|_| is_one)
        .map(|node| node.grammar_id())
}

fn marks_of(language: &Language, table: &Table) -> Vec<Mark> {
    if table.indentation == Indentation::Columns {
        return Vec::new();
    }
    let mut marks = vec![Mark::None; language.node_kind_count()];
    let groups = [
        (&table.literals, true, Mark::Literal),
        (&table.comments, true, Mark::Comment),
        (&table.opening, false, Mark::Open),
        (&table.closing, false, Mark::Close),
    ];
    for (names, is_named, mark) in groups {
        for name in names {
            let id = language.id_for_node_kind(name, is_named) as usize;
            if id != 0 && id < marks.len() {
                marks[id] = mark;
            }
        }
    }
    marks
}
