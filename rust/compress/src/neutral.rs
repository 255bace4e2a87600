//! Which gaps the grammar's own tables show to be harmless, so that the rest need not be parsed again.
//!
//! A parser goes by its state and by what comes next. Where a run of whole neighbours goes, it is in the state in which
//! it met the first of them, and what comes next is what stood behind the last: the tables say whether it is taken
//! there. What was ambiguous keeps no state of its own; it is that of another node that begins with it, or of the one
//! before it in a list. What is not seen this way is parsed: most leaves, sources with errors, and statements whose end
//! depends on how the next one begins.

use std::cell::Cell;

use tree_sitter::{Node, Tree, TreeCursor};

use crate::definitions::Span;
use crate::lines::{Text, is_byte_space};
use crate::rules::Rules;

/// Whether a source without errors, whose lines may stand as they are or be spelled anew, has none without these lines.
///
/// Of each gap it is asked whether it is a run of whole neighbours below one node, and whether the parser, in the state
/// in which it met the first of them, takes what follows them instead. No is no proof of the contrary: it is also the
/// answer where finding the gaps among very many neighbours would take longer than parsing the rest.
pub(crate) fn are_neutral(
    tree: &Tree,
    text: &Text<'_>,
    rules: &Rules,
    gaps: &[(usize, usize)],
    emptied: &[bool],
) -> bool {
    let mut cursor = tree.walk();
    let subject = Subject {
        text,
        rules,
        steps_left: Cell::new(text.bytes().len()),
    };
    gaps.iter().zip(emptied).all(|(&gap, &is_emptied)| {
        cursor.reset(tree.root_node());
        let known = subject.is_neutral(&mut cursor, gap, is_emptied);
        known.unwrap_or(false)
    })
}

/// So many neighbours before a gap are asked for their states.
const SEEN_BEFORE: usize = 4;

/// The rules, and the text of the tree.
struct Subject<'a> {
    text: &'a Text<'a>,
    rules: &'a Rules,
    /// So many neighbours may still be passed on the way to a gap; to pass one takes no longer than to parse a byte.
    steps_left: Cell<usize>,
}

