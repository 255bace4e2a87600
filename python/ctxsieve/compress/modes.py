"""The modes of reading (docs/compression.md) and what a rendering is."""

import re
from enum import StrEnum
from operator import attrgetter

from ctxsieve.errors import InputError
from ctxsieve.fragments import LineRange
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass, field

__all__ = ["Mode", "ModeRequest", "Rendering", "parse_line_ranges", "parse_mode"]


class Mode(StrEnum):
    """How a file is shown."""

    FULL = "full"
    RAW = "raw"
    LINES = "lines"
    MAP = "map"
    SIGNATURES = "signatures"
    AGGRESSIVE = "aggressive"
    ENTROPY = "entropy"
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
        counted_tokens: tokens of `content`, where somebody counted them already.
        reason: why it is less than the mode promises, "" where it is not.
    """

    mode: Mode
    content: str
    shown: tuple[LineRange, ...]
    omitted: tuple[LineRange, ...]
    counted_tokens: int | None = field(default=None, compare=False, repr=False)
    reason: str = ""

    @property
    def tokens(self) -> int:
        """Tokens of the content."""
        return count_tokens(self.content) if self.counted_tokens is None else self.counted_tokens


@dataclass(frozen=True, slots=True)
class ModeRequest:
    """A mode as it was asked for: `ranges` of `lines:N-M,...`, `share` of `entropy:0.5`.

    `mode` is None for `auto`: the file decides.
    """

    mode: Mode | None
    ranges: tuple[LineRange, ...] = ()
    share: float | None = None


AUTO = "auto"
_SPELLINGS = {Mode.LINES: "lines:N-M", Mode.ENTROPY: "entropy[:SHARE]"}


def parse_mode(text: str) -> ModeRequest:
    """Return the mode with its ranges or share.

    Raises:
        InputError: the mode is unknown, a range is not one, or a share is not between 0 and 1.
    """
    name, separator, argument = text.partition(":")
    allowed = ", ".join([*(_SPELLINGS.get(mode, mode.value) for mode in Mode), "diff", AUTO])
    if text == AUTO:
        return ModeRequest(None)
    if name not in list(Mode):
        raise InputError(f"mode is {text!r}: it must be one of {allowed}")
    mode = Mode(name)
    if mode is Mode.LINES and separator:
        return ModeRequest(mode, ranges=parse_line_ranges(argument))
    if mode is Mode.ENTROPY and separator:
        return ModeRequest(mode, share=_parse_share(argument, text))
    if mode is Mode.LINES or separator:
        raise InputError(f"mode is {text!r}: it must be one of {allowed}")
    return ModeRequest(mode)


def _parse_share(argument: str, text: str) -> float:
    share = float(argument) if re.fullmatch(r"\d?\.?\d{1,6}", argument, flags=re.ASCII) else 0.0
    if not 0 < share <= 1:
        raise InputError(f"mode is {text!r}: the share must be above 0 and at most 1, as in entropy:0.5")
    return share


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
    for span in sorted(ranges, key=attrgetter("first", "last")):
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
