//! Syntax trees of many sources at once: captures of a query, or all nodes, as flat arrays.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tree_sitter::{
    Language, Node, ParseOptions, ParseState, Parser, Point, Query, QueryCursor,
    QueryCursorOptions, QueryCursorState, StreamingIterator, Tree,
};

/// How one source went.
pub const COMPLETE: u8 = 0;
/// The parser made more call-backs than allowed.
pub const PARSE_STOPPED: u8 = 1;
/// The query had more matches in flight than allowed.
pub const MATCHES_STOPPED: u8 = 2;

const ROOT_PARENT: u32 = u32::MAX;

/// Captures of one source; `rows` holds match, pattern, capture, start and end byte, start and end row.
#[derive(Debug, Default)]
pub struct Captures {
    /// In order of the matches, then by capture id.
    pub rows: Vec<[u32; 7]>,
    /// Number of ERROR nodes.
    pub error_nodes: u32,
    /// Number of MISSING nodes.
    pub missing_nodes: u32,
    /// One of the constants above.
    pub status: u8,
}

/// One node: kind, field, flags, start and end byte, start and end row, parent.
#[derive(Debug, Clone, Copy)]
pub struct FlatNode {
    /// Kind id of the grammar.
    pub kind: u16,
    /// Field id in its parent, 0 for none.
    pub field: u16,
    /// 1 named, 2 error, 4 missing, 8 extra, 16 contains an error.
    pub flags: u8,
    /// Start byte, end byte, start row, end row, parent (`u32::MAX` for the root).
    pub numbers: [u32; 5],
}

/// The nodes of one source in preorder.
#[derive(Debug, Default)]
pub struct FlatTree {
    /// Empty when stopped.
    pub nodes: Vec<FlatNode>,
    /// `COMPLETE` or `PARSE_STOPPED`.
    pub status: u8,
}

/// The tree, or None when the parser made more than `parse_limit` call-backs or `is_stopped`, asked at each, said so.
pub fn parse_within(
    parser: &mut Parser,
    source: &[u8],
    parse_limit: u64,
    mut is_stopped: impl FnMut() -> bool,
) -> Option<Tree> {
    let mut calls = 0_u64;
    let mut progress = |_: &ParseState| {
        calls += 1;
        if is_stopped() || calls > parse_limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |offset: usize, _: Point| source.get(offset..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    if tree.is_none() {
        // A stopped parser would resume with its next source.
        parser.reset();
    }
    tree
}

/// Run `work` on every item with a parser per thread; results in the order of the items. None when cancelled.
fn for_each_source<T: Send + Default>(
    sources: &[&[u8]],
    language: &Language,
    threads: usize,
    cancelled: &AtomicBool,
    work: impl Fn(&mut Parser, &[u8]) -> T + Sync,
) -> Option<Vec<T>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<T>> = Mutex::new(sources.iter().map(|_| T::default()).collect());
    let run = || {
        let mut parser = Parser::new();
        parser
            .set_language(language)
            .expect("the version was checked when the grammar was loaded");
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= sources.len() || cancelled.load(Ordering::Relaxed) {
                return;
            }
            let result = work(&mut parser, sources[index]);
            results.lock().expect("no holder panics")[index] = result;
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(sources.len()) {
            scope.spawn(run);
        }
        run();
    });
    if cancelled.load(Ordering::Relaxed) {
        return None;
    }
    Some(results.into_inner().expect("no holder panics"))
}

/// Limits of one batch.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Progress call-backs of the parser per source.
    pub parse: u64,
    /// Matches in flight per source.
    pub matches: u32,
    /// Threads, at least 1.
    pub threads: usize,
}

/// The captures of `query` in every source, in the order of the sources; None when cancelled.
#[must_use]
pub fn query_captures(
    sources: &[&[u8]],
    language: &Language,
    query: &Query,
    limits: Limits,
    cancelled: &AtomicBool,
) -> Option<Vec<Captures>> {
    for_each_source(
        sources,
        language,
        limits.threads,
        cancelled,
        |parser, source| {
            let Some(tree) = parse_within(parser, source, limits.parse, || false) else {
                return Captures {
                    status: PARSE_STOPPED,
                    ..Captures::default()
                };
            };
            let mut captures = captures_of(&tree, query, source, limits.matches, cancelled);
            (captures.error_nodes, captures.missing_nodes) = count_broken_nodes(tree.root_node());
            captures
        },
    )
}

