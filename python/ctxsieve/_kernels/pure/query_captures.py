"""Twin of the native `query_captures`: run one query over many sources with py-tree-sitter."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from tree_sitter import Node, Parser, Point, Query, QueryCursor, QueryError, Tree

from ctxsieve._kernels.grammars import QueryCaptures, check_query, grammar_language


def parse_limited(parser: Parser, source: bytes, parse_limit: int) -> Tree | None:
    """Return the tree, or None when the parser made more than `parse_limit` progress call-backs."""
    view = memoryview(source)
    calls = 0
    stopped = False

    def read(offset: int, _position: Point) -> memoryview:
        return view[offset:]

    def progress(_offset: int, _has_error: bool) -> bool:
        nonlocal calls, stopped
        calls += 1
        stopped = calls > parse_limit
        return stopped

    parse: Callable[..., Tree] = parser.parse
    try:
        tree = parse(read, progress_callback=progress)
    except ValueError:
        if not stopped:
            raise
        # A stopped parser would resume with its next source.
        parser.reset()
        return None
    return tree


def count_broken_nodes(root: Node) -> tuple[int, int]:
    """Return the numbers of ERROR and of MISSING nodes below and including `root`."""
    errors = missing = 0
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_missing:
            missing += 1
        if node.is_error:
            errors += 1
        if node.has_error:
            pending.extend(node.children)
    return errors, missing


@lru_cache(maxsize=256)
def compile_query(grammar: str, query: str) -> Query:
    """Return the compiled query.

    Raises:
        ValueError: The query does not compile, or it has predicates.
    """
    check_query(query)
    try:
        return Query(grammar_language(grammar), query)
    except QueryError as error:
        raise ValueError(f"query for the grammar {grammar!r} does not compile") from error


def query_capture_names(grammar: str, query: str) -> tuple[str, ...]:
    """Return the capture names of a query by capture id."""
    compiled = compile_query(grammar, query)
    return tuple(compiled.capture_name(capture) for capture in range(compiled.capture_count))


def query_captures(
    sources: Sequence[bytes],
    grammar: str,
    query: str,
    *,
    parse_limit: int,
    match_limit: int,
    threads: int,  # noqa: ARG001
) -> QueryCaptures:
    """Return the captures of `query` in every source; see `QueryCaptures`."""
    compiled = compile_query(grammar, query)
    capture_ids = {name: capture for capture, name in enumerate(query_capture_names(grammar, query))}
    parser = Parser(grammar_language(grammar))
    rows: list[tuple[int, int, int, int, int, int, int]] = []
    indptr, broken, status = [0], [], []
    for source in sources:
        tree = parse_limited(parser, source, parse_limit)
        if tree is None:
            status.append(1)
            broken.append((0, 0))
        else:
            found = _captures_of(tree, QueryCursor(compiled, match_limit=match_limit), capture_ids)
            status.append(2 if found is None else 0)
            broken.append(count_broken_nodes(tree.root_node))
            rows.extend(found or ())
        indptr.append(len(rows))
    table = np.array(rows, dtype=np.uint32).reshape(len(rows), 7)
    counts = np.array(broken, dtype=np.uint32).reshape(len(broken), 2)
    columns = [np.ascontiguousarray(table[:, column]) for column in range(7)]
    broken_columns = [np.ascontiguousarray(counts[:, column]) for column in range(2)]
    return QueryCaptures._make(
        [np.array(indptr, dtype=np.uint64), *columns, *broken_columns, np.array(status, dtype=np.uint8)]
    )


def _captures_of(
    tree: Tree, cursor: QueryCursor, capture_ids: dict[str, int]
) -> list[tuple[int, int, int, int, int, int, int]] | None:
    if not capture_ids:
        return []
    rows = [
        (ordinal, pattern, capture_ids[name], node.start_byte, node.end_byte, node.start_point.row, node.end_point.row)
        for ordinal, (pattern, captures) in enumerate(cursor.matches(tree.root_node))
        for name in sorted(captures, key=capture_ids.__getitem__)
        for node in captures[name]
    ]
    return None if cursor.did_exceed_match_limit else rows
