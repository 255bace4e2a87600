"""Markdown, reStructuredText and plain text: sections and their paragraphs."""

import re
from collections.abc import Iterator

from ctxsieve.compress.prose.blocks import blocks_of
from ctxsieve.compress.prose.entries import Entry, short
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["find_fences", "find_headings", "find_later_paragraphs", "find_section_marks", "outline_sections"]

_HASHES = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
# A fenced example keeps so many lines.
_EXAMPLE_LINES = 8


def outline_sections(source: SourceFile) -> list[Entry]:
    """Return the headings, nested by level, each with the lines of its section."""
    headings = list(find_headings(source))
    levels = sorted({level for _, level, _ in headings})
    entries = []
    for position, (line, level, title) in enumerate(headings):
        ends = (other for other, deeper, _ in headings[position + 1 :] if deeper <= level)
        last = next(ends, len(source.lines) + 1) - 1
        entries.append(Entry(levels.index(level), short(title), LineRange(line, last)))
    if entries:
        return entries
    return [Entry(0, short(source.lines[block.first - 1]), block) for block in blocks_of(source)]


def find_headings(source: SourceFile) -> Iterator[tuple[int, int, str]]:
    """Yield (line, level, title); rst levels follow the order in which adornments appear."""
    adornments: list[str] = []
    fence = ""
    lines = source.lines
    is_rst = source.language is not None and source.language.name == "restructuredtext"
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if mark is not None and not is_rst:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
            continue
        if fence:
            continue
        found = None if is_rst else _HASHES.match(line)
        if found is not None:
            yield number, len(found[1]), found[2]
            continue
        below = lines[number].rstrip() if number < len(lines) else ""
        if line.strip() and _ADORNMENT.match(below) and len(below) >= min(3, len(line.strip())):
            is_underline = is_rst or below[0] in "=-"
            if is_underline and not _ADORNMENT.match(line) and not _LIST_ITEM.match(line):
                if below[0] not in adornments:
                    adornments.append(below[0])
                level = adornments.index(below[0]) if is_rst else "=-".index(below[0])
                yield number, level + 1, line.strip()


def find_fences(source: SourceFile) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each fenced example that ends."""
    if source.language is not None and source.language.name == "restructuredtext":
        return
    fence, opening = "", 0
    for number, line in enumerate(source.lines, start=1):
        mark = _FENCE.match(line)
        if mark is None:
            continue
        if not fence:
            fence, opening = mark[1], number
        elif mark[1].startswith(fence):
            yield opening, number
            fence = ""


def find_section_marks(source: SourceFile) -> frozenset[int]:
    """Return the lines that say where sections and examples begin and end: headings, their underlines, fences."""
    headings = {line for line, _, _ in find_headings(source)}
    marks = {line for line, text in enumerate(source.lines, start=1) if _FENCE.match(text) or _ADORNMENT.match(text)}
    return frozenset(headings | marks)


def find_later_paragraphs(source: SourceFile) -> list[LineRange]:
    """Return what a section says after its first paragraph, and what its examples show after their first lines.

    Headings stay, so that whatever is left stands under its own.
    """
    headings = {line for line, _, _ in find_headings(source)}
    hidden, in_section, fence_start = [], 0, 0
    for block in blocks_of(source):
        inside = [line for line in range(block.first, block.last + 1) if line in headings]
        fences = [
            line for line in range(block.first, block.last + 1) if _FENCE.match(source.lines[line - 1]) is not None
        ]
        if inside:
            in_section = int(block.last > inside[-1] + 1)
        elif fence_start:
            if block.last - fence_start >= _EXAMPLE_LINES and not fences:
                hidden.append(block)
        elif not fences:
            in_section += 1
            if in_section > 1:
                hidden.append(block)
        if len(fences) % 2:
            fence_start = 0 if fence_start else fences[-1]
    return hidden
