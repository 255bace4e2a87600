"""Programs of the pieces of a language's fixtures: top-level nodes, statements and rows, repeated, moved, dropped."""

from functools import cache

import numpy as np
from hypothesis import strategies as st

from compression_rules import fixture_sources
from ctxsieve._kernels import PARSE_LIMIT, syntax_nodes
from ctxsieve.compress import read_source
from ctxsieve.compress.nodes import NodeClass, find_removable_nodes
from ctxsieve.languages import LANGUAGES

_REPEATED = (NodeClass.STATEMENT, NodeClass.ROW)

Piece = tuple[bytes, tuple[tuple[int, int], ...]]


@cache
def top_level_pieces(name: str) -> tuple[Piece, ...]:
    """Return whole lines of top-level nodes, each with the byte spans of the outermost statements and rows in it."""
    pieces: list[Piece] = []
    language = LANGUAGES[name]
    assert language.grammar is not None
    for data in fixture_sources(name):
        tree = syntax_nodes([data], language.grammar, parse_limit=PARSE_LIMIT, threads=1)
        is_top = np.flatnonzero(tree.parent == 0)
        source = read_source(f"fixture.{name}", data, language)
        text = source.data
        if text != data:
            continue
        nodes = [node for node in find_removable_nodes(source).nodes if node.kind in _REPEATED]
        # Nodes that share a line stay together.
        end_line = 0
        for node in is_top.tolist():
            first, last = int(tree.start_row[node]) + 1, source.line_of(max(0, int(tree.end_byte[node]) - 1))
            if first <= end_line or last < first:
                continue
            end_line = last
            start, end = source.bytes_of_line(first)[0], source.bytes_of_line(last)[1]
            spans: list[tuple[int, int]] = []
            for statement in nodes:
                inside = start <= statement.start_byte and statement.end_byte <= end
                if inside and (not spans or statement.start_byte - start >= spans[-1][1]):
                    line_start = source.bytes_of_line(statement.first_line)[0]
                    line_end = source.bytes_of_line(statement.last_line)[1]
                    spans.append((line_start - start, line_end - start))
            pieces.append((text[start:end], tuple(spans)))
    return tuple(pieces)


def programs(name: str) -> st.SearchStrategy[bytes]:
    """Return programs of up to eight pieces, in which statements and rows are shown up to three times or not at all."""
    pieces = top_level_pieces(name)

    @st.composite
    def program(draw: st.DrawFn) -> bytes:
        parts = []
        for number in draw(st.lists(st.integers(0, len(pieces) - 1), min_size=1, max_size=8)):
            text, spans = pieces[number]
            following = 0
            for start, end in spans:
                parts.append(text[following:start])
                times = draw(st.sampled_from([1, 1, 1, 0, 2, 3]))
                parts.append(b"\n".join([text[start:end]] * times))
                following = end
            parts.append(text[following:] + draw(st.sampled_from([b"\n", b"\n\n", b"\r\n"])))
        return b"".join(parts)

    return program()