impl Subject<'_> {
    /// None where the tree does not tell.
    fn is_neutral(
        &self,
        cursor: &mut TreeCursor<'_>,
        (first, last): (usize, usize),
        is_emptied: bool,
    ) -> Option<bool> {
        let (begin, stop) = (self.text.bounds(first).0, self.text.bounds(last).1);
        let lines = &self.text.bytes()[begin..stop];
        let is_filled = |byte: &u8| !is_byte_space(*byte);
        let start = begin + lines.iter().position(is_filled)?;
        let end = begin + lines.iter().rposition(is_filled)? + 1;
        self.is_run(cursor, (start, end), is_emptied, true)
    }

    /// The same for the bytes from the first to the last of a gap, below the node at which the cursor stands.
    ///
    /// `is_one_way` says whether the parser read what stands before that node in one way.
    fn is_run(
        &self,
        cursor: &mut TreeCursor<'_>,
        span: Span,
        is_emptied: bool,
        mut is_one_way: bool,
    ) -> Option<bool> {
        let (start, end) = span;
        let mut before = None;
        // Where a line is a statement, its end decides between two ways.
        if !self.descend(cursor, span, &mut before, &mut is_one_way)
            || (self.rules.ellipsis_kind.is_none() && !is_one_way)
        {
            return None;
        }
        let mut is_emptied = is_emptied;
        let node = cursor.node();
        if node.start_byte() < start {
            // The end of an inner block goes, too: the mark stands there.
            let inner = (start, self.content_end(node));
            if inner.1 > end || !self.is_run(&mut cursor.clone(), inner, is_emptied, is_one_way)? {
                return None;
            }
            (before, is_emptied) = (Some(node), false);
            if !cursor.goto_next_sibling() {
                return Some(true);
            }
        }
        let mut opening = None;
        loop {
            let node = cursor.node();
            if node.start_byte() >= end {
                break;
            }
            if self.content_end(node) > end {
                let inner = (node.start_byte(), end);
                return self.reaches_into(cursor, inner, before, opening, is_emptied, start);
            }
            if !node.is_extra() && opening.is_none() {
                opening = Some(node);
            }
            if !cursor.goto_next_sibling() {
                return self.may_end(cursor, before, opening, is_emptied);
            }
        }
        let Some(opening) = opening else {
            return Some(!is_emptied);
        };
        if is_emptied {
            return self.takes_for(cursor, before, opening, self.rules.ellipsis_kind?);
        }
        while cursor.node().is_extra() {
            if !cursor.goto_next_sibling() {
                return self.may_end(cursor, before, Some(opening), false);
            }
        }
        let following = cursor.node();
        if !self.is_read_as_before(before, opening, following) {
            return None;
        }
        if let Some(state) = before.and_then(|before| self.state_behind(before, opening)) {
            return Some(self.goes_on(cursor, state, following));
        }
        if self.rules.is_free && before.is_some_and(|before| !self.is_ended(before, following)) {
            return None;
        }
        self.takes_for(cursor, before, opening, following.grammar_id())
    }

    /// Whether the gap may go on to the beginning of an inner block, at which the cursor stands.
    fn reaches_into(
        &self,
        cursor: &mut TreeCursor<'_>,
        inner: Span,
        before: Option<Node<'_>>,
        opening: Option<Node<'_>>,
        is_emptied: bool,
        start: usize,
    ) -> Option<bool> {
        let node = cursor.node();
        if let Some(opening) = opening
            && (is_emptied
                || !self.is_read_as_before(before, opening, node)
                || !self.takes_for(cursor, before, opening, node.grammar_id())?)
        {
            return None;
        }
        // The mark stands before the block: what fills it there has to stand where its statements stand.
        let column = |byte: usize| byte - self.text.bounds(self.text.line_of(byte)).0;
        if is_emptied && column(start) != column(inner.0) {
            return None;
        }
        self.is_run(cursor, inner, is_emptied, true)
    }

    /// What ends a list has no node of its own; it may follow what stood before, or what is put in its place.
    fn may_end(
        &self,
        cursor: &TreeCursor<'_>,
        before: Option<Node<'_>>,
        opening: Option<Node<'_>>,
        is_emptied: bool,
    ) -> Option<bool> {
        match opening {
            None => Some(!is_emptied),
            Some(opening) if is_emptied => {
                self.takes_for(cursor, before, opening, self.rules.ellipsis_kind?)
            }
            // Where the line ends a statement, it has done so before it is seen what follows.
            Some(_) if self.rules.ellipsis_kind.is_some() => Some(before?.child_count() > 0),
            Some(opening) => Some(state_of(before?).is_some() && state_of(opening).is_some()),
        }
    }

    /// Moves to the first child that reaches into the span, of the innermost node that reaches beyond it; `before` is
    /// the child before it that is no extra. While the parser reads something in two ways it keeps no states: one that
    /// it kept of a neighbour before, or of what stands before them all, shows that it had made up its mind. False where there is no such child, or none in the steps that are left.
    fn descend<'tree>(
        &self,
        cursor: &mut TreeCursor<'tree>,
        (start, end): Span,
        before: &mut Option<Node<'tree>>,
        is_one_way: &mut bool,
    ) -> bool {
        loop {
            let holder = cursor.node();
            let steps_left = self.steps_left.get();
            let Some(index) = cursor
                .goto_first_child_for_byte(start)
                .filter(|_| steps_left > 0)
            else {
                return false;
            };
            self.steps_left.set(steps_left.saturating_sub(index));
            let node = cursor.node();
            let holds = node.start_byte() <= start && self.content_end(node) >= end;
            let earlier = || (0..index as u32).rev().map_while(|at| holder.child(at));
            let mut read = earlier()
                .take(SEEN_BEFORE)
                .filter(|node| node.child_count() > 0);
            if let Some(last) = read.next() {
                *is_one_way = state_of(last).is_some() || read.any(|node| state_of(node).is_some());
            }
            if !holds || (node.start_byte() == start && self.content_end(node) == end) {
                *before = earlier().find(|node| !node.is_extra());
                return true;
            }
        }
    }

    /// Where a node ends, the line's end apart, which some grammars count as part of it.
    fn content_end(&self, node: Node<'_>) -> usize {
        let bytes = &self.text.bytes()[node.byte_range()];
        let length = bytes.iter().rposition(|byte| !is_byte_space(*byte));
        node.start_byte() + length.map_or(0, |at| at + 1)
    }

    /// Whether the parser takes a node of this kind where it met the inner node `met`, a neighbour of the cursor's.
    fn takes_for(
        &self,
        cursor: &TreeCursor<'_>,
        before: Option<Node<'_>>,
        met: Node<'_>,
        kind: u16,
    ) -> Option<bool> {
        let own = met.grammar_id();
        if met.child_count() == 0 {
            None
        } else if own == kind {
            Some(true)
        } else if let Some(state) = self.state_at(cursor, before, met) {
            Some(self.rules.takes(state, kind))
        } else {
            self.rules.takes_always(own, kind).then_some(true)
        }
    }

    /// Whether what follows a gap is surely read as it was, if the parser takes it there.
    ///
    /// What it read in two ways at once it reads so again in the same state: where the gap does not begin a list, so
    /// that what follows stood behind members of it, or behind a comma, and still does.
    fn is_read_as_before(
        &self,
        before: Option<Node<'_>>,
        opening: Node<'_>,
        following: Node<'_>,
    ) -> bool {
        let is_leaf = following.child_count() == 0;
        if state_of(following).is_some() || (is_leaf && !following.is_named()) {
            return true;
        }
        let kind = opening.grammar_id();
        before.is_some_and(|before| match state_of(before) {
            Some(state) => self.rules.takes(state, kind),
            None if before.child_count() == 0 => {
                !before.is_named() && (is_leaf || &self.text.bytes()[before.byte_range()] == b",")
            }
            None => self.rules.takes_always(before.grammar_id(), kind),
        })
    }

    /// The parser's state before an inner node; the cursor stands at one of its neighbours.
    ///
    /// Nodes that begin with the same token begin in the same state, and so do the members of a list from the second
    /// one on: what was read of the list is one node by then, however many members it had.
    fn state_at(
        &self,
        cursor: &TreeCursor<'_>,
        before: Option<Node<'_>>,
        node: Node<'_>,
    ) -> Option<u16> {
        if let Some(state) = begun_with(node).find_map(state_of) {
            return Some(state);
        }
        let mut holder = cursor.clone();
        if !holder.goto_parent() {
            return None;
        }
        let first = holder.node().child(0)?;
        let state = if first == node {
            state_of(holder.node())
        } else {
            before.filter(|&before| before != first).and_then(state_of)
        }?;
        self.rules.takes(state, node.grammar_id()).then_some(state)
    }

    /// The parser's state behind a comma or an opening bracket: nothing was put together before it met the node behind,
    /// so that leaves keep it as well.
    fn state_behind(&self, before: Node<'_>, node: Node<'_>) -> Option<u16> {
        let sign = &self.text.bytes()[before.byte_range()];
        if before.is_named() || !matches!(sign, b"," | b"(" | b"[" | b"{") {
            return None;
        }
        if node.child_count() == 0 {
            let state = node.parse_state();
            return (state != u16::MAX).then_some(state);
        }
        begun_with(node).find_map(state_of)
    }

    /// Whether the parser takes the node at which the cursor stands in a state, and behind it what stands there.
    ///
    /// The bracket that ends the list may end what comes before it first.
    fn goes_on(&self, cursor: &TreeCursor<'_>, state: u16, following: Node<'_>) -> bool {
        let kind = following.grammar_id();
        let mut behind = cursor.clone();
        let mut has_next = behind.goto_next_sibling();
        while has_next && behind.node().is_extra() {
            has_next = behind.goto_next_sibling();
        }
        if !has_next && !following.is_named() && following.child_count() == 0 {
            return self.rules.expects(state, kind);
        }
        let reached = self.rules.state_after(state, kind);
        reached.is_some_and(|reached| {
            !has_next || self.rules.expects(reached, behind.node().grammar_id())
        })
    }

    /// Whether the line's end between two statements ends the first one, whatever the second is; a bracket that opens
    /// them is none.
    fn is_ended(&self, before: Node<'_>, following: Node<'_>) -> bool {
        let source = self.text.bytes();
        let last = self.content_end(before);
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
        (last > before.start_byte() && source[last - 1] == b';')
            || before.kind() == "{"
            || source
                .get(following.start_byte())
                .is_some_and(|&byte| is_word(byte) || byte == b'}')
    }
}

/// A node, and the nodes inside that begin with it.
fn begun_with(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let start = node.start_byte();
    std::iter::successors(Some(node), |begun| begun.child(0))
        .take_while(move |begun| begun.start_byte() == start)
}

/// The parser's state before an inner node; leaves keep another one, and ambiguous nodes none.
fn state_of(node: Node<'_>) -> Option<u16> {
    let state = node.parse_state();
    (node.child_count() > 0 && state != u16::MAX).then_some(state)
}
