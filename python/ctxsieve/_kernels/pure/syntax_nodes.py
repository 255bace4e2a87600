"""Twin of the native `syntax_nodes`: all nodes of many sources in preorder, with py-tree-sitter."""

from collections.abc import Sequence

import numpy as np
from tree_sitter import Parser, Tree

from ctxsieve._kernels.grammars import SyntaxNodes, grammar_language
from ctxsieve._kernels.pure.query_captures import parse_limited

_ROOT_PARENT = 0xFFFF_FFFF
_Row = tuple[int, int, int, int, int, int, int, int]


def syntax_nodes(
    sources: Sequence[bytes],
    grammar: str,
    *,
    parse_limit: int,
    threads: int,  # noqa: ARG001
) -> SyntaxNodes:
    """Return the nodes of every source; see `SyntaxNodes`."""
    parser = Parser(grammar_language(grammar))
    rows: list[_Row] = []
    indptr, status = [0], []
    for source in sources:
        tree = parse_limited(parser, source, parse_limit)
        status.append(tree is None)
        if tree is not None:
            rows.extend(_nodes_of(tree))
        indptr.append(len(rows))
    table = np.array(rows, dtype=np.uint32).reshape(len(rows), 8)
    columns = [np.ascontiguousarray(table[:, column]) for column in range(2, 7)]
    return SyntaxNodes._make(
        [
            np.array(indptr, dtype=np.uint64),
            table[:, 0].astype(np.uint16),
            table[:, 1].astype(np.uint16),
            *columns,
            table[:, 7].astype(np.uint8),
            np.array(status, dtype=np.uint8),
        ]
    )


def _nodes_of(tree: Tree) -> list[_Row]:
    rows: list[_Row] = []
    cursor = tree.walk()
    ancestors: list[int] = []
    while True:
        node = cursor.node
        assert node is not None
        flags = node.is_named | node.is_error << 1 | node.is_missing << 2 | node.is_extra << 3 | node.has_error << 4
        rows.append(
            (
                node.kind_id,
                cursor.field_id or 0,
                node.start_byte,
                node.end_byte,
                node.start_point.row,
                node.end_point.row,
                ancestors[-1] if ancestors else _ROOT_PARENT,
                flags,
            )
        )
        if cursor.goto_first_child():
            ancestors.append(len(rows) - 1)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return rows
            ancestors.pop()
