"""Runs of lines: what text of any format consists of, which never claims to be code."""

from collections.abc import Iterator, Sequence

from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["blocks_of"]

# Runs without a blank line are cut after so many lines.
_LONGEST = 8


def blocks_of(source: SourceFile) -> list[LineRange]:
    """Return runs of lines between blank lines, long ones in parts; blank lines belong to none."""
    return list(_blocks(source.lines))


def _blocks(lines: Sequence[str]) -> Iterator[LineRange]:
    start: int | None = None
    for number, line in enumerate([*lines, ""], start=1):
        if start is not None and (not line.strip() or number - start >= _LONGEST):
            yield LineRange(start, number - 1)
            start = None
        if start is None and line.strip():
            start = number
