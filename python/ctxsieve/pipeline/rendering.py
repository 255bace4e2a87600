"""Ranked files to rendered blocks: allocation, modes, and what is left over flowing upwards."""

from collections.abc import Callable, Sequence

from ctxsieve.budget import BudgetOptions, allocate_tokens, beta_of_specificity, file_count_limit
from ctxsieve.compress import Mode
from ctxsieve.dedup import DedupOptions
from ctxsieve.graph import ProjectGraph
from ctxsieve.pipeline.anchors import anchor_limit
from ctxsieve.pipeline.blocks import Block
from ctxsieve.pipeline.file_renderer import FileRenderer, RenderingOptions
from ctxsieve.pipeline.framing import Style, join_framed
from ctxsieve.pipeline.repeats import without_repeats
from ctxsieve.relevance import Ranking
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass, replace

__all__ = ["LISTED_FILES", "RenderedFiles", "render_within_budget"]

# An answer names at most so many files, those without room included.
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
    """Return the files of text whose `sent_tokens` add up to at most the budget, the anchor included.

    Files are rendered from the last to the first, so that what a file does not use goes to a more relevant one. What
    repetitions would have cost is offered again. `place` is where a block will stand in the text.
    """
    renderer = FileRenderer(graph, ranking, options)
    limit = file_count_limit(budget_tokens, budget_options)
    anchor_tokens = anchor_limit(budget_tokens) if options.chunking.anchor else 0
    budget_tokens = max(1, budget_tokens - _joint_tokens(options.style, min(limit, LISTED_FILES)))
    roles = graph.index.roles
    listed = [file for file in ranking.files if roles[file.document] != "binary"][:LISTED_FILES]
    blocks = [Block(file.path, file.score, rank=rank) for rank, file in enumerate(listed)]
    blocks[:limit] = [renderer.load(block) for block in blocks[:limit]]
    inside = [i for i, block in enumerate(blocks[:limit]) if block.source is not None]
    filler = _Filler(renderer, limit, budget_options)
    beta = beta_of_specificity(specificity, budget_options)
    filler.fill(blocks, inside, budget_tokens, beta)
    if any(block.is_stub for block in blocks):
        filler.fill_around_stubs(blocks, budget_tokens, beta)
    filler.spend(blocks, budget_tokens - _sent(blocks))
    anchor = _anchor(blocks, renderer, anchor_tokens)
    room = budget_tokens - count_tokens(anchor)
    filler.make_room(blocks, room)
    shown = without_repeats(blocks, renderer, dedup_options, place=place)
    if _sent(shown) < _sent(blocks) and filler.spend(blocks, room - _sent(shown)):
        more = without_repeats(blocks, renderer, dedup_options, place=place)
        if _sent(more) <= room:
            shown = more
    return RenderedFiles(tuple(shown), _anchor(shown, renderer, anchor_tokens))


def _joint_tokens(style: Style, count: int) -> int:
    """Return what joining so many framed files costs."""
    return count_tokens(join_framed(style, [])) + (count - 1 if style is Style.MARKDOWN else 0)


def _sent(blocks: Sequence[Block]) -> int:
    return sum(block.sent_tokens for block in blocks)


def _anchor(blocks: list[Block], renderer: FileRenderer, limit_tokens: int) -> str:
    """Return the anchor for the most relevant file that shows lines; the file is parsed for it."""
    if not limit_tokens:
        return ""
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

    def fill(self, blocks: list[Block], inside: Sequence[int], budget_tokens: int, beta: float) -> None:
        """Render the files inside by their share of the budget."""
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

    def fill_around_stubs(self, blocks: list[Block], budget_tokens: int, beta: float) -> None:
        """Divide what stubs do not need over the other files, as many as the limit says."""
        for i in [i for i, block in enumerate(blocks) if block.source is None and not block.problem]:
            if sum(block.source is not None and not block.is_stub for block in blocks) >= self.limit:
                break
            blocks[i] = self.renderer.load(blocks[i])
        inside = [i for i, block in enumerate(blocks) if block.source is not None and not block.is_stub]
        left = budget_tokens - _sent([block for block in blocks if block.is_stub])
        if inside and left > 0:
            self.fill(blocks, inside, left, beta)

    def make_room(self, blocks: list[Block], budget_tokens: int) -> None:
        """Render files smaller, the least relevant first, until all are within the budget."""
        for i in reversed(range(len(blocks))):
            block = blocks[i]
            excess = _sent(blocks) - budget_tokens
            if excess <= 0:
                break
            if block.rendering is None or block.is_stub:
                continue
            (smaller,) = self.renderer.parse([replace(block, budget_tokens=max(0, block.sent_tokens - excess))])
            blocks[i] = self.renderer.render(smaller)

    def spend(self, blocks: list[Block], spare: int) -> bool:
        """Offer what is left to files that were cut, in rank order, then to files that had no part.

        Returns:
            Whether any of them shows more.
        """
        given_spare = spare
        for i, block in enumerate(blocks):
            if spare < self.options.floor_tokens:
                break
            if i >= self.limit and block.source is None:
                block = self.renderer.load(block)
            if block.source is None or block.is_stub or _is_whole(block):
                continue
            (block,) = self.renderer.parse([block])
            given = min(block.sent_tokens + spare, self.options.cap_tokens)
            again = self.renderer.render(replace(block, budget_tokens=given))
            if again.sent_tokens > block.sent_tokens:
                spare -= again.sent_tokens - block.sent_tokens
                blocks[i] = again
        return spare < given_spare


def _is_whole(block: Block) -> bool:
    return block.rendering is not None and block.rendering.mode is Mode.FULL
