"""Nested data in its parts: items, tables and documents, and which of them are alike."""

import re
from collections.abc import Iterator, Sequence

from ctxsieve.compress.prose.nesting import find_depths
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["has_parts", "parts_of", "shape_of"]

_NESTED = frozenset(("yaml", "json", "toml", "ini"))
# How deep a line is, whether it is an item, and its key; longer lines are judged by their beginning.
_KEY = re.compile(r"""(\s*(?:-\s+)*)("[^"]*"|'[^']*'|[^\s"'\[\]{},:=#][^:=\[{]*)[:=](?=\s|\Z|["'\[{])""")
_JUDGED_CHARACTERS = 200
_ROW = re.compile(r"""\s*(?:-\s|["'\d\[{])""")
_DIGITS = re.compile(r"\d+")


def has_parts(source: SourceFile) -> bool:
    """Say whether a file is data of a format whose nesting is known."""
    return source.language is not None and source.language.name in _NESTED


def parts_of(source: SourceFile, longest: int) -> Iterator[LineRange]:
    """Yield, in source order, each line with what stands below it, up to `longest` lines; of more, the line alone.

    Single lines of one depth that follow each other are one part of as many lines.
    """
    depths = find_depths(source)
    starts = [line for line, depth in enumerate(depths, start=1) if depth is not None]
    ends = _ends(starts, depths)
    row: LineRange | None = None
    at = 0
    while at < len(starts):
        first, following = starts[at], at + 1
        if ends[at] - first < longest:
            while following < len(starts) and starts[following] <= ends[at]:
                following += 1
        last = starts[following] - 1 if following < len(starts) else len(depths)
        part = LineRange(first, _last_with_text(source, first, last))
        at = following
        if row is not None and _goes_on(row, part, depths, longest):
            row = LineRange(row.first, part.last)
            continue
        if row is not None:
            yield row
            row = None
        if part.first == part.last == ends[at - 1]:
            row = part
        else:
            yield part
    if row is not None:
        yield row


def _ends(starts: Sequence[int], depths: Sequence[int | None]) -> list[int]:
    """Return, for each start, the last line that stands below it, blank lines before the next one included."""
    ends = [len(depths)] * len(starts)
    opened: list[tuple[int, int]] = []
    for at, line in enumerate(starts):
        depth = depths[line - 1] or 0
        while opened and opened[-1][0] >= depth:
            ends[opened.pop()[1]] = line - 1
        opened.append((depth, at))
    return ends


def _last_with_text(source: SourceFile, first: int, last: int) -> int:
    while last > first and not source.lines[last - 1].strip():
        last -= 1
    return last


def _goes_on(row: LineRange, part: LineRange, depths: Sequence[int | None], longest: int) -> bool:
    return (
        part.first == part.last == row.last + 1
        and part.last - row.first < longest
        and depths[part.first - 1] == depths[row.first - 1]
    )


def shape_of(source: SourceFile, part: LineRange) -> tuple[str, ...]:
    """Return what alike parts have in common: the keys and rows at the same depth, but for digits."""
    lines = source.lines[part.first - 1 : part.last]
    return tuple(dict.fromkeys(_shape(line) for line in lines if line.strip()))


def _shape(line: str) -> str:
    line = line[:_JUDGED_CHARACTERS].rstrip()
    if found := _KEY.match(line):
        return f"{found[1]}{_DIGITS.sub('0', found[2].rstrip())}:"
    # Strings, numbers and items of a list differ in nothing but their value.
    return found[0] if (found := _ROW.match(line)) else _DIGITS.sub("0", line)
