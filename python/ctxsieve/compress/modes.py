"""The modes of reading (SPEC 5) and what a rendering is."""

import re
from dataclasses import dataclass
from enum import StrEnum

from ctxsieve.errors import InputError
from ctxsieve.fragments import LineRange

__all__ = ["Mode", "Rendering", "parse_line_ranges", "parse_mode"]


class Mode(StrEnum):
    """How a file is shown."""

    FULL = "full"
    RAW = "raw"
    LINES = "lines"
    MAP = "map"
    SIGNATURES = "signatures"
    TASK = "task"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Rendering:
    """What stands for a file in an answer.

    Attributes:
        mode: the mode that was used.
        content: the text.
        shown: source lines that stand in `content`, the same apart from leading and trailing white space.
        omitted: source lines that do not.
    """

    mode: Mode
    content: str
    shown: tuple[LineRange, ...]
    omitted: tuple[LineRange, ...]


def parse_mode(text: str) -> tuple[Mode, tuple[LineRange, ...]]:
    """Return the mode, and the ranges of `lines:N-M,...`.

    Raises:
        InputError: the mode is unknown or a range is not one.
    """
    name, separator, argument = text.partition(":")
    allowed = ", ".join(mode.value if mode is not Mode.LINES else "lines:N-M" for mode in Mode)
    if name not in Mode.__members__.values():
        raise InputError(f"mode is {text!r}: it must be one of {allowed}")
    mode = Mode(name)
    if (mode is Mode.LINES) != bool(separator):
        raise InputError(f"mode is {text!r}: it must be one of {allowed}")
    return mode, parse_line_ranges(argument) if mode is Mode.LINES else ()


def parse_line_ranges(text: str) -> tuple[LineRange, ...]:
    """Return the ranges of `12-40,60`, merged and ascending; `12` is one line, `12-` runs to the end of the file."""
    ranges = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})(?:(-)(\d{1,9})?)?\s*", part, flags=re.ASCII)
        if match is None:
            raise InputError(f"line range is {part!r}: it must be N, N-M or N-")
        first = int(match[1])
        last = int(match[3]) if match[3] else (1 << 31 if match[2] else first)
        if first < 1 or last < first:
            raise InputError(f"line range is {part.strip()!r}: it must ascend from line 1 on")
        ranges.append(LineRange(first, last))
    return merge_ranges(ranges)


def merge_ranges(ranges: list[LineRange]) -> tuple[LineRange, ...]:
    """Return the ranges ascending, with those that touch or overlap joined."""
    merged: list[LineRange] = []
    for span in sorted(ranges):
        if merged and span.first <= merged[-1].last + 1:
            merged[-1] = LineRange(merged[-1].first, max(merged[-1].last, span.last))
        else:
            merged.append(span)
    return tuple(merged)


def complement(ranges: tuple[LineRange, ...], line_count: int) -> tuple[LineRange, ...]:
    """Return the lines from 1 to `line_count` outside the merged, ascending ranges."""
    gaps, following = [], 1
    for span in ranges:
        if following < span.first:
            gaps.append(LineRange(following, span.first - 1))
        following = span.last + 1
    if following <= line_count:
        gaps.append(LineRange(following, line_count))
    return tuple(gaps)
