"""The main job: from a task to one text within a token budget."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ctxsieve.agents import ContextDepthConfig
from ctxsieve.budget import BudgetOptions
from ctxsieve.chunking import ChunkingOptions
from ctxsieve.dedup import DedupOptions
from ctxsieve.errors import InputError
from ctxsieve.fragments import LineRange
from ctxsieve.graph import IndexOptions, ProgressCallback, ProjectGraph, load_or_build
from ctxsieve.intent import StructuredIntent, parse_intent
from ctxsieve.pipeline.assembly import Assembly, assemble
from ctxsieve.pipeline.blocks import Block, source_of
from ctxsieve.pipeline.file_renderer import RenderingOptions
from ctxsieve.pipeline.framing import Style
from ctxsieve.pipeline.layers import Meter, Weight
from ctxsieve.pipeline.reading import STUB_MODE
from ctxsieve.pipeline.rendering import RenderedFiles, render_within_budget
from ctxsieve.pipeline.serving import confident_policy, error_weight, place_by_role, weigh_roles
from ctxsieve.pipeline.spelling import SpellingOptions
from ctxsieve.pipeline.terse import TerseLayer, tokens_freed
from ctxsieve.relevance import History, HistoryOptions, Ranking, RelevanceOptions, rank_files, read_history
from ctxsieve.store import LayerMetrics
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass, field

__all__ = ["FileAnswer", "Omission", "Preload", "PreloadOptions", "PreloadRequest", "preload"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreloadOptions:
    """The options of the layers that take part."""

    index: IndexOptions = field(default_factory=IndexOptions)
    history: HistoryOptions = field(default_factory=HistoryOptions)
    relevance: RelevanceOptions = field(default_factory=RelevanceOptions)
    budget: BudgetOptions = field(default_factory=BudgetOptions)
    chunking: ChunkingOptions = field(default_factory=ChunkingOptions)
    dedup: DedupOptions = field(default_factory=DedupOptions)
    spelling: SpellingOptions = field(default_factory=SpellingOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreloadRequest:
    """A task in plain words, and what its answer may cost.

    Attributes:
        root: the directory that the task is about.
        cache_directory: where its index and history are kept.
        task: the task.
        budget_tokens: hard bound on the tokens of the text, framing included.
        style: the spelling of the text.
        on_progress: called while a first index is built.
        depth: how much the reader's role sees; None sees what the budget allows.
        graph: gives the graph as it is now; by default it is loaded from the cache directory.
        held: gives the texts of a file (path and content hash) that the consumer received and holds; None for nobody.
    """

    root: Path
    cache_directory: Path
    task: str
    budget_tokens: int
    style: Style = Style.TEXT
    on_progress: ProgressCallback | None = None
    depth: ContextDepthConfig | None = None
    graph: Callable[[], ProjectGraph] | None = None
    held: Callable[[str, str], Sequence[str]] | None = None

    def __post_init__(self) -> None:
        if not self.task.strip():
            raise InputError("the task is empty: say in plain words what is to be done")
        if self.budget_tokens < 1:
            raise InputError(f"budget is {self.budget_tokens} tokens: it must be 1 or more")

    @property
    def usable_tokens(self) -> int:
        """The part of the budget that the role uses."""
        return self.budget_tokens if self.depth is None else self.depth.budget_of(self.budget_tokens)


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """One relevant file: its score, what it was given, what it took and which of its lines stand in the text.

    `content` is what is shown of it without its frame, `data` the whole file and `content_hash` its hash. `lossless`
    says whether it is text in UTF-8; where it is not, `encoding` says what it was decoded from and `note` what is lost.
    """

    path: str
    score: float
    budget_tokens: int
    sent_tokens: int
    mode: str
    lines: tuple[LineRange, ...]
    original_tokens: int = 0
    content_hash: str = ""
    content: str = field(default="", repr=False)
    data: bytes = field(default=b"", repr=False)
    encoding: str = ""
    lossless: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Omission:
    """A file that was passed over, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Preload:
    """The answer: `tokens` is the exact count of `text` as a whole."""

    text: str
    tokens: int
    files: tuple[FileAnswer, ...]
    intent: StructuredIntent
    omitted: tuple[Omission, ...]
    metrics: tuple[LayerMetrics, ...]
    has_match: bool
    notices: tuple[str, ...]


