"""What may be left out of a file: whole syntax nodes that fill whole lines (SPEC 0.3)."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from ctxsieve._kernels import PARSE_LIMIT, query_capture_names, query_captures
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.languages import Language

__all__ = ["NodeClass", "RemovableNode", "count_errors", "find_removable_nodes", "find_whole_nodes"]

# States that the query cursor may keep open at once; real files need a few hundred.
_MATCH_LIMIT = 65_535
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


_CLASSES = {
    "comment": NodeClass.COMMENT,
    "doc": NodeClass.DOC,
    "import": NodeClass.IMPORT,
    "boilerplate": NodeClass.BOILERPLATE,
    "attribute": NodeClass.ATTRIBUTE,
    "body.statement": NodeClass.STATEMENT,
}


@dataclass(frozen=True, slots=True)
class RemovableNode:
    """A node that begins and ends with its lines; lines count from 1, bytes are half-open."""

    kind: NodeClass
    start_byte: int
    end_byte: int
    first_line: int
    last_line: int


def find_removable_nodes(source: SourceFile) -> tuple[RemovableNode, ...]:
    """Return the nodes in source order, outer ones before those inside them; none that holds a definition.

    A node that shares a line with something else is none of them, nor is one that a backslash or a here-document ties
    to other lines. Where the parser's work limit was reached there are none.
    """
    language = source.language
    if language is None or language.grammar is None:
        return ()
    query = language.query("compress")
    if not query:
        return ()
    names = query_capture_names(language.grammar, query)
    found = query_captures(
        [source.data], language.grammar, query, parse_limit=PARSE_LIMIT, match_limit=_MATCH_LIMIT, threads=1
    )
    rows = zip(found.capture.tolist(), found.start_byte.tolist(), found.end_byte.tolist(), strict=True)
    spans: dict[tuple[int, int], NodeClass] = {}
    for capture, start, end in rows:
        kind = _CLASSES.get(names[capture])
        if kind is not None:
            # What several patterns name is what the most telling of them says: a doc string is no mere statement.
            known = spans.get((start, end))
            spans[start, end] = kind if known is None else _more_telling(known, kind)
    heads = sorted(definition.head_byte for definition in source.parsed.definitions)
    nodes = [
        node
        for (start, end), kind in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1]))
        if (node := _on_whole_lines(source, kind, start, end)) is not None
        and bisect_left(heads, node.start_byte) == bisect_left(heads, node.end_byte)
    ]
    return tuple(nodes)


def find_whole_nodes(source: SourceFile) -> list[LineRange]:
    """Return the lines of every node that may go as a whole, definitions included, in source order."""
    spans = {LineRange(node.first_line, node.last_line) for node in find_removable_nodes(source)}
    for definition in source.parsed.definitions:
        start, end = definition.start_byte, definition.end_byte
        if _on_whole_lines(source, NodeClass.STATEMENT, start, end) is not None:
            spans.add(LineRange(definition.first_line, definition.last_line))
    return sorted(spans)


def _more_telling(one: NodeClass, other: NodeClass) -> NodeClass:
    if NodeClass.DOC in (one, other):
        return NodeClass.DOC
    return min(one, other)


def _on_whole_lines(source: SourceFile, kind: NodeClass, start: int, end: int) -> RemovableNode | None:
    data = source.data
    # Some grammars count the line's end as part of a comment or directive.
    while end > start and data[end - 1 : end] in (b"\n", b"\r"):
        end -= 1
    if end <= start:
        return None
    first, last = source.line_of(start), source.line_of(end - 1)
    before, after = source.bytes_of_line(first)[0], source.bytes_of_line(last)[1]
    if start - before > _WIDEST_INDENT or after - end > _WIDEST_INDENT:
        return None
    rest = data[end:after].strip()
    if data[before:start].strip() or (rest and not (rest == b";" and kind is NodeClass.STATEMENT)):
        return None
    if data[max(0, before - 3) : before].rstrip(b"\r\n").endswith(b"\\") or data[start:after].rstrip().endswith(b"\\"):
        return None
    if kind is NodeClass.STATEMENT and _HERE_DOCUMENT.search(data, start, end):
        return None
    if kind is NodeClass.COMMENT and data.startswith(b"#!", start) and start == 0:
        return None
    return RemovableNode(kind, start, end, first, last)


def count_errors(sources: Sequence[bytes], language: Language) -> list[int | None]:
    """Return for each source its error and missing nodes, None where the parser's work limit was reached."""
    assert language.grammar is not None, language.name
    found = query_captures(
        list(sources),
        language.grammar,
        language.query("compress"),
        parse_limit=PARSE_LIMIT,
        match_limit=_MATCH_LIMIT,
        threads=1,
    )
    counts = zip(found.error_nodes.tolist(), found.missing_nodes.tolist(), found.status.tolist(), strict=True)
    # A stopped match (2) still has its counts: the tree is complete.
    return [None if status == 1 else errors + missing for errors, missing, status in counts]
