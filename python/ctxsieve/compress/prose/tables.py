"""Delimited tables and `key = value` files."""

import re

from ctxsieve.compress.prose.entries import Entry, short
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["find_ini_comments", "find_middle_rows", "outline_ini", "outline_table"]

_SECTION = re.compile(r"\s*\[([^\]]+)\]\s*$")
_COMMENT = re.compile(r"\s*[#;!]")
_HEAD_ROWS = 6
_TAIL_ROWS = 1


def outline_table(source: SourceFile) -> list[Entry]:
    """Return the columns and the number of rows below them."""
    if not source.lines:
        return []
    header = source.lines[0].strip("\r")
    separator = max(",;\t|", key=header.count)
    columns = [column.strip().strip('"') for column in header.split(separator)]
    rows = Entry(0, f"{len(source.lines) - 1} rows", LineRange(min(2, len(source.lines)), len(source.lines)))
    return [Entry(0, f"{len(columns)} columns: {short(', '.join(columns))}", LineRange(1, 1)), rows]


def find_middle_rows(source: SourceFile) -> list[LineRange]:
    """Return all rows but the header, the first five and the last."""
    first, last = _HEAD_ROWS + 1, len(source.lines) - _TAIL_ROWS
    return [LineRange(first, last)] if first <= last else []


def outline_ini(source: SourceFile) -> list[Entry]:
    """Return the sections with their keys; what is indented below a key is its value, in brackets too."""
    entries = []
    depth = 0
    # How far the keys of the section are indented, where it has any.
    outer: int | None = None
    for number, line in enumerate(source.lines, start=1):
        if not line.strip() or _COMMENT.match(line):
            continue
        indentation = len(line) - len(line.lstrip())
        section = _SECTION.match(line)
        if section and (outer is None or indentation <= outer):
            depth, outer = 1, None
            entries.append(Entry(0, f"[{section[1]}]", LineRange(number, number)))
            continue
        outer = indentation if outer is None else min(outer, indentation)
        if indentation == 0:
            key = re.split(r"\s*[=:]\s*", line, maxsplit=1)[0]
            entries.append(Entry(depth, short(key), LineRange(number, number)))
    return entries


def find_ini_comments(source: SourceFile) -> list[LineRange]:
    """Return the lines that are comments."""
    return [LineRange(n, n) for n, line in enumerate(source.lines, start=1) if _COMMENT.match(line)]
