"""The terse layer: what is not verbatim, spelled in fewer tokens (docs/alignment.md, docs/terse.md).

Sources are spelled before they are cut, so that the tokens that alignment frees are spent inside the same budget. The
layer itself accounts for them: what came in is what the same lines cost as they stand in their files.
"""

from collections.abc import Sequence

from ctxsieve.compress import Mode, render_signatures
from ctxsieve.pipeline.blocks import Block
from ctxsieve.pipeline.layers import Weight
from ctxsieve.pipeline.rendering import RenderedFiles
from ctxsieve.tokens import count_lines, count_tokens
from ctxsieve.values import dataclass

__all__ = ["TerseLayer", "tokens_freed"]

_VERBATIM = frozenset({Mode.FULL, Mode.RAW, Mode.LINES})


@dataclass(frozen=True, slots=True)
class TerseLayer:
    """From rendered blocks to the same blocks, with what their spelling saved."""

    name: str = "terse"

    def run(self, given: RenderedFiles) -> RenderedFiles:
        """Return the blocks: they were cut as they are spelled."""
        return given

    def weigh(self, given: RenderedFiles, result: RenderedFiles) -> Sequence[Weight]:
        """Return what the blocks cost as their files spell them, and what they cost."""
        freed = sum(tokens_freed(block) for block in given.blocks)
        sent = sum(block.sent_tokens for block in result.blocks)
        return (Weight(sent + freed, sent),)


def tokens_freed(block: Block) -> int:
    """Return how many tokens fewer a block has than the same one spelled as its file is."""
    source, rendering = block.source, block.rendering
    if source is None or rendering is None or rendering.mode in _VERBATIM:
        return 0
    if rendering.mode is Mode.SIGNATURES:
        return max(0, count_tokens(render_signatures(source).content) - count_tokens(rendering.content))
    if not source.is_aligned or (source.known_lines is None and source.spelling is None):
        return 0
    # White space at a line's ends never shares a token with another line that has text.
    shown = [slice(span.first - 1, span.last) for span in rendering.shown]
    before = _count_parts(source.lines, shown)
    facts = source.known_lines
    # A last line that ends with a carriage return costs more alone.
    if facts is None or "\r" in source.text:
        return before - _count_parts(source.spelled_lines, shown)
    return 0 if facts.spelled is None else before - sum(sum(facts.line_tokens[part]) for part in shown)


def _count_parts(lines: Sequence[str], parts: Sequence[slice]) -> int:
    return int(count_lines("\n".join([line for part in parts for line in lines[part]])).sum())
