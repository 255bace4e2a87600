//! Syntax trees: parsing within a limit, one walk and one query for everything that is asked of a tree.

use std::convert::Infallible;
use std::ops::ControlFlow;

use ctxsieve_index::syntax::{self, parse_within};
use ctxsieve_kernels::Error;
use tree_sitter::{
    Language, Node, Parser, QueryCursor, QueryCursorOptions, QueryCursorState, StreamingIterator,
    Tree, TreeCursor,
};

use crate::costs::Check;
use crate::definitions::{Facts, Span};
use crate::layout::{Mark, Marks};
use crate::lines::is_byte_space;
use crate::nodes::Class;
use crate::patterns::{Capture, Pattern, match_all};
use crate::queries::NumberedQuery;
use crate::rules::{Role, Rules};

/// Makes a parser one of this language.
pub(crate) fn prepare(parser: &mut Parser, language: &Language) -> Result<(), Error> {
    parser
        .set_language(language)
        .map_err(|error| Error::Invalid(error.to_string()))
}

/// The tree, or None when the parser made more than `limit` call-backs.
pub(crate) fn parse(
    parser: &mut Parser,
    source: &[u8],
    limit: u64,
    check: Check<'_>,
) -> Result<Option<Tree>, Error> {
    let mut is_interrupted = false;
    let tree = parse_within(parser, source, limit, || {
        is_interrupted = check();
        is_interrupted
    });
    if is_interrupted {
        Err(Error::Interrupted)
    } else {
        Ok(tree)
    }
}

/// Error and missing nodes.
pub(crate) fn count_broken_nodes(root: Node<'_>) -> u32 {
    let (errors, missing) = syntax::count_broken_nodes(root);
    errors + missing
}

/// What is asked of a tree.
#[derive(Debug)]
pub(crate) struct Named<'a> {
    pub(crate) facts: Facts<'a>,
    pub(crate) nodes: Vec<(Class, Span)>,
    pub(crate) blocks: Vec<(u32, Span)>,
    /// What stays whole.
    pub(crate) sealed: Vec<Span>,
    pub(crate) marks: Marks,
    /// Nodes that may be names, in source order.
    pub(crate) leaves: Vec<Leaf>,
}

/// First byte and end of a node without children.
pub(crate) type Leaf = (u32, u32);

/// Asks a tree what its language's query names; None when more than the cursor's limit of matches were open at once.
pub(crate) fn query<'a>(
    tree: &Tree,
    cursor: &mut QueryCursor,
    source: &'a [u8],
    rules: &'a Rules,
    is_deep: bool,
    check: Check<'_>,
) -> Result<Option<Named<'a>>, Error> {
    let mut named = Named {
        facts: Facts::new(source, rules),
        nodes: Vec::new(),
        blocks: Vec::new(),
        sealed: Vec::new(),
        marks: Marks::default(),
        leaves: Vec::new(),
    };
    let mut matched = Matched::default();
    let root = tree.root_node();
    // Asked node by node, the engine passes over matches that hold an error.
    let places = rules.places.as_ref();
    let Some(places) = places.filter(|_| !is_deep && !root.has_error()) else {
        // Definitions alone are found in any depth.
        let asked = if is_deep {
            rules.definitions()?
        } else {
            rules.whole()?
        };
        cursor.set_max_start_depth(None);
        let is_complete = matched.ask(root, cursor, source, asked, &mut named, check)?;
        visit(tree, |node, _| {
            named.mark(node, node.kind_id(), source, rules);
            Ok::<_, Error>(true)
        })?;
        return Ok(is_complete.then_some(named));
    };
    // A match begins at its root only: what is below belongs to it as far as the pattern goes.
    cursor.set_max_start_depth(Some(0));
    // Nodes with roles for their children, and the children's depth.
    let mut holders: Vec<(u32, &[Role])> = Vec::new();
    let is_complete = visit(tree, |node, depth| {
        let kind = node.kind_id();
        while holders.last().is_some_and(|&(inside, _)| inside > depth) {
            holders.pop();
        }
        if let Some(&(inside, roles)) = holders.last()
            && inside == depth
            && node.is_named()
        {
            for &role in roles {
                named.add(usize::MAX, role, node);
            }
        }
        named.mark(node, kind, source, rules);
        let Some(place) = places.get(kind as usize) else {
            return Ok(true);
        };
        for &(pattern, role) in &place.own {
            named.add(pattern, role, node);
        }
        // Rows stand on lines of their own.
        let is_spread = || node.start_position().row < node.end_position().row;
        if !place.of_children.is_empty() && (!place.has_rows_alone || is_spread()) {
            holders.push((depth + 1, &place.of_children));
        }
        if !place.patterns.is_empty() {
            matched.take_all(&place.patterns, node, &rules.captures.roles, &mut named);
        }
        if !place.patterns_of_rows.is_empty() && is_spread() {
            matched.take_all(
                &place.patterns_of_rows,
                node,
                &rules.captures.roles,
                &mut named,
            );
        }
        if place.is_root || (place.is_root_of_rows && is_spread()) {
            matched.ask(node, cursor, source, rules.asked()?, &mut named, check)
        } else {
            Ok(true)
        }
    })?;
    Ok(is_complete.then_some(named))
}

