"""How the lines of a source are indented: their level, and where indentation means nothing, from the syntax tree."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from ctxsieve._kernels import PARSE_LIMIT, SyntaxNodes, grammar_kinds, syntax_nodes
from ctxsieve.fragments import BRACKETED_LINE, KEPT_LINE
from ctxsieve.languages.table import IndentationRule, Language, LanguageKind

__all__ = ["Layout", "find_layouts"]

_LITERAL_PARTS = re.compile(
    r"(?:^|_)(?:string|comment|heredoc|nowdoc|template_string|template_literal|regex|regexp|char|character|charlist"
    r"|text|quoted|raw|rune|sigil|docstring|preproc_arg|pod)(?:$|_)"
)
_HAS_ERROR = 16
_TAB = 8
_MOST_LEVELS = BRACKETED_LINE - 1


class Layout(NamedTuple):
    """One byte per line of a source; none where no line may be indented differently.

    `is_certain` is false for sources with errors: how a parser recovers from one depends on how much text it skips,
    white space included.
    """

    lines: bytes = b""
    is_certain: bool = True


def find_layouts(files: Sequence[tuple[bytes, Language]], *, threads: int = 1) -> list[Layout]:
    """Return the layout of each (source, language), in order.

    It is empty in languages whose columns count, in prose and data, in what is too large to be parsed, and in sources
    with errors where blocks are indented.
    """
    layouts = [Layout()] * len(files)
    by_language: dict[Language, list[int]] = {}
    for position, (_, language) in enumerate(files):
        by_language.setdefault(language, []).append(position)
    for language, positions in by_language.items():
        if (
            language.grammar is None
            or language.kind is not LanguageKind.CODE
            or language.indentation is IndentationRule.COLUMNS
        ):
            continue
        sources = [files[position][0] for position in positions]
        nodes = syntax_nodes(sources, language.grammar, parse_limit=PARSE_LIMIT, threads=threads)
        for number, position in enumerate(positions):
            part = slice(int(nodes.indptr[number]), int(nodes.indptr[number + 1]))
            has_error = part.start < part.stop and bool(nodes.flags[part][0] & _HAS_ERROR)
            if part.start == part.stop or (has_error and language.indentation is IndentationRule.BLOCKS):
                continue
            tree = _Tree(nodes, part, language)
            layouts[position] = Layout(_Lines(sources[number], tree, language).layout(), not has_error)
    return layouts


@cache
def _kinds(grammar: str) -> tuple[frozenset[int], dict[int, str], frozenset[int]]:
    """Return the kinds of literals, of brackets with their character, and of comments."""
    names = grammar_kinds(grammar)
    literals = {number for number, name in enumerate(names) if _LITERAL_PARTS.search(name)}
    brackets = {
        number: name[-1]
        for number, name in enumerate(names)
        if name in (")", "]", "}") or (name[-1:] in ("(", "[", "{") and not name[0].isalnum())
    }
    return frozenset(literals), brackets, frozenset(number for number, name in enumerate(names) if "comment" in name)


class _Tree:
    """What the lines need to know of the nodes of one source."""

    def __init__(self, nodes: SyntaxNodes, part: slice, language: Language) -> None:
        assert language.grammar is not None, language.name
        literals, brackets, comments = _kinds(language.grammar)
        kind, start, end = nodes.kind[part], nodes.start_byte[part], nodes.end_byte[part]
        is_leaf = np.ones(len(kind), dtype=bool)
        is_leaf[nodes.parent[part][1:]] = False
        is_fixed = (is_leaf | np.isin(kind, list(literals))) & (nodes.end_row[part] > nodes.start_row[part])
        # In the order of their start; what stands on one line holds no line's beginning.
        self.fixed = list(zip(start[is_fixed].tolist(), end[is_fixed].tolist(), strict=True))
        is_bracket = np.isin(kind, list(brackets)) & is_leaf & (start < end)
        self.brackets = [
            (position, brackets[number])
            for position, number in zip(start[is_bracket].tolist(), kind[is_bracket].tolist(), strict=True)
        ]
        self.comments = frozenset(start[np.isin(kind, list(comments))].tolist())


class _Lines:
    """Walks the lines of one source once."""

    def __init__(self, source: bytes, tree: _Tree, language: Language) -> None:
        self.lines = source.split(b"\n")
        if self.lines[-1] == b"":
            self.lines.pop()
        self.tree = tree
        self.is_free = language.indentation is IndentationRule.FREE
        self.starts = [0]
        for line in self.lines[:-1]:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def layout(self) -> bytes:
        kept = self._lines_inside_literals()
        inside = self._innermost_brackets()
        layout = bytearray()
        widths = [0]
        for number, line in enumerate(self.lines):
            text = line.lstrip(b" \t")
            if kept[number]:
                layout.append(KEPT_LINE)
            elif not text.strip():
                layout.append(0)
            elif inside[number] in ("(", "[") or self._stands_free(number, text):
                layout.append(BRACKETED_LINE)
            else:
                width = len(line[: len(line) - len(text)].expandtabs(_TAB))
                is_comment = self.starts[number] + len(line) - len(text) in self.tree.comments
                layout.append(min(_level(widths, width, is_comment=is_comment and not self.is_free), _MOST_LEVELS))
        return bytes(layout)

    def _stands_free(self, number: int, text: bytes) -> bool:
        if self.is_free:
            return text[:1] in (b")", b"]", b"}")
        return number > 0 and self.lines[number - 1].endswith((b"\\", b"\\\r"))

    def _lines_inside_literals(self) -> list[bool]:
        kept = [False] * len(self.lines)
        line = 0
        for start, end in self.tree.fixed:
            # Nodes stand in order of their start, so that the line only moves forward.
            while line + 1 < len(self.starts) and self.starts[line + 1] <= start:
                line += 1
            inner = line + 1
            while inner < len(self.starts) and self.starts[inner] < end:
                kept[inner] = True
                inner += 1
        return kept

    def _innermost_brackets(self) -> list[str]:
        """Return for each line the bracket that is open where it begins, or ""."""
        inside: list[str] = []
        stack: list[str] = []
        for position, bracket in self.tree.brackets:
            while len(inside) < len(self.starts) and self.starts[len(inside)] <= position:
                inside.append(stack[-1] if stack else "")
            if bracket in ("(", "[", "{"):
                stack.append(bracket)
            elif stack:
                stack.pop()
        inside += [stack[-1] if stack else ""] * (len(self.starts) - len(inside))
        return inside


def _level(widths: list[int], width: int, *, is_comment: bool) -> int:
    """Return the level of a line of this width, given the widths of the open blocks; comments open and close none."""
    if is_comment:
        return sum(open_width < width for open_width in widths)
    while widths and widths[-1] > width:
        widths.pop()
    if not widths or widths[-1] < width:
        widths.append(width)
    return len(widths) - 1
