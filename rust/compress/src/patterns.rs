//! Patterns of queries that are matched without the engine: nodes with nodes in them, by kind and by field.
//!
//! To set the engine up for one node takes longer than to look at the node. Patterns with conditions, repetitions or
//! neighbours that have to touch are left to it.

use std::num::NonZeroU16;

use tree_sitter::{Language, Node};

use crate::definitions::Span;
use crate::queries::Captures;
use crate::roots::Reader;
use crate::rules::Role;

/// What a match names: the number of the capture, and the node.
pub(crate) type Capture = (u32, Span);

/// A pattern by its number in the query.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    pub(crate) number: usize,
    node: NodePattern,
}

/// A node of one of several kinds, all different.
#[derive(Debug, Clone)]
struct NodePattern {
    branches: Vec<Branch>,
    captures: Vec<u32>,
}

#[derive(Debug, Clone)]
struct Branch {
    kind: Kind,
    items: Vec<Item>,
    captures: Vec<u32>,
}

/// A child, behind that of the item before.
#[derive(Debug, Clone)]
struct Item {
    field: Option<NonZeroU16>,
    /// Whether no named child may stand before it.
    is_first: bool,
    node: NodePattern,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Any,
    Named,
    One(u16),
}

/// A child of a node with its field.
#[derive(Debug, Clone, Copy)]
struct Child<'tree> {
    node: Node<'tree>,
    field: Option<NonZeroU16>,
}

impl Pattern {
    /// The pattern that a text is, None where only the engine understands it. Captures of no role are none.
    pub(crate) fn new(
        number: usize,
        text: &str,
        language: &Language,
        captures: &Captures,
    ) -> Option<Self> {
        let mut parser = PatternReader {
            reader: Reader::new(text),
            language,
            captures,
        };
        let node = parser.node()?;
        parser.reader.is_done().then_some(Self { number, node })
    }
}

/// Patterns that begin at nodes of one kind.
pub(crate) fn match_all(
    patterns: &[Pattern],
    node: Node<'_>,
    mut see: impl FnMut(usize, &mut Vec<Capture>),
) {
    let children = children_of(node);
    for pattern in patterns {
        for mut way in pattern.node.ways(node, Some(&children)) {
            see(pattern.number, &mut way);
        }
    }
}

fn children_of(node: Node<'_>) -> Vec<Child<'_>> {
    let mut children = Vec::with_capacity(node.child_count());
    let mut cursor = node.walk();
    let mut is_there = cursor.goto_first_child();
    while is_there {
        children.push(Child {
            node: cursor.node(),
            field: cursor.field_id(),
        });
        is_there = cursor.goto_next_sibling();
    }
    children
}

impl NodePattern {
    fn has_captures(&self) -> bool {
        let mut branches = self.branches.iter();
        !self.captures.is_empty() || branches.any(Branch::has_captures)
    }

    /// The captures of every match at a node, whose children may be known.
    fn ways(&self, node: Node<'_>, children: Option<&[Child<'_>]>) -> Vec<Vec<Capture>> {
        let mut branches = self.branches.iter();
        let Some(branch) = branches.find(|branch| branch.kind.is_of(node)) else {
            return Vec::new();
        };
        let span = (node.start_byte(), node.end_byte());
        let own = self.captures.iter().chain(&branch.captures);
        let own: Vec<Capture> = own.map(|&capture| (capture, span)).collect();
        if branch.items.is_empty() {
            return vec![own];
        }
        if let [item] = &branch.items[..]
            && item.is_first
        {
            let first = node.named_child(0);
            let inner = first.map_or(Vec::new(), |first| item.node.ways(first, None));
            return inner.iter().map(|inner| joined(&own, inner)).collect();
        }
        let found;
        let children = if let Some(children) = children {
            children
        } else {
            found = children_of(node);
            &found
        };
        let mut ways = Vec::new();
        branch.add_ways(0, children, &own, &mut ways);
        ways
    }
}

impl Branch {
    fn has_captures(&self) -> bool {
        let mut items = self.items.iter();
        !self.captures.is_empty() || items.any(|item| item.node.has_captures())
    }

