"""What the shown lines of prose and data need around them, so that none is read as part of something else.

A line stands below others: the heading, table or document of its section, the key or bracket that it is indented under.
Brackets, tags and fences have an end. Where a line is shown, so are those above it, and of an opening and its end both
or none.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from ctxsieve.compress.composition import indentation_of
from ctxsieve.compress.prose.markup import find_fences, find_headings
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["find_depths", "find_structure", "without_structure"]

_TABLE = re.compile(r"\s*\[")
_CLOSING = re.compile(r"\s*(?:[)\]}]+[)\]},;\s]*|</[^>]*>\s*)\Z")
# Between the documents of a YAML file, and what one of them begins with.
_DOCUMENT = re.compile(r"(?:---|\.\.\.)(?:\s|\Z)")
_ITEM = re.compile(r"\s*-(?:\s|\Z)")
# What TOML has of signs, strings and comments; quotes alone begin a string of several lines.
_TOML_SIGN = re.compile(r"\"{3}|'{3}|\"(?:[^\"\\]|\\.)*\\?\"?|'[^']*'?|#.*|[\[\]{}]")
_TOML_ENDS = {'"""': re.compile(r'(?:[^\\]|\\.)*?"{3,5}'), "'''": re.compile(r".*?'{3,5}")}
_TOML_HEADER = re.compile(r"\s*\[(\[?)([^\]\n]*)")
_DEEPEST_ARRAY = 16
_SECTIONS = {"ini": _TABLE, "yaml": _DOCUMENT}
_BY_HEADINGS = frozenset(("markdown", "restructuredtext", "text"))
_FLAT = frozenset(("csv", "log", "diff", "lockfile"))


class _Nesting:
    """By line, from 1: the line that it stands below (0 for none), and those that go only together with it."""

    def __init__(self, count: int) -> None:
        self.above = [0] * (count + 1)
        self.others: dict[int, list[int]] = {}

    def pair(self, opening: int, closing: int) -> None:
        self.others.setdefault(opening, []).append(closing)
        self.others.setdefault(closing, []).append(opening)


def without_structure(source: SourceFile, hidden: Sequence[LineRange]) -> list[LineRange]:
    """Return the lines to hide without those that what is shown needs, as ranges in source order."""
    lines = source.lines
    is_hidden = [False] * (len(lines) + 2)
    for span in hidden:
        is_hidden[span.first : span.last + 1] = [True] * (span.last - span.first + 1)
    nesting = _nesting_of(source)
    waiting = [
        line
        for line, text in enumerate(lines, start=1)
        if not is_hidden[line] and (text.strip() or line in nesting.others)
    ]
    while waiting:
        line = waiting.pop()
        for needed in (nesting.above[line], *nesting.others.get(line, ())):
            if needed and is_hidden[needed]:
                is_hidden[needed] = False
                waiting.append(needed)
    edges = [line for line in range(1, len(lines) + 2) if is_hidden[line] != is_hidden[line - 1]]
    return [LineRange(first, end - 1) for first, end in pairwise(edges) if is_hidden[first]]


def find_structure(source: SourceFile) -> frozenset[int]:
    """Return the lines that others stand below, and the ends of brackets, tags and fences."""
    nesting = _nesting_of(source)
    return frozenset(nesting.above) | frozenset(nesting.others)


def find_depths(source: SourceFile) -> list[int | None]:
    """Return how many lines each line stands below; None for blank lines and those that go with an earlier one."""
    nesting = _nesting_of(source)
    depths = [0] * (len(source.lines) + 1)
    for line in range(1, len(depths)):
        depths[line] = depths[nesting.above[line]] + 1 if nesting.above[line] else 0
    return [
        depths[line] if text.strip() and all(other > line for other in nesting.others.get(line, ())) else None
        for line, text in enumerate(source.lines, start=1)
    ]


def _nesting_of(source: SourceFile) -> _Nesting:
    name = source.language.name if source.language else "text"
    if name in _FLAT:
        return _Nesting(len(source.lines))
    if name == "toml":
        return _by_toml(source.lines)
    return _by_headings(source) if name in _BY_HEADINGS else _by_indentation(source, _SECTIONS.get(name))


def _by_indentation(source: SourceFile, sections: re.Pattern[str] | None) -> _Nesting:
    nesting = _Nesting(len(source.lines))
    # The line that a section, or a document, begins with.
    section = 0
    # The lines that the next one may stand below, and how deep they are.
    opened: list[tuple[int, int]] = []
    for line, text in enumerate(source.lines, start=1):
        if not text.strip():
            continue
        # Items of a list may stand right below their key, as deep as it is.
        depth = 2 * indentation_of(text) + bool(_ITEM.match(text))
        if sections and sections.match(text) and (not opened or depth <= opened[0][0]):
            if opened and source.lines[opened[-1][1] - 1].startswith("%"):
                # Directives of YAML stand above the document that they are for.
                nesting.pair(opened[-1][1], line)
            opened, section = [], line
            continue
        before = 0
        while opened and opened[-1][0] >= depth:
            before = opened[-1][1] if opened[-1][0] == depth else 0
            opened.pop()
        nesting.above[line] = opened[-1][1] if opened else section
        if before and _CLOSING.match(text):
            nesting.pair(before, line)
        else:
            opened.append((depth, line))
    return nesting


def _by_toml(lines: Sequence[str]) -> _Nesting:
    """Lines of a table stand below its header, values of several lines below their first; a string stays whole."""
    nesting = _Nesting(len(lines))
    header, quotes = 0, ""
    arrays: dict[str, int] = {}
    opened: list[int] = []
    for line, text in enumerate(lines, start=1):
        at = 0
        if quotes:
            nesting.pair(line - 1, line)
            if (end := _TOML_ENDS[quotes].match(text)) is None:
                continue
            at, quotes = end.end(), ""
        elif not opened and (found := _TOML_HEADER.match(text)):
            nesting.above[line] = _array_above(found[2], arrays)
            header = line
            if found[1]:
                arrays["".join(found[2].split())] = line
            continue
        elif text.strip():
            nesting.above[line] = opened[-1] if opened else header
        while (sign := _TOML_SIGN.search(text, at)) is not None:
            at = sign.end()
            if sign[0] in _TOML_ENDS:
                if (end := _TOML_ENDS[sign[0]].match(text, at)) is None:
                    quotes = sign[0]
                    break
                at = end.end()
            elif sign[0] in ("[", "{"):
                opened.append(line)
            elif sign[0] in ("]", "}") and opened and (opening := opened.pop()) != line:
                nesting.pair(opening, line)
    return nesting


def _array_above(name: str, arrays: dict[str, int]) -> int:
    """Return the line of the entry of an array of tables that a table of this name is part of, 0 for none."""
    parts = "".join(name.split()).split(".")
    outer = (".".join(parts[:count]) for count in range(min(len(parts) - 1, _DEEPEST_ARRAY), 0, -1))
    return next((arrays[name] for name in outer if name in arrays), 0)


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
