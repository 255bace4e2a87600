"""What lines cost in tokens."""

import math

from ctxsieve.compress.source import SourceFile
from ctxsieve.tokens import count_lines, count_tokens

__all__ = ["LineCosts"]


class LineCosts:
    """Estimated tokens of lines: exact per line, and the newlines' share spread evenly."""

    def __init__(self, source: SourceFile) -> None:
        if source.known_lines is not None:
            counts, tokens = source.known_lines.line_tokens, source.known_lines.tokens
        else:
            text = source.spelled_text
            counts, tokens = count_lines(text).tolist(), count_tokens(text)
        newline = max(0.0, (tokens - sum(counts)) / max(1, len(counts)))
        # Lines count from 1.
        self.by_line: list[float] = [0.0, *(count + newline for count in counts)]

    def of(self, first: int, last: int) -> float:
        """Return the tokens of the lines from `first` to `last`."""
        return math.fsum(self.by_line[first : last + 1])