    /// Adds every way to find the items from one on among children. What names nothing need not be found twice.
    fn add_ways(
        &self,
        at: usize,
        children: &[Child<'_>],
        before: &[Capture],
        into: &mut Vec<Vec<Capture>>,
    ) {
        let Some(item) = self.items.get(at) else {
            into.push(before.to_vec());
            return;
        };
        let names_something = item.node.has_captures();
        for (index, child) in children.iter().enumerate() {
            if item.field.is_some() && item.field != child.field {
                continue;
            }
            let inner = item.node.ways(child.node, None);
            for inner in &inner {
                let joined = joined(before, inner);
                self.add_ways(at + 1, &children[index + 1..], &joined, into);
            }
            if !inner.is_empty() && !names_something {
                return;
            }
        }
    }
}

fn joined(before: &[Capture], inner: &[Capture]) -> Vec<Capture> {
    let mut captures = Vec::with_capacity(before.len() + inner.len());
    captures.extend_from_slice(before);
    captures.extend_from_slice(inner);
    captures
}

impl Kind {
    fn is_of(self, node: Node<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Named => node.is_named(),
            Self::One(kind) => node.kind_id() == kind,
        }
    }
}

struct PatternReader<'a> {
    reader: Reader<'a>,
    language: &'a Language,
    captures: &'a Captures,
}

impl PatternReader<'_> {
    /// A node, or several in square brackets, and captures.
    fn node(&mut self) -> Option<NodePattern> {
        let mut branches = Vec::new();
        if self.reader.takes("[") {
            while !self.reader.takes("]") {
                let branch = self.branch()?;
                let is_alone = branches.iter().all(|other: &Branch| {
                    matches!((other.kind, branch.kind), (Kind::One(a), Kind::One(b)) if a != b)
                });
                branches.push(is_alone.then_some(branch)?);
            }
        } else {
            branches.push(self.branch()?);
        }
        let captures = self.captures()?;
        Some(NodePattern { branches, captures })
    }

    /// One kind, what is in it, and captures inside of square brackets.
    fn branch(&mut self) -> Option<Branch> {
        let mut items = Vec::new();
        let kind = if self.reader.takes("(") {
            self.reader.skip_space();
            let name = self.reader.name();
            let kind = match name {
                "" | "ERROR" | "MISSING" => return None,
                "_" => Kind::Named,
                name => Kind::One(self.kind(name, true)?),
            };
            while !self.reader.takes(")") {
                items.push(self.item(items.is_empty())?);
            }
            kind
        } else if self.reader.takes("_") {
            Kind::Any
        } else {
            let name = self.reader.string()?;
            Kind::One(self.kind(name, false)?)
        };
        let captures = self.captures()?;
        let is_lone_anchor = items.len() > 1 && items.iter().any(|item| item.is_first);
        (!is_lone_anchor).then_some(Branch {
            kind,
            items,
            captures,
        })
    }

    fn kind(&self, name: &str, is_named: bool) -> Option<u16> {
        let id = self.language.id_for_node_kind(name, is_named);
        let is_plain = id != 0
            && self.language.node_kind_is_visible(id)
            && !self.language.node_kind_is_supertype(id);
        is_plain.then_some(id)
    }

    fn item(&mut self, may_be_first: bool) -> Option<Item> {
        let is_first = self.reader.takes(".");
        let mut field = None;
        if let Some(name) = self.reader.field() {
            field = Some(self.language.field_id_for_name(name)?);
        }
        let is_known = !is_first || (may_be_first && field.is_none());
        let node = self.node()?;
        is_known.then_some(Item {
            field,
            is_first,
            node,
        })
    }

    /// The captures behind a node; None where a repetition stands there.
    fn captures(&mut self) -> Option<Vec<u32>> {
        let mut captures = Vec::new();
        while self.reader.takes("@") {
            let number = self.captures.number_of(self.reader.name())?;
            if self.captures.roles[number as usize] != Role::Other {
                captures.push(number);
            }
        }
        (!self.reader.is_repetition()).then_some(captures)
    }
}
