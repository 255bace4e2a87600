"""A text as lines and gaps: what is left out is marked with the range it hides."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass

__all__ = ["Document", "Gap", "Line", "is_marker", "line_tokens", "omitted_range"]

# What a marker costs at most, with the token borders that it moves: a shorter run is shown instead.
_LEAST_TOKENS_SAVED = 22
# Longer lines are data, not messages; no pattern is run over them.
_LONGEST_JUDGED = 2000
_MARKER = re.compile(r"^\[lines? (?P<first>\d+)(?:-(?P<last>\d+))? omitted: [^\]\n]*\]$")


@dataclass(frozen=True, slots=True)
class Line:
    """A displayed line and its number in the original, from 1."""

    text: str
    number: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Lines `first` to `last` are left out; `reasons` says what they were, one entry a line."""

    first: int
    last: int
    reasons: tuple[str, ...]

    def marker(self) -> str:
        """The line that stands for the gap."""
        lines = f"lines {self.first}-{self.last}" if self.last > self.first else f"line {self.first}"
        return f"[{lines} omitted: {', '.join(reason for reason, _ in Counter(self.reasons).most_common(2))}]"


def is_marker(line: str) -> bool:
    """Whether the line marks an omission."""
    return line.startswith("[line") and _MARKER.match(line) is not None


def omitted_range(marker: str) -> tuple[int, int] | None:
    """The first and last line that a marker hides, or None if it is no marker."""
    found = _MARKER.match(marker)
    return (int(found["first"]), int(found["last"] or found["first"])) if found else None


@lru_cache(maxsize=65536)
def line_tokens(line: str) -> int:
    """Exact tokens of one line with its end, counted alone."""
    return count_tokens(line + "\n")


@dataclass(frozen=True, slots=True)
class Document:
    """Lines and gaps in order. Blank lines and markers are never judged, and decisions do not see them."""

    items: tuple[Line | Gap, ...]

    @classmethod
    def of(cls, lines: Sequence[str], *, first_line: int = 1) -> "Document":
        """A document of displayed lines, with runs of blank lines made one and none at its ends."""
        return cls(tuple(Line(text, number) for number, text in enumerate(lines, first_line))).without_extra_blanks()

    def judged(self) -> list[int]:
        """Positions of the items that may be left out: lines that are not blank, no markers and not overlong."""
        return [
            position
            for position, item in enumerate(self.items)
            if isinstance(item, Line) and 0 < len(item.text) <= _LONGEST_JUDGED and not is_marker(item.text)
        ]

    def texts(self, positions: Sequence[int]) -> list[str]:
        """The texts of the lines at these positions."""
        return [item.text for position in positions if isinstance(item := self.items[position], Line)]

    def omit(self, reasons: Mapping[int, str]) -> "Document":
        """This document without the lines at these positions, where a marker costs less than they do.

        A run reaches over blank lines, but not over markers and gaps: those are borders, whether they stem from this
        call or stood in the text, so that compressing twice decides the same.
        """
        dropped: set[int] = set()
        for run in self._runs(reasons):
            if sum(line_tokens(text) for text in self.texts(run)) > _LEAST_TOKENS_SAVED:
                dropped.update(run)
        if not dropped:
            return self
        items = [
            Gap(item.number, item.number, (reasons[position],))
            if position in dropped and isinstance(item, Line)
            else item
            for position, item in enumerate(self.items)
        ]
        return Document(tuple(items))._merged()

    def _runs(self, reasons: Mapping[int, str]) -> list[list[int]]:
        runs: list[list[int]] = [[]]
        for position, item in enumerate(self.items):
            if position in reasons:
                runs[-1].append(position)
            elif isinstance(item, Gap) or item.text:
                runs.append([])
        return [run for run in runs if run]

    def _merged(self) -> "Document":
        """Neighbouring gaps made one, blank lines between them included."""
        merged: list[Line | Gap] = []
        for item in self.items:
            if isinstance(item, Gap):
                end = len(merged)
                while end and isinstance(blank := merged[end - 1], Line) and not blank.text:
                    end -= 1
                if end and isinstance(before := merged[end - 1], Gap):
                    merged[end - 1 :] = [Gap(before.first, item.last, before.reasons + item.reasons)]
                    continue
            merged.append(item)
        return Document(tuple(merged)).without_extra_blanks()

    def without_extra_blanks(self) -> "Document":
        """Runs of blank lines made one; none at the ends or beside a gap or marker."""
        kept: list[Line | Gap] = []
        wanted = False
        for item in self.items:
            if isinstance(item, Line) and not item.text:
                wanted = bool(kept)
                continue
            if wanted and not _is_border(item) and not _is_border(kept[-1]):
                kept.append(Line("", item.number - 1 if isinstance(item, Line) else item.first - 1))
            wanted = False
            kept.append(item)
        return Document(tuple(kept))

    def render(self, *, final_newline: bool) -> str:
        """The text, gaps as markers."""
        text = "\n".join(item.marker() if isinstance(item, Gap) else item.text for item in self.items)
        return text + "\n" if final_newline and self.items else text


def _is_border(item: Line | Gap) -> bool:
    return isinstance(item, Gap) or is_marker(item.text)