def preload(request: PreloadRequest, options: PreloadOptions, *, clock: Callable[[], float]) -> Preload:
    """Return the context for a task, by the layers in their order.

    Files above the threshold are listed by falling score, at most `LISTED_FILES`, also those that got no room.
    """
    meter = Meter(clock)
    tree = meter.run(InputLayer(options), request)
    intent = meter.run(IntentLayer(), request)
    ranking = meter.run(RelevanceLayer(tree, request, options), intent)
    blocks = meter.run(CompressionLayer(tree, request, options, intent), ranking)
    blocks = meter.run(TerseLayer(), blocks)
    assembly = meter.run(DeliveryLayer(tree, request, intent, ranking), blocks)
    return Preload(
        text=assembly.text,
        tokens=assembly.tokens,
        files=tuple(_answer(block) for block in assembly.blocks),
        intent=intent,
        omitted=tuple(Omission(path, reason) for path, reason in tree.graph.index.skipped)
        + tuple(Omission(block.path, block.problem) for block in assembly.blocks if block.problem),
        metrics=tuple(meter.metrics),
        has_match=ranking.has_match,
        notices=tree.graph.notices,
    )


def _answer(block: Block) -> FileAnswer:
    rendering = block.rendering
    if rendering is None:
        return FileAnswer(block.path, block.score, block.budget_tokens, 0, "reference", ())
    source = source_of(block)
    return FileAnswer(
        block.path,
        block.score,
        block.budget_tokens,
        block.sent_tokens,
        _mode_of(block),
        rendering.shown,
        block.original_tokens,
        block.content_hash,
        rendering.content,
        block.data,
        source.encoding,
        source.lossless,
        source.note,
    )


def _mode_of(block: Block) -> str:
    assert block.rendering is not None, block.path
    return STUB_MODE if block.is_stub else block.rendering.mode.value


@dataclass(frozen=True, slots=True)
class Tree:
    """The input layer's result: the tree as it is now, and its history where there is one."""

    graph: ProjectGraph
    history: History | None


def _load(given: PreloadRequest, options: IndexOptions) -> ProjectGraph:
    return load_or_build(
        given.root, cache_directory=given.cache_directory, options=options, on_progress=given.on_progress
    )


@dataclass(frozen=True, slots=True)
class InputLayer:
    """From a directory to its graph and history."""

    options: PreloadOptions
    name: str = "input"

    def run(self, given: PreloadRequest) -> Tree:
        """Return the tree, current as of this call."""
        graph = (given.graph or partial(_load, given, self.options.index))()
        history = read_history(given.root, cache_directory=given.cache_directory, options=self.options.history)
        return Tree(graph, history)

    def weigh(self, given: PreloadRequest, result: Tree) -> Sequence[Weight]:  # noqa: ARG002
        """Return nothing: the tree is scanned, not read into the answer."""
        return (Weight(0, 0),)


@dataclass(frozen=True, slots=True)
class IntentLayer:
    """From the task's words to a structured intent."""

    name: str = "intent"

    def run(self, given: PreloadRequest) -> StructuredIntent:
        """Return the intent."""
        return parse_intent(given.task)

    def weigh(self, given: PreloadRequest, result: StructuredIntent) -> Sequence[Weight]:  # noqa: ARG002
        """Return the task's tokens; what comes out is no text."""
        return (Weight(count_tokens(given.task), 0),)


