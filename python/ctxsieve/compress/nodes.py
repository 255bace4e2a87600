"""What may be left out of a file: whole syntax nodes that fill whole lines (docs/compression.md)."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import PARSE_LIMIT, FoundNodes, find_nodes, flat_lines, query_captures, ranges_of, syntax_nodes
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.languages import Language, removal_rules
from ctxsieve.values import dataclass

__all__ = [
    "MATCH_LIMIT",
    "NodeClass",
    "RemovableNode",
    "Skeleton",
    "block_bounds",
    "bounds_of_classes",
    "bounds_of_whole_nodes",
    "count_errors",
    "find_removable_nodes",
    "find_whole_nodes",
    "lines_of_classes",
]

# Counting errors needs the tree alone.
_NO_QUERY = ""
MATCH_LIMIT = 65_535
# What stands further from the edge of its line shares the line with something else.
_WIDEST_INDENT = 2000
# The text of a here-document stands behind the statement that opens it.
_HERE_DOCUMENT = re.compile(rb"<<[-~<]?\s*[\"'`]?[A-Za-z_]\w*")


class NodeClass(IntEnum):
    """Kinds of removable nodes, the safest first."""

    COMMENT = 0
    DOC = 1
    IMPORT = 2
    BOILERPLATE = 3
    ATTRIBUTE = 4
    STATEMENT = 5
    ROW = 6
    """An element of a list, a table or a call's arguments that ends with its comma."""


_CLASS_BY_NUMBER = tuple(NodeClass)

# Statements of a block, and a block whose first and last line hold its brackets.
_BLOCK = "block"
_DELIMITED_BLOCK = "block.delimited"
# In such a node none goes.
_SEALED = "sealed"
_WHITE_SPACE = np.frombuffer(b" \t\n\r\x0b\x0c", dtype=np.uint8)

_CLASSES = {
    "comment": NodeClass.COMMENT,
    "doc": NodeClass.DOC,
    "import": NodeClass.IMPORT,
    "boilerplate": NodeClass.BOILERPLATE,
    "attribute": NodeClass.ATTRIBUTE,
    "body.statement": NodeClass.STATEMENT,
    "row": NodeClass.ROW,
}


