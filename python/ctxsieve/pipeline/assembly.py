"""Blocks to one text whose exact token count is within the budget."""

from collections.abc import Callable, Sequence

from ctxsieve.pipeline.blocks import Block
from ctxsieve.pipeline.framing import Style, join_framed
from ctxsieve.tokens import count_tokens, truncate_at_line
from ctxsieve.values import dataclass, replace

__all__ = ["Assembly", "assemble"]


@dataclass(frozen=True, slots=True)
class Assembly:
    """The text, its exact tokens, and all blocks, those without room included."""

    text: str
    tokens: int
    blocks: tuple[Block, ...]


def assemble(
    blocks: Sequence[Block],
    *,
    style: Style,
    budget_tokens: int,
    notice: str = "",
    anchor: str = "",
    place: Callable[[Block], int] = lambda _: 0,
) -> Assembly:
    """Return the framed blocks as one text: those of the smallest `place` first, equal ones in the order given.

    Stubs stand before all others, the anchor ends the text. Tokens of a text are not the sum of its parts' tokens:
    where the whole is above the budget all the same, the anchor goes, then the least relevant block, again and again.
    A notice that does not fit is cut at a line.
    """

    def position(block: Block) -> tuple[bool, int]:
        # A stub has no header: before the first one it cannot be taken for a line of another file.
        return not block.is_stub, place(block)

    kept = list(blocks)
    while True:
        framed = [block.framed for block in sorted(kept, key=position) if block.framed]
        text = join_framed(style, framed, notice=notice, ending=anchor) if framed or notice else ""
        tokens = count_tokens(text)
        shown = [i for i, block in enumerate(kept) if block.framed]
        if tokens <= budget_tokens:
            return Assembly(text, tokens, tuple(kept))
        if anchor:
            anchor = ""
            continue
        if not shown:
            # Half an element is no XML.
            text = "" if style is Style.XML else truncate_at_line(notice, budget_tokens)
            return Assembly(text, count_tokens(text), tuple(kept))
        kept[shown[-1]] = replace(kept[shown[-1]], framed="", rendering=None, sent_tokens=0)