@dataclass(frozen=True, slots=True)
class RelevanceLayer:
    """From the intent to the files that matter."""

    tree: Tree
    request: PreloadRequest
    options: PreloadOptions
    name: str = "relevance"

    def run(self, given: StructuredIntent) -> Ranking:
        """Return the ranked files; the intent says which roles of files weigh more."""
        options = weigh_roles(self.options.relevance, confident_policy(given))
        return rank_files(self.tree.graph, self.request.task, history=self.tree.history, options=options)

    def weigh(self, given: StructuredIntent, result: Ranking) -> Sequence[Weight]:  # noqa: ARG002
        """Return nothing: ranking reads the index, not the files."""
        return (Weight(0, 0),)


@dataclass(frozen=True, slots=True)
class CompressionLayer:
    """From ranked files to rendered blocks within the budget."""

    tree: Tree
    request: PreloadRequest
    options: PreloadOptions
    intent: StructuredIntent
    name: str = "compression"

    def run(self, given: Ranking) -> RenderedFiles:
        """Return one block per ranked file; an intent that asks for structure gets signatures before bodies."""
        policy = confident_policy(self.intent)
        options = RenderingOptions(
            style=self.request.style,
            chunking=self.options.chunking,
            memory=self.request.cache_directory / "definitions",
            threads=self.options.index.threads,
            depth=self.request.depth,
            structure_first=policy is not None and policy.keeps_structure,
            spelling=self.options.spelling,
            error_lines_weight=error_weight(self.options.chunking, policy),
            held=self.request.held,
        )
        return render_within_budget(
            self.tree.graph,
            given,
            budget_tokens=self.request.usable_tokens,
            specificity=self.intent.specificity,
            budget_options=self.options.budget,
            dedup_options=self.options.dedup,
            options=options,
            place=place_by_role(self.tree.graph, policy, given),
        )

    def weigh(self, given: Ranking, result: RenderedFiles) -> Sequence[Weight]:  # noqa: ARG002
        """Return per mode and language what the shown files cost whole, and what is shown of them as it stands."""
        totals: dict[tuple[str, str], tuple[int, int]] = {}
        for block in result.blocks:
            if block.rendering is not None and block.source is not None:
                key = (_mode_of(block), block.source.language.name if block.source.language else "")
                whole, sent = totals.get(key, (0, 0))
                totals[key] = (whole + block.original_tokens, sent + block.sent_tokens + tokens_freed(block))
        return [Weight(whole, sent, *key) for key, (whole, sent) in sorted(totals.items())] or [Weight(0, 0)]


@dataclass(frozen=True, slots=True)
class DeliveryLayer:
    """From blocks to one text, never above the budget."""

    tree: Tree
    request: PreloadRequest
    intent: StructuredIntent
    ranking: Ranking
    name: str = "delivery"

    def run(self, given: RenderedFiles) -> Assembly:
        """Return the text and the blocks that stand in it."""
        notice = self._notice(has_files=bool(given.blocks))
        return assemble(
            given.blocks,
            anchor=given.anchor,
            style=self.request.style,
            budget_tokens=self.request.usable_tokens,
            notice=notice,
            place=place_by_role(self.tree.graph, confident_policy(self.intent), self.ranking),
        )

    def _notice(self, *, has_files: bool) -> str:
        """Return what the reader has to know about the choice of files; "" where they match."""
        if has_files:
            return "" if self.ranking.has_match else "No file matches the task; these are the hubs of the project.\n"
        if all(role == "binary" for role in self.tree.graph.index.roles):
            return "The project has no text file.\n"
        if self.ranking.has_match:
            return "Only binary files match the task: they have no text to show.\n"
        return "No file matches the task.\n"

    def weigh(self, given: RenderedFiles, result: Assembly) -> Sequence[Weight]:
        """Return the blocks counted alone, and the text as a whole."""
        return (Weight(sum(block.sent_tokens for block in given.blocks), result.tokens),)
