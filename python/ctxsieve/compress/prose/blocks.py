"""Text of any format as blocks of lines: the form of last resort, which never claims to be code."""

from collections.abc import Iterator, Sequence

from ctxsieve.compress.costs import LineCosts
from ctxsieve.compress.options import MARKER_TOKENS
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.surprise import score_lines

__all__ = ["blocks_of", "dull_blocks", "unrelated_blocks"]

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


def dull_blocks(source: SourceFile, share: float) -> list[LineRange]:
    """Return the blocks to hide so that about `share` of the tokens is left: the least surprising first, ties later."""
    costs = LineCosts(source)
    scores = score_lines(source.data)
    blocks = blocks_of(source)

    def surprise(block: LineRange) -> float:
        part = slice(block.first - 1, block.last)
        weight = float(scores.tokens[part].sum())
        return float((scores.normalised[part] * scores.tokens[part]).sum()) / weight if weight else 0.0

    left = costs.of(1, len(source.lines))
    wanted = left * share
    hidden = []
    # The first block says what the file is.
    for block in sorted(blocks[1:], key=lambda block: (surprise(block), -block.first)):
        if left <= wanted:
            break
        hidden.append(block)
        left -= max(0.0, costs.of(block.first, block.last) - MARKER_TOKENS)
    return hidden


def unrelated_blocks(source: SourceFile, relevance: Sequence[float], share: float) -> list[LineRange]:
    """Return the blocks without a line of at least `share` of the best line's relevance."""
    wanted = max(relevance, default=0.0) * share
    return [
        block
        for block in blocks_of(source)[1:]
        if not any(0 < value >= wanted for value in relevance[block.first - 1 : block.last])
    ]
