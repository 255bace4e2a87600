"""Diffs and patches: which files change where."""

import re

from ctxsieve.compress.prose.entries import Entry, short
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["find_context_lines", "outline_diff"]

_FILE = re.compile(r"(?:\+\+\+ (?:b/)?|Index: |rename to )(\S.*?)(?:\t.*)?\r?$")
_HUNK = re.compile(r"@@ .* @@(.*)")


def outline_diff(source: SourceFile) -> list[Entry]:
    """Return the files with the number of added and removed lines, and below each its hunks."""
    entries: list[Entry] = []
    counts: list[tuple[int, int, int]] = []
    starts: list[tuple[int, str]] = []
    hunks: list[tuple[int, Entry]] = []
    added = removed = 0
    for number, line in enumerate(source.lines, start=1):
        if found := _FILE.match(line):
            if starts:
                counts.append((added, removed, number - 1))
            added = removed = 0
            starts.append((number, found[1]))
        elif hunk := _HUNK.match(line):
            hunks.append((len(starts), Entry(1, short(f"@@{hunk[1]}"), LineRange(number, number))))
        elif line.startswith("+"):
            added += 1
        elif line.startswith("-") and not line.startswith("--- "):
            removed += 1
    counts.append((added, removed, len(source.lines)))
    for position, ((start, path), (more, fewer, last)) in enumerate(zip(starts, counts, strict=False), start=1):
        entries.append(Entry(0, f"{short(path)} +{more} -{fewer}", LineRange(start, last)))
        entries += [entry for owner, entry in hunks if owner == position]
    return entries


def find_context_lines(source: SourceFile) -> list[LineRange]:
    """Return the lines of hunks that do not change."""
    is_inside = False
    hidden = []
    for number, line in enumerate(source.lines, start=1):
        if _HUNK.match(line):
            is_inside = True
        elif line.startswith(("diff ", "--- ", "+++ ", "Index: ")):
            is_inside = False
        elif is_inside and line.startswith(" "):
            hidden.append(LineRange(number, number))
    return hidden
