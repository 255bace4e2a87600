"""Which blocks of a file go, whatever its format."""

from bisect import bisect_left
from collections.abc import Callable, Sequence

from ctxsieve.compress.costs import LineCosts
from ctxsieve.compress.options import MARKER_TOKENS
from ctxsieve.compress.prose.blocks import blocks_of
from ctxsieve.compress.prose.parts import has_parts, parts_of, shape_of
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.surprise import score_lines

__all__ = ["dull_blocks", "unrelated_blocks"]

# So long may parts of nested data be: what is about a task stays together, else single keys may go.
_LONGEST_ABOUT_TASK = 16
_LONGEST_DULL = 4
# Of so many alike parts, those stay in `task` that have this share of the relevance of the best one.
_FEWEST_ALIKE = 3
_SHARE_OF_ALIKE = 0.75


def _blocks_or_parts(source: SourceFile, longest_part: int) -> list[LineRange]:
    return list(parts_of(source, longest_part)) if has_parts(source) else blocks_of(source)


def dull_blocks(
    source: SourceFile, share: float, may_go: Callable[[Sequence[LineRange]], Sequence[LineRange]]
) -> list[LineRange]:
    """Return the blocks to hide so that about `share` of the tokens is left.

    Those of nested data that are like an earlier one go first, then the least surprising; ties later in the file.

    Args:
        source: a file that is no code.
        share: of the tokens, marks included; the number of blocks that comes nearest is chosen.
        may_go: what can be hidden of some blocks.
    """
    costs = LineCosts(source)
    scores = score_lines(source.data)
    blocks = _blocks_or_parts(source, _LONGEST_DULL)
    repeated = {block for alike in _alike(source, blocks) for block in alike[1:]}

    def surprise(block: LineRange) -> float:
        part = slice(block.first - 1, block.last)
        weight = float(scores.tokens[part].sum())
        return float((scores.normalised[part] * scores.tokens[part]).sum()) / weight if weight else 0.0

    order = sorted(_after_first(blocks), key=lambda block: (block not in repeated, surprise(block), -block.first))
    whole = costs.of(1, len(source.lines))

    def saved(count: int) -> float:
        return sum(costs.of(span.first, span.last) - MARKER_TOKENS for span in may_go(order[:count]))

    wanted = whole * (1 - share)
    count = bisect_left(range(len(order)), wanted, lo=min(1, len(order)), key=saved)
    if count > 1 and abs(saved(count - 1) - wanted) < abs(saved(count) - wanted):
        count -= 1
    return order[:count]


def unrelated_blocks(source: SourceFile, relevance: Sequence[float], share: float) -> list[LineRange]:
    """Return the blocks without a line of at least `share` of the best line's relevance.

    Alike parts of nested data hold the same words: there only what comes near the best of them stays.
    """
    blocks = _blocks_or_parts(source, _LONGEST_ABOUT_TASK)
    best = {block: max(relevance[block.first - 1 : block.last], default=0.0) for block in blocks}
    wanted = dict.fromkeys(blocks, max(relevance, default=0.0) * share)
    for alike in _alike(source, blocks):
        if len(alike) >= _FEWEST_ALIKE:
            needed = _SHARE_OF_ALIKE * max(best[block] for block in alike)
            wanted.update((block, max(wanted[block], needed)) for block in alike)
    return [block for block in _after_first(blocks) if not 0 < best[block] >= wanted[block]]


def _after_first(blocks: Sequence[LineRange]) -> Sequence[LineRange]:
    """Return what may go: the first block says what the file is, and the next one if the first is a single line."""
    return blocks[2 if blocks and blocks[0].first == blocks[0].last else 1 :]


def _alike(source: SourceFile, blocks: Sequence[LineRange]) -> list[list[LineRange]]:
    """Return the blocks of nested data by what they have in common, in source order."""
    if not has_parts(source):
        return []
    shapes: dict[tuple[str, ...], list[LineRange]] = {}
    for block in blocks:
        shapes.setdefault(shape_of(source, block), []).append(block)
    return list(shapes.values())