impl Named<'_> {
    /// Takes a match of a pattern that names one node.
    fn add(&mut self, pattern: usize, role: Role, node: Node<'_>) {
        let span = (node.start_byte(), node.end_byte());
        match role {
            Role::Node(class) => self.nodes.push((class, span)),
            Role::Block { inset } => self.blocks.push((inset, span)),
            Role::Sealed => self.sealed.push(span),
            Role::Other => {}
            _ => self.facts.add_match(pattern, &[(role, span)]),
        }
    }

    fn mark(&mut self, node: Node<'_>, kind: u16, source: &[u8], rules: &Rules) {
        let kind = kind as usize;
        let mark = rules.marks.get(kind).copied().unwrap_or(Mark::None);
        if mark != Mark::None {
            let span = (node.start_byte(), node.end_byte());
            self.marks.add(source, mark, span);
        }
        // What the parser could not place has a kind beyond the table, and a name.
        if rules.is_named.get(kind) != Some(&false) && node.child_count() == 0 && !node.is_extra() {
            self.leaves
                .push((node.start_byte() as u32, node.end_byte() as u32));
        }
    }
}

/// Lists that are used again for every match.
#[derive(Default)]
struct Matched {
    captures: Vec<Capture>,
    own: Vec<(Role, Span)>,
}

impl Matched {
    /// Takes the matches of some patterns at a node.
    fn take_all(
        &mut self,
        patterns: &[Pattern],
        node: Node<'_>,
        roles: &[Role],
        named: &mut Named<'_>,
    ) {
        match_all(patterns, node, |pattern, captures| {
            take_match(pattern, captures, roles, &mut self.own, named);
        });
    }

    /// Takes the matches from a node on; says whether they stayed within the cursor's limit.
    fn ask(
        &mut self,
        node: Node<'_>,
        cursor: &mut QueryCursor,
        source: &[u8],
        asked: &NumberedQuery,
        named: &mut Named<'_>,
        check: Check<'_>,
    ) -> Result<bool, Error> {
        let mut is_interrupted = false;
        let mut progress = |_: &QueryCursorState| {
            is_interrupted = check();
            if is_interrupted {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = QueryCursorOptions::new().progress_callback(&mut progress);
        let mut matches = cursor.matches_with_options(&asked.query, node, source, options);
        while let Some(one) = matches.next() {
            self.captures.clear();
            self.captures.extend(one.captures.iter().map(|capture| {
                let span = (capture.node.start_byte(), capture.node.end_byte());
                (asked.captures[capture.index as usize], span)
            }));
            take_match(
                asked.patterns[one.pattern_index],
                &mut self.captures,
                &named.facts.rules.captures.roles,
                &mut self.own,
                named,
            );
        }
        drop(matches);
        if is_interrupted {
            return Err(Error::Interrupted);
        }
        Ok(!cursor.did_exceed_match_limit())
    }
}

/// Takes what a match of a pattern names; `own` is used again.
fn take_match(
    pattern: usize,
    captures: &mut [Capture],
    roles: &[Role],
    own: &mut Vec<(Role, Span)>,
    named: &mut Named<'_>,
) {
    captures.sort_by_key(|&(index, _)| index);
    own.clear();
    for &(index, span) in &*captures {
        match roles[index as usize] {
            Role::Node(class) => named.nodes.push((class, span)),
            Role::Block { inset } => named.blocks.push((inset, span)),
            Role::Sealed => named.sealed.push(span),
            Role::Other => {}
            role => own.push((role, span)),
        }
    }
    if !own.is_empty() {
        named.facts.add_match(pattern, own);
    }
}

/// Shows `see` every node in preorder with its depth, until it says no; returns whether it never did.
pub(crate) fn visit<'tree, E>(
    tree: &'tree Tree,
    mut see: impl FnMut(Node<'tree>, u32) -> Result<bool, E>,
) -> Result<bool, E> {
    visit_fields(tree, |node, _, depth| see(node, depth))
}

/// The same with the cursor that stands at the node.
fn visit_fields<'tree, E>(
    tree: &'tree Tree,
    mut see: impl FnMut(Node<'tree>, &TreeCursor<'tree>, u32) -> Result<bool, E>,
) -> Result<bool, E> {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        if !see(node, &cursor, depth)? {
            return Ok(false);
        }
        // To ask a leaf for its children costs more than to ask how many it has.
        if node.child_count() > 0 && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(true);
            }
            depth -= 1;
        }
    }
}

/// Whether two sources have the same nodes and texts, positions apart.
pub(crate) fn is_same_tree(trees: [&Tree; 2], sources: [&[u8]; 2]) -> bool {
    let [before, after] = [0, 1].map(|side| {
        let mut nodes = Vec::new();
        let Ok(_) = visit_fields::<Infallible>(trees[side], |node, cursor, depth| {
            let field = cursor.field_id().map_or(0, std::num::NonZero::get);
            let flags = (
                node.is_named(),
                node.is_error(),
                node.is_missing(),
                node.is_extra(),
                node.has_error(),
            );
            let text = (node.child_count() == 0).then(|| {
                let text = &sources[side][node.byte_range()];
                let end = text.iter().rposition(|&byte| !is_byte_space(byte));
                &text[..end.map_or(0, |at| at + 1)]
            });
            nodes.push((node.kind_id(), field, depth, flags, text));
            Ok(true)
        });
        nodes
    });
    before == after
}
