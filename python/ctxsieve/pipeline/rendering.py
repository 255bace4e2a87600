"""Ranked files to rendered blocks: allocation, modes, and what is left over flowing upwards."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ctxsieve.agents import ContextDepthConfig, richest_mode
from ctxsieve.budget import BudgetOptions, allocate_tokens, beta_of_specificity, choose_mode, file_count_limit
from ctxsieve.cache import hash_content
from ctxsieve.chunking import Chunk, ChunkingOptions, chunk_source
from ctxsieve.compress import (
    Mode,
    Rendering,
    SourceFile,
    parse_sources,
    read_source,
    render_chunks,
    render_full,
    render_map,
    render_signatures,
)
from ctxsieve.errors import PathError
from ctxsieve.graph import ProjectGraph
from ctxsieve.jail import read_inside
from ctxsieve.languages import LANGUAGES
from ctxsieve.pipeline.framing import Style, frame
from ctxsieve.relevance import Ranking, TermMatcher, score_lines
from ctxsieve.tokens import count_tokens

__all__ = ["LISTED_FILES", "Block", "render_within_budget"]

# An answer names at most so many files, those without room included (SPEC 16).
LISTED_FILES = 20


@dataclass(frozen=True, slots=True)
class Block:
    """One ranked file on its way into the answer.

    `rendering` is None for a file without room; `framed` is its text with the header, `sent_tokens` that text counted
    alone; `problem` says why a file could not be shown.
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


def render_within_budget(
    graph: ProjectGraph,
    ranking: Ranking,
    *,
    budget_tokens: int,
    specificity: float,
    style: Style,
    budget_options: BudgetOptions,
    chunking_options: ChunkingOptions,
    memory: Path,
    threads: int,
    depth: ContextDepthConfig | None = None,
    structure_first: bool = False,
) -> tuple[Block, ...]:
    """Return one block per ranked file, whose `sent_tokens` add up to at most the budget.

    Files are rendered from the last to the first, so that what a file does not use goes to a more relevant one. Those
    that will be cut are parsed together; `memory` and `threads` are as in `parse_sources`.
    """
    renderer = _Renderer(graph, ranking, style, chunking_options, depth, structure_first=structure_first)
    limit = file_count_limit(budget_tokens, budget_options)
    blocks = [Block(file.path, file.score, rank=rank) for rank, file in enumerate(ranking.files[:LISTED_FILES])]
    blocks[:limit] = [renderer.load(block) for block in blocks[:limit]]
    inside = [i for i, block in enumerate(blocks[:limit]) if block.source is not None]
    needs = [renderer.need(blocks[i]) for i in inside]
    allocation = allocate_tokens(
        [blocks[i].score for i in inside],
        needs,
        total_tokens=budget_tokens,
        beta=beta_of_specificity(specificity, budget_options),
        options=budget_options,
    )
    cut = [i for i, need, tokens in zip(inside, needs, allocation.tokens, strict=True) if need > tokens]
    parsed = parse_sources([_source(blocks[i]) for i in cut], memory=memory, threads=threads)
    for i, source in zip(cut, parsed, strict=True):
        blocks[i] = replace(blocks[i], source=source)
    spare = 0
    for i, tokens in sorted(zip(inside, allocation.tokens, strict=True), reverse=True):
        given = min(tokens + spare, max(tokens, budget_options.cap_tokens))
        blocks[i] = renderer.render(replace(blocks[i], budget_tokens=given))
        spare += tokens - blocks[i].sent_tokens
    return _spend_the_rest(blocks, limit, spare, renderer, budget_options)


def _spend_the_rest(
    blocks: list[Block], limit: int, spare: int, renderer: "_Renderer", options: BudgetOptions
) -> tuple[Block, ...]:
    """Offer what is left to files that were cut, in rank order, then to files that had no part in the softmax."""
    for i, block in enumerate(blocks):
        if spare < options.floor_tokens:
            break
        if i >= limit:
            block = renderer.load(block)
        if block.source is None or (block.rendering is not None and block.rendering.mode is Mode.FULL):
            continue
        given = min(block.sent_tokens + spare, options.cap_tokens)
        again = renderer.render(replace(block, budget_tokens=given))
        if again.sent_tokens > block.sent_tokens:
            spare -= again.sent_tokens - block.sent_tokens
            blocks[i] = again
    return tuple(blocks)


