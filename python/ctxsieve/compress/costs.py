"""What lines cost in tokens."""

import math
from collections.abc import Sequence

from ctxsieve.compress.source import SourceFile
from ctxsieve.tokens import count_lines, count_tokens

__all__ = ["LineCosts", "costs_of_lines", "costs_of_source"]


def costs_of_lines(text: str) -> list[float]:
    """Return the estimated tokens of each line: exact, and the newlines' share spread evenly."""
    return _spread(count_lines(text).tolist(), count_tokens(text))


def costs_of_source(source: SourceFile) -> list[float]:
    """Return `costs_of_lines` of a source as it is spelled, from what is known of it where it is."""
    known = source.known_lines
    return costs_of_lines(source.spelled_text) if known is None else _spread(known.line_tokens, known.tokens)


def _spread(counts: Sequence[int], tokens: int) -> list[float]:
    newline = max(0.0, (tokens - sum(counts)) / max(1, len(counts)))
    return [count + newline for count in counts]


class LineCosts:
    """The estimated tokens of the lines of a source; lines count from 1."""

    def __init__(self, source: SourceFile) -> None:
        self.by_line: list[float] = [0.0, *costs_of_source(source)]

    def of(self, first: int, last: int) -> float:
        """Return the tokens of the lines from `first` to `last`."""
        return math.fsum(self.by_line[first : last + 1])
