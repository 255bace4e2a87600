"""Ranked files to rendered blocks: allocation, modes, and what is left over flowing upwards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ctxsieve.budget import BudgetOptions, allocate_tokens, beta_of_specificity, file_count_limit
from ctxsieve.compress import Mode
from ctxsieve.dedup import DedupOptions
from ctxsieve.fragments import LineRange
from ctxsieve.graph import ProjectGraph
from ctxsieve.pipeline.anchors import anchor_limit
from ctxsieve.pipeline.blocks import Block, source_of
from ctxsieve.pipeline.file_renderer import FileRenderer, RenderingOptions
from ctxsieve.pipeline.repeats import without_repeats
from ctxsieve.relevance import Ranking
from ctxsieve.tokens import count_tokens

__all__ = ["LISTED_FILES", "RenderedFiles", "render_within_budget"]

# An answer names at most so many files, those without room included (SPEC 16).
LISTED_FILES = 20


@dataclass(frozen=True, slots=True)
class RenderedFiles:
    """One block per ranked file, and the framed anchor ("" for none); together they are within the budget."""

    blocks: tuple[Block, ...]
    anchor: str


def render_within_budget(
    graph: ProjectGraph,
    ranking: Ranking,
    *,
    budget_tokens: int,
    specificity: float,
    budget_options: BudgetOptions,
    dedup_options: DedupOptions,
    options: RenderingOptions,
    place: Callable[[Block], int],
) -> RenderedFiles:
    """Return the files whose `sent_tokens` add up to at most the budget, the anchor included.

    Files are rendered from the last to the first, so that what a file does not use goes to a more relevant one. What
    repetitions would have cost is offered again. `place` is where a block will stand in the text.
    """
    renderer = FileRenderer(graph, ranking, options)
    limit = file_count_limit(budget_tokens, budget_options)
    blocks = [Block(file.path, file.score, rank=rank) for rank, file in enumerate(ranking.files[:LISTED_FILES])]
    blocks[:limit] = [renderer.load(block) for block in blocks[:limit]]
    inside = [i for i, block in enumerate(blocks[:limit]) if block.source is not None]
    if options.chunking.anchor and inside:
        blocks[inside[0]], reserved = _reserve_anchor(blocks[inside[0]], renderer, budget_tokens)
    else:
        reserved = 0
    filler = _Filler(renderer, limit, budget_options)
    spare = filler.fill(blocks, inside, budget_tokens - reserved, beta_of_specificity(specificity, budget_options))
    spare = filler.spend(blocks, spare)
    shown = without_repeats(blocks, renderer, dedup_options, place=place)
    saved = sum(block.sent_tokens for block in blocks) - sum(block.sent_tokens for block in shown)
    if saved:
        filler.spend(blocks, spare + saved)
        more = without_repeats(blocks, renderer, dedup_options, place=place)
        if sum(block.sent_tokens for block in more) <= budget_tokens - reserved:
            shown = more
    anchor = _anchor(shown, renderer, anchor_limit(budget_tokens)) if reserved else ""
    return RenderedFiles(tuple(shown), anchor)


def _reserve_anchor(top: Block, renderer: FileRenderer, budget_tokens: int) -> tuple[Block, int]:
    """Return the most relevant file parsed, and the tokens of the anchor that it will probably have."""
    (top,) = renderer.parse([top])
    whole = (LineRange(1, len(source_of(top).lines)),)
    return top, count_tokens(renderer.anchor(top, whole, limit_tokens=anchor_limit(budget_tokens)))


def _anchor(blocks: Sequence[Block], renderer: FileRenderer, limit_tokens: int) -> str:
    for block in blocks:
        if block.rendering is not None and block.rendering.shown:
            return renderer.anchor(block, block.rendering.shown, limit_tokens=limit_tokens)
    return ""


@dataclass(frozen=True, slots=True)
class _Filler:
    """Gives tokens to files; the first `limit` files take part in the allocation."""

    renderer: FileRenderer
    limit: int
    options: BudgetOptions

    def fill(self, blocks: list[Block], inside: Sequence[int], budget_tokens: int, beta: float) -> int:
        """Render the files inside by their share of the budget and return what is left over."""
        needs = [self.renderer.need(blocks[i]) for i in inside]
        allocation = allocate_tokens(
            [blocks[i].score for i in inside], needs, total_tokens=budget_tokens, beta=beta, options=self.options
        )
        cut = [i for i, need, tokens in zip(inside, needs, allocation.tokens, strict=True) if need > tokens]
        for i, block in zip(cut, self.renderer.parse([blocks[i] for i in cut]), strict=True):
            blocks[i] = block
        spare = 0
        for i, tokens in sorted(zip(inside, allocation.tokens, strict=True), reverse=True):
            given = min(tokens + spare, max(tokens, self.options.cap_tokens))
            blocks[i] = self.renderer.render(replace(blocks[i], budget_tokens=given))
            spare += tokens - blocks[i].sent_tokens
        return spare

    def spend(self, blocks: list[Block], spare: int) -> int:
        """Offer what is left to files that were cut, in rank order, then to files that had no part; return the rest."""
        for i, block in enumerate(blocks):
            if spare < self.options.floor_tokens:
                break
            if i >= self.limit and block.source is None:
                block = self.renderer.load(block)
                block = block if block.source is None else self.renderer.parse([block])[0]
            if block.source is None or block.is_stub or _is_whole(block):
                continue
            given = min(block.sent_tokens + spare, self.options.cap_tokens)
            again = self.renderer.render(replace(block, budget_tokens=given))
            if again.sent_tokens > block.sent_tokens:
                spare -= again.sent_tokens - block.sent_tokens
                blocks[i] = again
        return spare


def _is_whole(block: Block) -> bool:
    return block.rendering is not None and block.rendering.mode is Mode.FULL
