"""What lines cost in tokens."""

import math

from ctxsieve.compress.source import SourceFile
from ctxsieve.tokens import count_lines, count_tokens, spread_newlines

__all__ = ["LineCosts", "costs_of_source"]


def costs_of_source(source: SourceFile) -> list[float]:
    """Return the estimated tokens of each line of a source as it is spelled, from what is known of it where it is."""
    known = source.known_lines
    if known is not None:
        return spread_newlines(known.line_tokens, known.tokens)
    text = source.spelled_text
    return spread_newlines(count_lines(text).tolist(), count_tokens(text))


class LineCosts:
    """The estimated tokens of the lines of a source; lines count from 1."""

    def __init__(self, source: SourceFile) -> None:
        self.by_line: list[float] = [0.0, *costs_of_source(source)]

    def of(self, first: int, last: int) -> float:
        """Return the tokens of the lines from `first` to `last`."""
        return math.fsum(self.by_line[first : last + 1])