fn captures_of(
    tree: &Tree,
    query: &Query,
    source: &[u8],
    match_limit: u32,
    cancelled: &AtomicBool,
) -> Captures {
    let mut found = Captures::default();
    if query.capture_names().is_empty() {
        return found;
    }
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(match_limit);
    let mut progress = |_: &QueryCursorState| {
        if cancelled.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = QueryCursorOptions::new().progress_callback(&mut progress);
    let mut matches = cursor.matches_with_options(query, tree.root_node(), source, options);
    let mut ordinal = 0;
    while let Some(one) = matches.next() {
        let mut captures: Vec<_> = one.captures.iter().collect();
        captures.sort_by_key(|capture| capture.index);
        found.rows.extend(captures.into_iter().map(|capture| {
            let (node, pattern) = (capture.node, one.pattern_index as u32);
            let (start, end) = (
                node.start_position().row as u32,
                node.end_position().row as u32,
            );
            [
                ordinal,
                pattern,
                capture.index,
                node.start_byte() as u32,
                node.end_byte() as u32,
                start,
                end,
            ]
        }));
        ordinal += 1;
    }
    drop(matches);
    if cursor.did_exceed_match_limit() {
        found.rows.clear();
        found.status = MATCHES_STOPPED;
    }
    found
}

/// ERROR and MISSING nodes from a root on.
#[must_use]
pub fn count_broken_nodes(root: Node<'_>) -> (u32, u32) {
    let (mut errors, mut missing) = (0, 0);
    let mut pending = vec![root];
    let mut cursor = root.walk();
    while let Some(node) = pending.pop() {
        missing += u32::from(node.is_missing());
        errors += u32::from(node.is_error());
        if node.has_error() {
            pending.extend(node.children(&mut cursor));
        }
    }
    (errors, missing)
}

/// All nodes of every source in preorder, in the order of the sources; None when cancelled.
#[must_use]
pub fn syntax_nodes(
    sources: &[&[u8]],
    language: &Language,
    limits: Limits,
    cancelled: &AtomicBool,
) -> Option<Vec<FlatTree>> {
    for_each_source(
        sources,
        language,
        limits.threads,
        cancelled,
        |parser, source| match parse_within(parser, source, limits.parse, || false) {
            Some(tree) => FlatTree {
                nodes: flatten(&tree),
                status: COMPLETE,
            },
            None => FlatTree {
                nodes: Vec::new(),
                status: PARSE_STOPPED,
            },
        },
    )
}

fn flatten(tree: &Tree) -> Vec<FlatNode> {
    let mut nodes: Vec<FlatNode> = Vec::new();
    let mut ancestors: Vec<u32> = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let parent = ancestors.last().copied().unwrap_or(ROOT_PARENT);
        nodes.push(flat_node(
            node,
            cursor.field_id().map_or(0, std::num::NonZero::get),
            parent,
        ));
        if cursor.goto_first_child() {
            ancestors.push(nodes.len() as u32 - 1);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return nodes;
            }
            ancestors.pop();
        }
    }
}

fn flat_node(node: Node<'_>, field: u16, parent: u32) -> FlatNode {
    let flags = u8::from(node.is_named())
        | u8::from(node.is_error()) << 1
        | u8::from(node.is_missing()) << 2
        | u8::from(node.is_extra()) << 3
        | u8::from(node.has_error()) << 4;
    let (start, end) = (
        node.start_position().row as u32,
        node.end_position().row as u32,
    );
    let numbers = [
        node.start_byte() as u32,
        node.end_byte() as u32,
        start,
        end,
        parent,
    ];
    FlatNode {
        kind: node.kind_id(),
        field,
        flags,
        numbers,
    }
}
