"""Repetitions left out of what is loaded for one answer, each marked with where the text stands (docs/assembly.md)."""

from collections.abc import Callable, Sequence

from ctxsieve._kernels import flat_lines
from ctxsieve.compress import (
    Mode,
    Rendering,
    compose,
    costs_of_source,
    hide_lines,
    pieces_of_spans,
    shown_lines,
)
from ctxsieve.dedup import DedupOptions, LoadedFile, Repeat, plan_suppression
from ctxsieve.pipeline.blocks import Block, frame_block, source_of
from ctxsieve.pipeline.file_renderer import FileRenderer
from ctxsieve.pipeline.loaded import repeat_mark, term_shares

__all__ = ["without_repeats"]


def without_repeats(
    blocks: Sequence[Block], renderer: FileRenderer, options: DedupOptions, *, place: Callable[[Block], int]
) -> list[Block]:
    """Return the blocks without what stands in the answer before, in the order given.

    Files that are shown whole and lines that the task names stay as they are; `place` is where a block stands in the
    text.
    """
    order = [i for i, block in enumerate(blocks) if block.rendering is not None and block.rendering.shown]
    order.sort(key=lambda i: place(blocks[i]))
    if not options.enabled or all(_rendering(blocks[i]).mode is not Mode.TASK for i in order):
        return list(blocks)
    files = [_loaded(blocks[i], renderer) for i in order]
    result = list(blocks)
    for i, repeats in zip(order, plan_suppression(files, options), strict=True):
        if repeats:
            result[i] = _without(blocks[i], repeats, renderer)
    return result


def _loaded(block: Block, renderer: FileRenderer) -> LoadedFile:
    source, rendering = source_of(block), _rendering(block)
    shown = rendering.shown
    if rendering.mode is Mode.TASK:
        sections = renderer.arrangement(source).order(shown, len(source.lines))
        shown = tuple(span for s in sections for span in shown if s.first <= span.first <= s.last)
    return LoadedFile(
        path=source.path,
        text=source.text,
        shown=shown,
        term_shares=term_shares(source, renderer.matcher),
        is_verbatim=rendering.mode is not Mode.TASK,
        costs=lambda: costs_of_source(source),
        language=source.language,
        nodes=lambda: flat_lines(renderer.whole_nodes(source)),
    )


def _without(block: Block, repeats: Sequence[Repeat], renderer: FileRenderer) -> Block:
    source, rendering = source_of(block), _rendering(block)
    sections = renderer.arrangement(source).order(rendering.shown, len(source.lines))
    pieces = pieces_of_spans(source, rendering.shown, sections)
    traced = renderer.traced_lines(source)
    for repeat in repeats:
        if any(repeat.hidden.first <= line <= repeat.hidden.last for line in traced):
            continue
        pieces = hide_lines(pieces, repeat.hidden, repeat_mark(source, repeat))
    shown, omitted = shown_lines(pieces, len(source.lines))
    changed = Rendering(rendering.mode, compose(pieces, sections), shown, omitted)
    return frame_block(block, changed, renderer.style)


def _rendering(block: Block) -> Rendering:
    assert block.rendering is not None, block.path
    return block.rendering