@dataclass(frozen=True, slots=True)
class RemovableNode:
    """A node that begins and ends with its lines; lines count from 1, bytes are half-open."""

    kind: NodeClass
    start_byte: int
    end_byte: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What may go, in source order, outer nodes before those inside them, and the blocks that may not be left empty.

    `blocks` are the lines on which the statements of a block may stand.
    """

    nodes: tuple[RemovableNode, ...] = ()
    blocks: tuple[LineRange, ...] = ()


def find_removable_nodes(source: SourceFile) -> Skeleton:
    """Return the nodes that may go; none that holds a definition.

    A node that shares a line with something else is none of them, the comma behind a row and a semicolon behind a
    statement apart, nor is one that a backslash or a here-document ties to other lines. Where the parser's work limit
    was reached there are none.
    """
    found = find_natively(source)
    if found is not None:
        columns = (found.nodes[first::5].tolist() for first in range(5))
        nodes = map(RemovableNode, map(_CLASS_BY_NUMBER.__getitem__, next(columns)), *columns)
        return Skeleton(tuple(nodes), ranges_of(found.blocks))
    spans: dict[tuple[int, int], NodeClass] = {}
    blocks: list[LineRange] = []
    sealed: list[tuple[int, int]] = []
    for name, start, end in source.captures:
        kind = _CLASSES.get(name)
        if kind is not None:
            # What several patterns name is what the most telling of them says: a doc string is no mere statement.
            known = spans.get((start, end))
            spans[start, end] = kind if known is None else _more_telling(known, kind)
        elif name in (_BLOCK, _DELIMITED_BLOCK) and end > start:
            inset = 1 if name == _DELIMITED_BLOCK else 0
            blocks.append(LineRange(source.line_of(start) + inset, source.line_of(end - 1) - inset))
        elif name == _SEALED and b"\n" in source.data[start:end]:
            sealed.append((start, end))
    ordered = sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1]))
    whole = _without_definitions(source, _on_whole_lines(source, ordered))
    return Skeleton(tuple(node for node in whole if not _is_inside(node, sealed)), tuple(blocks))


def block_bounds(source: SourceFile) -> npt.NDArray[np.int64]:
    """Return the first and the last line on which the statements of each block may stand, a row per block."""
    found = find_natively(source)
    if found is not None:
        return found.blocks.reshape(-1, 2).astype(np.int64)
    blocks = find_removable_nodes(source).blocks
    return np.array([(block.first, block.last) for block in blocks], dtype=np.int64).reshape(-1, 2)


def bounds_of_classes(source: SourceFile, classes: Sequence[NodeClass]) -> npt.NDArray[np.uint32]:
    """Return first and last line of the removable nodes of these classes, one node behind the other."""
    found = find_natively(source)
    if found is not None:
        nodes = found.nodes.reshape(-1, 5)
        # Many times faster than `isin` for so few.
        is_chosen = np.zeros(len(NodeClass), dtype=bool)
        is_chosen[list(classes)] = True
        return nodes[is_chosen[nodes[:, 0]], 3:].ravel()
    if source.language is None or not source.language.query("compress"):
        # Nothing is named there: the file need not be parsed for it.
        return np.zeros(0, dtype=np.uint32)
    chosen = [node for node in find_removable_nodes(source).nodes if node.kind in classes]
    return np.array([(node.first_line, node.last_line) for node in chosen], dtype=np.uint32).ravel()


def lines_of_classes(source: SourceFile, classes: Sequence[NodeClass]) -> npt.NDArray[np.bool_]:
    """Return for each line, from 1 to one beyond the last, whether a removable node of these classes stands on it."""
    firsts, lasts = bounds_of_classes(source, classes).astype(np.int64).reshape(-1, 2).T
    size = len(source.lines) + 2
    depth = np.bincount(firsts, minlength=size + 1) - np.bincount(lasts + 1, minlength=size + 1)
    is_on: npt.NDArray[np.bool_] = np.cumsum(depth)[:size] > 0
    return is_on


def bounds_of_whole_nodes(source: SourceFile) -> npt.NDArray[np.uint32]:
    """Return first and last line of every node that may go as a whole, definitions included, in source order."""
    found = find_natively(source)
    if found is not None:
        return found.whole_nodes
    return flat_lines(find_whole_nodes(source))


def find_whole_nodes(source: SourceFile) -> list[LineRange]:
    """Return the lines of every node that may go as a whole, definitions included, in source order."""
    found = find_natively(source)
    if found is not None:
        return list(ranges_of(found.whole_nodes))
    spans = [(definition.start_byte, definition.end_byte) for definition in source.parsed.definitions]
    definitions = _on_whole_lines(source, [(span, NodeClass.STATEMENT) for span in spans])
    nodes = (*find_removable_nodes(source).nodes, *definitions)
    return sorted({LineRange(node.first_line, node.last_line) for node in nodes})


def find_natively(source: SourceFile) -> FoundNodes | None:
    """Return what the native core finds, asked for once per text; None where the twin has to find it."""
    findings, language = source.findings, source.language
    # Where the syntax is known, the twin has only to sort it.
    if findings.nodes is None and findings.syntax is None and is_served_natively(source):
        assert language is not None, source.path
        assert language.grammar is not None, language.name
        findings.nodes = find_nodes(
            source.text,
            language.grammar,
            removal_rules(language),
            parse_limit=PARSE_LIMIT,
            match_limit=MATCH_LIMIT,
        )
    return findings.nodes


def is_served_natively(source: SourceFile) -> bool:
    """Say whether the native core knows what may go from files of this language."""
    language = source.language
    return language is not None and language.grammar is not None and bool(language.query("compress"))


def _is_inside(node: RemovableNode, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= node.start_byte and node.end_byte <= end for start, end in spans)


def _more_telling(one: NodeClass, other: NodeClass) -> NodeClass:
    if NodeClass.DOC in (one, other):
        return NodeClass.DOC
    return min(one, other)


def _without_definitions(source: SourceFile, nodes: Iterable[RemovableNode]) -> Iterable[RemovableNode]:
    """Return the nodes that hold no definition."""
    heads = sorted(definition.head_byte for definition in source.parsed.definitions)
    return (node for node in nodes if bisect_left(heads, node.start_byte) == bisect_left(heads, node.end_byte))


def _on_whole_lines(source: SourceFile, spans: Sequence[tuple[tuple[int, int], NodeClass]]) -> Iterable[RemovableNode]:
    """Yield the nodes that fill whole lines, found for all spans at once."""
    if not spans:
        return
    data = source.data
    # Some grammars count the line's end as part of a comment or directive.
    bounds = [(start, start + len(data[start:end].rstrip(b"\r\n"))) for (start, end), _ in spans]
    starts, ends = np.array(bounds, dtype=np.int64).T
    layout = _Layout(data)
    first, last = layout.line_of(starts), layout.line_of(np.maximum(ends - 1, starts))
    before, after = layout.starts[first], layout.ends[last]
    is_statement, is_row = (
        np.array([kind is wanted for _, kind in spans]) for wanted in (NodeClass.STATEMENT, NodeClass.ROW)
    )
    fits = (ends > starts) & (starts - before <= _WIDEST_INDENT) & (after - ends <= _WIDEST_INDENT)
    fits &= layout.is_blank(before, starts)
    fits &= (
        (layout.is_blank(ends, after) & ~is_row)
        | (is_statement & layout.is_only(";", ends, after))
        | (is_row & layout.is_only(",", ends, after))
    )
    fits &= ~layout.ends_with_backslash(first - 1) & ~layout.ends_with_backslash(last)
    for position in np.flatnonzero(fits).tolist():
        kind = spans[position][1]
        start, end = bounds[position]
        if kind in (NodeClass.STATEMENT, NodeClass.ROW) and _HERE_DOCUMENT.search(data, start, end):
            continue
        if kind is NodeClass.COMMENT and start == 0 and data.startswith(b"#!"):
            continue
        yield RemovableNode(kind, start, end, int(first[position]) + 1, int(last[position]) + 1)


class _Layout:
    """Where the lines of a text begin and end, and where it is white space; lines count from 0."""

    def __init__(self, data: bytes) -> None:
        self._bytes = np.frombuffer(data, dtype=np.uint8)
        newlines = np.flatnonzero(self._bytes == ord("\n"))
        self.starts: npt.NDArray[np.int64] = np.concatenate(([0], newlines + 1))
        self.ends: npt.NDArray[np.int64] = np.concatenate((newlines, [len(data)]))
        self._newlines = newlines
        # Positions of what is no white space, with a sentinel.
        self._marks = np.append(np.flatnonzero(~np.isin(self._bytes, _WHITE_SPACE)), len(data))

    def line_of(self, positions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the line in which each byte stands; a newline belongs to the line that it ends."""
        return np.searchsorted(self._newlines, positions)

    def is_blank(self, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return for each span whether it is all white space."""
        is_blank: npt.NDArray[np.bool_] = self._marks[np.searchsorted(self._marks, starts)] >= ends
        return is_blank

    def is_only(self, mark: str, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return for each span whether the mark is all that stands in it."""
        at = np.searchsorted(self._marks, starts)
        here = np.minimum(self._marks[at], len(self._bytes) - 1)
        following = self._marks[np.minimum(at + 1, len(self._marks) - 1)]
        is_first: npt.NDArray[np.bool_] = (self._marks[at] < ends) & (self._bytes[here] == ord(mark))
        is_only: npt.NDArray[np.bool_] = is_first & (following >= ends)
        return is_only

    def ends_with_backslash(self, lines: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return for each line whether its last mark is a backslash; line -1 has none."""
        ends = self.ends[np.maximum(lines, 0)]
        at = np.searchsorted(self._marks, ends) - 1
        here = self._marks[np.maximum(at, 0)]
        is_inside = (lines >= 0) & (at >= 0) & (here >= self.starts[np.maximum(lines, 0)])
        is_backslash: npt.NDArray[np.bool_] = self._bytes[np.minimum(here, len(self._bytes) - 1)] == ord("\\")
        return is_inside & is_backslash


def keeps_tree(source: SourceFile, spelling: Sequence[str]) -> bool:
    """Say whether the source has the same nodes and texts, positions apart, when its lines are spelled so."""
    language = source.language
    if language is None or language.grammar is None:
        return False
    text = "\n".join(spelling) + ("\n" if source.text.endswith("\n") else "")
    texts = [source.data, text.encode("utf-8", "surrogatepass")]
    nodes = syntax_nodes(texts, language.grammar, parse_limit=PARSE_LIMIT, threads=1)
    before, after = (slice(int(nodes.indptr[i]), int(nodes.indptr[i + 1])) for i in (0, 1))
    columns = (nodes.kind, nodes.field, nodes.parent, nodes.flags)
    if any(column[before].tobytes() != column[after].tobytes() for column in columns):
        return False
    is_leaf = np.ones(before.stop - before.start, dtype=bool)
    is_leaf[nodes.parent[before][1:]] = False
    leaves = [
        [
            text[start:end].rstrip()
            for start, end in zip(nodes.start_byte[part][is_leaf], nodes.end_byte[part][is_leaf], strict=True)
        ]
        for text, part in zip(texts, (before, after), strict=True)
    ]
    return leaves[0] == leaves[1]


def count_errors(sources: Sequence[bytes], language: Language) -> list[int | None]:
    """Return for each source its error and missing nodes, None where the parser's work limit was reached."""
    assert language.grammar is not None, language.name
    found = query_captures(
        list(sources), language.grammar, _NO_QUERY, parse_limit=PARSE_LIMIT, match_limit=MATCH_LIMIT, threads=1
    )
    counts = zip(found.error_nodes.tolist(), found.missing_nodes.tolist(), found.status.tolist(), strict=True)
    # A stopped match (2) still has its counts: the tree is complete.
    return [None if status == 1 else errors + missing for errors, missing, status in counts]
