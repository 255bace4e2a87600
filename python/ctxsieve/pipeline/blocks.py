"""One ranked file on its way into an answer."""

from ctxsieve.compress import Rendering, SourceFile
from ctxsieve.pipeline.framing import Style, frame
from ctxsieve.tokens import count_between, count_tokens
from ctxsieve.values import dataclass, replace

__all__ = ["Block", "frame_block", "source_of"]


@dataclass(frozen=True, slots=True)
class Block:
    """One ranked file.

    `rendering` is None for a file without room; `framed` is its text with the header, `sent_tokens` that text counted
    alone; `problem` says why a file could not be shown; a stub stands for text that the consumer holds.
    """

    path: str
    score: float
    budget_tokens: int = 0
    sent_tokens: int = 0
    original_tokens: int = 0
    source: SourceFile | None = None
    rendering: Rendering | None = None
    framed: str = ""
    problem: str = ""
    data: bytes = b""
    content_hash: str = ""
    rank: int = 0
    is_stub: bool = False


def frame_block(block: Block, rendering: Rendering, style: Style) -> Block:
    """Return the block with a rendering under its header."""
    source = source_of(block)
    mode = f"{rendering.mode.value}: {rendering.reason}" if rendering.reason else rendering.mode.value
    text = frame(
        style,
        path=block.path,
        mode=f"{mode}; {source.note}" if source.note else mode,
        language=source.language.name if source.language else None,
        content=rendering.content,
    )
    return replace(block, rendering=rendering, framed=text, sent_tokens=_count(text, rendering))


def _count(text: str, rendering: Rendering) -> int:
    if rendering.counted_tokens is None or (start := text.find(rendering.content)) < 0:
        return count_tokens(text)
    end = start + len(rendering.content)
    return count_between(text[:start], rendering.content, text[end:], text_tokens=rendering.counted_tokens)


def source_of(block: Block) -> SourceFile:
    """Return the source of a block that was loaded."""
    assert block.source is not None, block.path
    return block.source
