"""Ranked files to rendered blocks: allocation, modes, and what is left over flowing upwards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ctxsieve.budget import BudgetOptions, allocate_tokens, beta_of_specificity, file_count_limit
from ctxsieve.compress import Mode
from ctxsieve.dedup import DedupOptions
from ctxsieve.graph import ProjectGraph
from ctxsieve.pipeline.anchors import anchor_limit
from ctxsieve.pipeline.blocks import Block
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
    filler = _Filler(renderer, limit, budget_options)
    beta = beta_of_specificity(specificity, budget_options)
    spare = filler.fill(blocks, inside, budget_tokens, beta)
    if any(block.is_stub for block in blocks):
        spare = filler.fill_around_stubs(blocks, budget_tokens, beta)
    spare = filler.spend(blocks, spare)
    anchor = _anchor(blocks, renderer, anchor_limit(budget_tokens)) if options.chunking.anchor else ""
    spare = filler.make_room(blocks, count_tokens(anchor), spare)
    shown = without_repeats(blocks, renderer, dedup_options, place=place)
    saved = sum(block.sent_tokens for block in blocks) - sum(block.sent_tokens for block in shown)
    if saved:
        filler.spend(blocks, spare + saved)
        more = without_repeats(blocks, renderer, dedup_options, place=place)
        if sum(block.sent_tokens for block in more) <= budget_tokens - count_tokens(anchor):
            shown = more
    if anchor:
        anchor = _anchor(shown, renderer, anchor_limit(budget_tokens))
    return RenderedFiles(tuple(shown), anchor)


def _anchor(blocks: list[Block], renderer: FileRenderer, limit_tokens: int) -> str:
    """Return the anchor for the most relevant file that shows lines; the file is parsed for it."""
    for i, block in enumerate(blocks):
        rendering = block.rendering
        if rendering is not None and rendering.shown:
            (blocks[i],) = renderer.parse([block])
            return renderer.anchor(blocks[i], rendering.shown, limit_tokens=limit_tokens)
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
            blocks[i] = self.renderer.render(replace(blocks[i], budget_tokens=given), least_tokens=tokens)
            spare += tokens - blocks[i].sent_tokens
        return spare

    def fill_around_stubs(self, blocks: list[Block], budget_tokens: int, beta: float) -> int:
        """Divide what stubs do not need over the other files, as many as the limit says."""
        for i in [i for i, block in enumerate(blocks) if block.source is None and not block.problem]:
            if sum(block.source is not None and not block.is_stub for block in blocks) >= self.limit:
                break
            blocks[i] = self.renderer.load(blocks[i])
        inside = [i for i, block in enumerate(blocks) if block.source is not None and not block.is_stub]
        left = budget_tokens - sum(block.sent_tokens for block in blocks if block.is_stub)
        return self.fill(blocks, inside, left, beta) if inside and left > 0 else max(0, left)

    def make_room(self, blocks: list[Block], wanted: int, spare: int) -> int:
        """Take what is wanted from what is left, then from the least relevant files; return the rest."""
        spare -= wanted
        for i in reversed(range(len(blocks))):
            block = blocks[i]
            if spare >= 0:
                break
            if block.rendering is None or block.is_stub:
                continue
            smaller = self.renderer.parse([replace(block, budget_tokens=max(0, block.sent_tokens + spare))])[0]
            blocks[i] = self.renderer.render(smaller)
            spare += block.sent_tokens - blocks[i].sent_tokens
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
