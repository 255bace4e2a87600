"""One file in the richest mode that its budget allows."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ctxsieve.agents import ContextDepthConfig, richest_mode
from ctxsieve.budget import choose_mode
from ctxsieve.cache import hash_content
from ctxsieve.chunking import Arrangement, ChunkingOptions
from ctxsieve.compress import (
    Mode,
    Rendering,
    ScoredFile,
    SourceFile,
    is_binary,
    nearest_lines,
    parse_sources,
    read_source,
    recall_line_facts,
    recall_whole_nodes,
    render_full,
    render_map,
    render_signatures,
    with_remembered_lines,
)
from ctxsieve.errors import PathError
from ctxsieve.fragments import LineRange
from ctxsieve.graph import ProjectGraph
from ctxsieve.jail import read_inside
from ctxsieve.languages import LANGUAGES
from ctxsieve.pipeline.anchors import write_anchor
from ctxsieve.pipeline.arranging import arrange_file
from ctxsieve.pipeline.blocks import Block, frame_block, source_of
from ctxsieve.pipeline.framing import Style
from ctxsieve.pipeline.spelling import SpellingOptions
from ctxsieve.relevance import Ranking, TermMatcher
from ctxsieve.values import dataclass, field, replace

__all__ = ["FileRenderer", "RenderingOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderingOptions:
    """How files are rendered.

    Attributes:
        style: the spelling of the text.
        chunking: how files are cut in chunks and how these are ordered.
        memory: the directory of remembered definitions.
        threads: at most so many parse at the same time.
        depth: how much the reader's role sees; None sees what the budget allows.
        structure_first: signatures come before bodies.
        error_lines_weight: factor of the score of lines that handle errors.
        spelling: how what is not verbatim is spelled.
        held: gives the texts of a file (path and content hash) that the consumer holds; None for nobody in particular.
    """

    style: Style
    chunking: ChunkingOptions
    memory: Path
    threads: int
    depth: ContextDepthConfig | None = None
    structure_first: bool = False
    error_lines_weight: float = 1.0
    spelling: SpellingOptions = field(default_factory=SpellingOptions)
    held: Callable[[str, str], Sequence[str]] | None = None


class FileRenderer:
    """Renders single files; remembers how their chunks score, which is the same for every budget."""

    def __init__(self, graph: ProjectGraph, ranking: Ranking, options: "RenderingOptions") -> None:
        self._graph = graph
        self._ranking = ranking
        self._options = options
        self.style = options.style
        # Who wants to see what there is wants it in the order in which it stands there.
        self._chunking = replace(options.chunking, ordered=options.chunking.ordered and not options.structure_first)
        self._scored_files: dict[str, ScoredFile] = {}
        self._wholes: dict[str, Block] = {}
        self._whole_nodes: dict[str, list[LineRange]] = {}
        self.matcher = TermMatcher(ranking.terms, ranking.term_weights)

    def load(self, block: Block) -> Block:
        """Return the block with its file read, or with the reason why it cannot be."""
        index = self._graph.index
        document = index.document(block.path)
        language = index.languages[document] if document is not None else None
        try:
            data = read_inside(Path(index.root), block.path)
        except PathError as error:
            return replace(block, problem=str(error))
        if is_binary(data):
            return replace(block, problem="binary: it has no text to show")
        source = with_remembered_lines(
            read_source(block.path, data, LANGUAGES[language] if language else None),
            memory=self._options.memory,
            is_aligned=self._options.spelling.aligns_source,
        )
        return replace(
            block,
            source=source,
            original_tokens=source.tokens,
            data=data,
            content_hash=hash_content(data),
        )

    def parse(self, blocks: Sequence[Block]) -> list[Block]:
        """Return the blocks with their definitions at hand, remembered or parsed together."""
        unknown = [i for i, block in enumerate(blocks) if source_of(block).known is None]
        parsed = parse_sources(
            [source_of(blocks[i]) for i in unknown],
            memory=self._options.memory,
            threads=self._options.threads,
            is_aligned=self._options.spelling.aligns_source,
        )
        result = list(blocks)
        for i, source in zip(unknown, parsed, strict=True):
            result[i] = replace(blocks[i], source=recall_line_facts(source, memory=self._options.memory))
        return result

    def need(self, block: Block) -> int:
        """Return what the whole file costs, its header included."""
        return self._whole(block).sent_tokens

    def render(self, block: Block, *, least_tokens: int | None = None) -> Block:
        """Return the block in the richest mode that its budget and the reader's role allow, or as a stub.

        A stub stands for a file of which the consumer holds all that `least_tokens` would show, by default the budget.
        """
        held = () if self._options.held is None else self._options.held(block.path, block.content_hash)
        if not held:
            return self._rendered(block)
        from ctxsieve.pipeline.holdings import as_stub, is_held

        least = self._rendered(replace(block, budget_tokens=least_tokens or block.budget_tokens))
        stub = as_stub(least, self.style) if is_held(least, held) else None
        return stub or self._rendered(block)

    def _rendered(self, block: Block) -> Block:
        source = source_of(block)
        whole = self._whole(block)
        richest = "full" if self._options.depth is None else richest_mode(self._options.depth, block.rank)
        if richest != "full":
            return self._outlined(block, whole, richest)
        if whole.sent_tokens <= block.budget_tokens:
            return whole
        header = self._framed(block, Rendering(Mode.TASK, "\n", (), ())).sent_tokens
        chosen = self._framed(block, self._about_the_task(source, block.budget_tokens - header - 1))
        if chosen.sent_tokens <= block.budget_tokens and chosen.rendering is not None and chosen.rendering.shown:
            return chosen
        outlines = {Mode.MAP: self._map(source), Mode.SIGNATURES: self._signatures(source)}
        framed = {mode: self._framed(block, rendering) for mode, rendering in outlines.items() if rendering.content}
        none = block.budget_tokens + 1
        mode = choose_mode(
            block.budget_tokens,
            full_tokens=whole.sent_tokens,
            map_tokens=framed[Mode.MAP].sent_tokens if Mode.MAP in framed else none,
            signatures_tokens=framed[Mode.SIGNATURES].sent_tokens if Mode.SIGNATURES in framed else none,
        )
        return framed.get(Mode(mode), replace(block, sent_tokens=0, rendering=None, framed=""))

    def _whole(self, block: Block) -> Block:
        known = self._wholes.get(block.path)
        if known is None:
            known = self._wholes[block.path] = self._framed(block, render_full(source_of(block)))
        return replace(block, rendering=known.rendering, framed=known.framed, sent_tokens=known.sent_tokens)

    def _outlined(self, block: Block, whole: Block, richest: str) -> Block:
        """Return the map or the signatures; a file that is smaller than its outline comes whole."""
        source = source_of(block)
        outlines = [self._map(source)] if richest == "map" else []
        for rendering in (*outlines, self._signatures(source)):
            framed = self._framed(block, rendering)
            if not rendering.content or framed.sent_tokens >= whole.sent_tokens:
                framed = whole
            if framed.sent_tokens <= block.budget_tokens:
                return framed
        return replace(block, sent_tokens=0, rendering=None, framed="")

    def _map(self, source: SourceFile) -> Rendering:
        document = self._graph.index.document(source.path)
        return render_map(source, self._graph.index.imports(document) if document is not None else ())

    def _signatures(self, source: SourceFile) -> Rendering:
        return render_signatures(source, is_aligned=self._options.spelling.aligns_notation)

    def _about_the_task(self, source: SourceFile, budget_tokens: int) -> Rendering:
        scored = self._scored(source)
        return scored.render(budget_tokens=budget_tokens, structure_first=self._options.structure_first)

    def arrangement(self, source: SourceFile) -> Arrangement:
        """Return the file's scored chunks; they are the same for every budget."""
        return self._scored(source).arrangement

    def _scored(self, source: SourceFile) -> ScoredFile:
        known = self._scored_files.get(source.path)
        if known is None:
            known = self._scored_files[source.path] = arrange_file(
                self._graph,
                self._ranking,
                self.matcher,
                source,
                self._chunking,
                error_lines_weight=self._options.error_lines_weight,
            )
        return known

    def traced_lines(self, source: SourceFile) -> list[int]:
        """Return the lines of the file that the task names, for a blank one the nearest that is not."""
        document = self._graph.index.document(source.path)
        return nearest_lines(source.lines, self._ranking.traced_lines.get(document, ()) if document is not None else ())

    def whole_nodes(self, source: SourceFile) -> list[LineRange]:
        """Return the lines of every node of the file that may go as a whole."""
        known = self._whole_nodes.get(source.path)
        if known is None:
            known = self._whole_nodes[source.path] = recall_whole_nodes(source, memory=self._options.memory)
        return known

    def anchor(self, block: Block, shown: Sequence[LineRange], *, limit_tokens: int) -> str:
        """Return the anchor for the best of the file's chunks that are shown."""
        source = source_of(block)
        top = self.arrangement(source).top_chunk(shown)
        return "" if top is None else write_anchor(source, top, self._options.style, limit_tokens=limit_tokens)

    def _framed(self, block: Block, rendering: Rendering) -> Block:
        return frame_block(block, rendering, self._options.style)
