"""What a consumer holds already is named in a line instead of sent again (docs/compression.md)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ctxsieve.cache import reread_stub
from ctxsieve.compress import Mode, Rendering
from ctxsieve.pipeline.blocks import Block, source_of
from ctxsieve.pipeline.framing import Style, frame, one_line
from ctxsieve.pipeline.reading import STUB_MODE
from ctxsieve.tokens import count_tokens

__all__ = ["Held", "as_stub", "is_held"]

Held = Callable[[str, str], Sequence[str]]
"""Gives the texts of a file (path, hash of its content) that the consumer provably received and still holds."""


def is_held(block: Block, held: Sequence[str]) -> bool:
    """Say whether every line that a block shows stands in what is held; for an outline, whether it is held itself."""
    rendering = block.rendering
    if rendering is None or not held:
        return False
    if not rendering.shown:
        return bool(rendering.content) and rendering.content in held
    # White space at the ends of lines depends on how they are spelled.
    texts = [_stripped(text.split("\n")) for text in held]
    lines = source_of(block).lines
    runs = [_stripped(lines[span.first - 1 : span.last]) for span in rendering.shown]
    return all(any(run in text for text in texts) for run in runs)


def _stripped(lines: Sequence[str]) -> str:
    return "\n".join(["", *(line.strip() for line in lines), ""])


def as_stub(block: Block, style: Style) -> Block | None:
    """Return the block as one line that says it was sent; None where that would cost as much as the block."""
    assert block.rendering is not None, block.path
    stub = reread_stub(one_line(block.path), block.rendering.mode.value, instead_of=block.framed)
    if stub is None:
        return None
    text = frame(style, path=block.path, mode=STUB_MODE, language=None, content=stub) if style is Style.XML else stub
    rendering = Rendering(Mode.REFERENCE, stub, (), ())
    return replace(block, rendering=rendering, framed=text, sent_tokens=count_tokens(text), is_stub=True)
