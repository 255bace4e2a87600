"""What the shown lines of prose and data need around them, so that none is read as part of something else.

A line stands below others: the heading or table of its section, the key or bracket that it is indented under. Brackets,
tags and fences have an end. Where a line is shown, so are those above it, and of an opening and its end both or none.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from ctxsieve.compress.prose.markup import find_fences, find_headings
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["find_structure", "without_structure"]

_TABLE = re.compile(r"\s*\[")
_CLOSING = re.compile(r"\s*(?:[)\]}]+[)\]},;\s]*|</[^>]*>\s*)\Z")
_ITEM = re.compile(r"\s*-(?:\s|\Z)")
_BY_SECTIONS = frozenset(("toml", "ini"))
_BY_HEADINGS = frozenset(("markdown", "restructuredtext", "text"))
_FLAT = frozenset(("csv", "log", "diff", "lockfile"))


class _Nesting:
    """By line, from 1: the line that it stands below (0 for none), and the end or beginning that it belongs to."""

    def __init__(self, count: int) -> None:
        self.above = [0] * (count + 1)
        self.other = [0] * (count + 1)

    def pair(self, opening: int, closing: int) -> None:
        self.other[opening], self.other[closing] = closing, opening


def without_structure(source: SourceFile, hidden: Sequence[LineRange]) -> list[LineRange]:
    """Return the lines to hide without those that what is shown needs, as ranges in source order."""
    lines = source.lines
    is_hidden = [False] * (len(lines) + 2)
    for span in hidden:
        is_hidden[span.first : span.last + 1] = [True] * (span.last - span.first + 1)
    nesting = _nesting_of(source)
    waiting = [line for line, text in enumerate(lines, start=1) if not is_hidden[line] and text.strip()]
    while waiting:
        line = waiting.pop()
        for needed in (nesting.above[line], nesting.other[line]):
            if needed and is_hidden[needed]:
                is_hidden[needed] = False
                waiting.append(needed)
    edges = [line for line in range(1, len(lines) + 2) if is_hidden[line] != is_hidden[line - 1]]
    return [LineRange(first, end - 1) for first, end in pairwise(edges) if is_hidden[first]]


def find_structure(source: SourceFile) -> frozenset[int]:
    """Return the lines that others stand below, and the ends of brackets, tags and fences."""
    nesting = _nesting_of(source)
    return frozenset(nesting.above) | frozenset(nesting.other)


def _nesting_of(source: SourceFile) -> _Nesting:
    name = source.language.name if source.language else "text"
    if name in _FLAT:
        return _Nesting(len(source.lines))
    return _by_headings(source) if name in _BY_HEADINGS else _by_indentation(source, has_tables=name in _BY_SECTIONS)


def _by_indentation(source: SourceFile, *, has_tables: bool) -> _Nesting:
    nesting = _Nesting(len(source.lines))
    table = 0
    # The lines that the next one may stand below, and how deep they are.
    opened: list[tuple[int, int]] = []
    for line, text in enumerate(source.lines, start=1):
        if not text.strip():
            continue
        if has_tables and _TABLE.match(text) and not opened[1:]:
            opened, table = [], line
            continue
        wide = text.expandtabs()
        # Items of a list may stand right below their key, as deep as it is.
        depth = 2 * (len(wide) - len(wide.lstrip())) + bool(_ITEM.match(text))
        before = 0
        while opened and opened[-1][0] >= depth:
            before = opened[-1][1] if opened[-1][0] == depth else 0
            opened.pop()
        nesting.above[line] = opened[-1][1] if opened else table
        if before and _CLOSING.match(text):
            nesting.pair(before, line)
        else:
            opened.append((depth, line))
    return nesting


def _by_headings(source: SourceFile) -> _Nesting:
    nesting = _Nesting(len(source.lines))
    headings = {line: level for line, level, _ in find_headings(source)}
    opened: list[tuple[int, int]] = []
    for line in range(1, len(source.lines) + 1):
        level = headings.get(line)
        while level is not None and opened and opened[-1][0] >= level:
            opened.pop()
        nesting.above[line] = opened[-1][1] if opened else 0
        if level is not None:
            opened.append((level, line))
            if not source.lines[line - 1].lstrip().startswith("#") and line < len(source.lines):
                nesting.pair(line, line + 1)
    for opening, closing in find_fences(source):
        nesting.pair(opening, closing)
        nesting.above[opening + 1 : closing] = [opening] * (closing - opening - 1)
    return nesting
