"""What the lines of a text cost when they stand in it."""

from collections.abc import Sequence

__all__ = ["spread_newlines"]


def spread_newlines(line_tokens: Sequence[int], tokens: int) -> list[float]:
    """Return the tokens of each line in a text of `tokens`: its own, and the newlines' share spread evenly."""
    newline = max(0.0, (tokens - sum(line_tokens)) / max(1, len(line_tokens)))
    return [count + newline for count in line_tokens]