class _Renderer:
    """Renders single files; remembers nothing but its collaborators."""

    def __init__(
        self,
        graph: ProjectGraph,
        ranking: Ranking,
        style: Style,
        chunking_options: ChunkingOptions,
        depth: ContextDepthConfig | None,
        *,
        structure_first: bool,
    ) -> None:
        self._structure_first = structure_first
        self._graph = graph
        self._ranking = ranking
        self._matcher = TermMatcher(ranking.terms, ranking.term_weights)
        self._style = style
        self._chunking = chunking_options
        self._depth = depth

    def load(self, block: Block) -> Block:
        index = self._graph.index
        document = index.document(block.path)
        language = index.languages[document] if document is not None else None
        try:
            data = read_inside(Path(index.root), block.path)
        except PathError as error:
            return replace(block, problem=str(error))
        source = read_source(block.path, data, LANGUAGES[language] if language else None)
        return replace(
            block,
            source=source,
            original_tokens=count_tokens(source.text),
            data=data,
            content_hash=hash_content(data),
        )

    def need(self, block: Block) -> int:
        return self._framed(block, render_full(_source(block))).sent_tokens

    def render(self, block: Block) -> Block:
        """Return the block in the richest mode that its budget and the reader's role allow."""
        source = _source(block)
        whole = self._framed(block, render_full(source))
        richest = "full" if self._depth is None else richest_mode(self._depth, block.rank)
        if richest != "full":
            return self._outlined(block, whole, richest)
        if whole.sent_tokens <= block.budget_tokens:
            return whole
        header = self._framed(block, Rendering(Mode.TASK, "\n", (), ())).sent_tokens
        chosen = self._framed(block, self._about_the_task(source, block.budget_tokens - header - 1))
        if chosen.sent_tokens <= block.budget_tokens and chosen.rendering is not None and chosen.rendering.shown:
            return chosen
        outlines = {Mode.MAP: self._map(source), Mode.SIGNATURES: render_signatures(source)}
        framed = {mode: self._framed(block, rendering) for mode, rendering in outlines.items() if rendering.content}
        none = block.budget_tokens + 1
        mode = choose_mode(
            block.budget_tokens,
            full_tokens=whole.sent_tokens,
            map_tokens=framed[Mode.MAP].sent_tokens if Mode.MAP in framed else none,
            signatures_tokens=framed[Mode.SIGNATURES].sent_tokens if Mode.SIGNATURES in framed else none,
        )
        return framed.get(Mode(mode), replace(block, sent_tokens=0, rendering=None, framed=""))

    def _outlined(self, block: Block, whole: Block, richest: str) -> Block:
        """Return the map or the signatures; a file that is smaller than its outline comes whole."""
        source = _source(block)
        outlines = [self._map(source)] if richest == "map" else []
        for rendering in (*outlines, render_signatures(source)):
            framed = self._framed(block, rendering)
            if not rendering.content or framed.sent_tokens >= whole.sent_tokens:
                framed = whole
            if framed.sent_tokens <= block.budget_tokens:
                return framed
        return replace(block, sent_tokens=0, rendering=None, framed="")

    def _map(self, source: SourceFile) -> Rendering:
        document = self._graph.index.document(source.path)
        return render_map(source, self._graph.index.imports(document) if document is not None else ())

    def _about_the_task(self, source: SourceFile, budget_tokens: int) -> Rendering:
        document = self._graph.index.document(source.path)
        statements = self._graph.index.imports(document) if document is not None else ()
        import_lines = frozenset(statement.line for statement in statements)
        chunks = chunk_source(source.lines, source.parsed, import_lines, self._chunking)
        scores = _score_chunks(self._ranking, self._matcher, source, chunks, import_lines, document)
        return render_chunks(source, chunks, scores, budget_tokens=budget_tokens, structure_first=self._structure_first)

    def _framed(self, block: Block, rendering: Rendering) -> Block:
        source = _source(block)
        text = frame(
            self._style,
            path=block.path,
            mode=rendering.mode.value,
            language=source.language.name if source.language else None,
            content=rendering.content,
        )
        return replace(block, rendering=rendering, framed=text, sent_tokens=count_tokens(text))


def _source(block: Block) -> SourceFile:
    assert block.source is not None, block.path
    return block.source


def _score_chunks(
    ranking: Ranking,
    matcher: TermMatcher,
    source: SourceFile,
    chunks: Sequence[Chunk],
    import_lines: Collection[int],
    document: int | None,
) -> list[float]:
    """Return for each chunk the middle between its best line and its average line."""
    scores = score_lines(
        source.lines,
        source.parsed.definitions,
        ranking,
        import_lines=import_lines,
        traced_lines=ranking.traced_lines.get(document, ()) if document is not None else (),
        matcher=matcher,
    )
    of_chunks = [scores[chunk.span.first - 1 : chunk.span.last] for chunk in chunks]
    return [(float(part.max()) + float(part.sum()) / len(part)) / 2 if len(part) else 0.0 for part in of_chunks]
