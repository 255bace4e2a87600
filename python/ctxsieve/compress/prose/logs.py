"""Logs: what went wrong, and how it began and ended."""

import re
from collections import Counter

from ctxsieve.compress.prose.entries import Entry, short
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["find_routine_lines", "outline_log"]

_LEVEL = re.compile(r"\b(FATAL|CRITICAL|ERROR|WARN(?:ING)?|NOTICE|INFO|DEBUG|TRACE)\b", re.IGNORECASE)
_TROUBLE = re.compile(
    r"\b(?:fatal|critical|error|warn(?:ing)?|fail(?:ed|ure|ures)?|exception|traceback|panic|denied|refused|timed? ?out|"
    r"abort(?:ed)?|segfault|killed|oom)\b|^\s+(?:at |File \")",
    re.IGNORECASE,
)
_EDGE_LINES = 5


def outline_log(source: SourceFile) -> list[Entry]:
    """Return how many lines each level has, then the first and the last line and the first of each trouble."""
    lines = source.lines
    if not lines:
        return []
    levels = Counter(found[1].upper() for line in lines if (found := _LEVEL.search(line)))
    counts = ", ".join(f"{level} {count}" for level, count in sorted(levels.items(), key=lambda item: -item[1]))
    entries = [Entry(0, f"{len(lines)} lines{': ' if counts else ''}{counts}")]
    marked = [n for n, line in enumerate(lines, start=1) if _TROUBLE.search(line)]
    told = dict.fromkeys([1, *marked[:20], len(lines)])
    return [*entries, *(Entry(0, short(lines[number - 1]), LineRange(number, number)) for number in told)]


def find_routine_lines(source: SourceFile) -> list[LineRange]:
    """Return the lines between the first five and the last five that report no trouble."""
    inner = range(_EDGE_LINES + 1, len(source.lines) - _EDGE_LINES + 1)
    return [LineRange(n, n) for n in inner if not _TROUBLE.search(source.lines[n - 1])]
