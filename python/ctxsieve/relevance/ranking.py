"""Ranks the files of a project for a task: seeds, then heat and PageRank, then the threshold (docs/relevance.md)."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ctxsieve.graph import EDGE_WEIGHTS, ProjectGraph
from ctxsieve.languages import EdgeKind
from ctxsieve.relevance.commits import place_history
from ctxsieve.relevance.history import History
from ctxsieve.relevance.lexical import select_terms
from ctxsieve.relevance.options import LineOptions, RelevanceOptions
from ctxsieve.relevance.seeds import Seeds, plant_seeds
from ctxsieve.relevance.spread import EdgeList, SpreadGraph, prepare_spread, rank_hubs, scale_to_one, spread_relevance
from ctxsieve.relevance.terms import TaskTerms, Term, parse_task
from ctxsieve.values import dataclass, field

__all__ = ["Explanation", "RankedFile", "Ranking", "rank_files"]

_MOST_TERMS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file with its final score in 0..1."""

    document: int
    path: str
    score: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a file ranks where it does.

    score = heat_share * heat + (1 - heat_share) * pagerank. `signals` are the parts of the seed and add up to `seed`;
    heat and PageRank start from its `seed_power`. `terms` are the words that gave most of the `words` signal, with what
    each added to the unscaled word score.
    """

    path: str
    score: float
    heat: float
    pagerank: float
    seed: float
    signals: Mapping[str, float]
    terms: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Files above the threshold, by falling score, ties to the smaller path.

    `has_match` is False where nothing in the project fits the task; the files are then its hubs. `terms` are what was
    searched for with their weight times rarity, `traced_lines` the lines that stack frames of the task name.
    """

    files: tuple[RankedFile, ...]
    has_match: bool
    task: TaskTerms
    terms: tuple[Term, ...]
    term_weights: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]
    traced_lines: Mapping[int, tuple[int, ...]]
    _heat: npt.NDArray[np.float64]
    _pagerank: npt.NDArray[np.float64]
    _seeds: Seeds | None
    _paths: tuple[str, ...] | object
    lines: LineOptions = field(default_factory=LineOptions)

    def explain(self, document: int) -> Explanation:
        """Return the signals of one document."""
        path: str = self._paths[document]  # type: ignore[index]
        score, heat, pagerank = (float(values[document]) for values in (self.scores, self._heat, self._pagerank))
        if self._seeds is None:
            return Explanation(path, score, heat, pagerank, 0.0, {}, ())
        signals = {name: float(values[document]) for name, values in self._seeds.signals.items()}
        shares = []
        for term, (documents, added) in zip(self.terms, self._seeds.words.contributions, strict=True):
            position = int(np.searchsorted(documents, document))
            if position < len(documents) and documents[position] == document:
                shares.append((term.text, float(added[position])))
        shares.sort(key=lambda share: (-share[1], share[0]))
        seed = float(self._seeds.total[document])
        return Explanation(path, score, heat, pagerank, seed, signals, tuple(shares[:_MOST_TERMS_SHOWN]))


def rank_files(
    graph: ProjectGraph,
    task: TaskTerms | str,
    *,
    history: History | None = None,
    options: RelevanceOptions | None = None,
) -> Ranking:
    """Return the files that matter to a task.

    Deterministic: only scan facts, the history up to HEAD and the task count. Cost: linear in the postings of the
    task's terms, the edges and the paths.
    """
    options = options or RelevanceOptions()
    task = parse_task(task, weights=options.terms) if isinstance(task, str) else task
    index = graph.index
    roles = index.roles
    edges, tests = _split_edges(graph)
    terms = select_terms(index, task.terms, limit=options.max_terms)
    changes = place_history(history, index.paths) if history is not None and len(history) else None
    seeds = plant_seeds(index, task, terms, roles=roles, changes=changes, tests=tests, options=options)
    if not seeds.total.any():
        return _hubs(graph, edges, task, terms, seeds, options)
    start = np.where(seeds.total >= options.least_seed, seeds.total, 0.0) ** options.seed_power
    spread = spread_relevance(_prepared(graph, edges, options), start, options)
    scores = options.heat_share * spread.heat + (1.0 - options.heat_share) * spread.pagerank
    files = _above_threshold(scores, index.paths, options.threshold)
    return Ranking(
        files, True, task, terms, seeds.words.term_weights, scores, seeds.traced_lines,
        spread.heat, spread.pagerank, seeds, index.paths, options.lines,
    )  # fmt: skip


def _split_edges(graph: ProjectGraph) -> tuple[EdgeList, EdgeList]:
    """Return all edges with the weights of their kinds, and those from tests to what they test."""
    found = graph.edges
    weight_of = np.array([EDGE_WEIGHTS[kind] for kind in EdgeKind])
    sources, targets = found.source.astype(np.int64), found.target.astype(np.int64)
    everything = EdgeList(len(graph.index), sources, targets, weight_of[found.kind])
    of_test = found.kind == EdgeKind.TEST_OF
    tests = EdgeList(len(graph.index), sources[of_test], targets[of_test], np.ones(int(of_test.sum())))
    return everything, tests


def _prepared(graph: ProjectGraph, edges: EdgeList, options: RelevanceOptions) -> SpreadGraph:
    """Return what the last task on these edges prepared, where its options made the same of them."""
    made_with = (options.hub_importers, options.heat_retention)
    kept = graph.edges.prepared.get("spread")
    if kept is None or kept[0] != made_with:
        kept = graph.edges.prepared["spread"] = (made_with, prepare_spread(edges, options))
    spread_graph: SpreadGraph = kept[1]
    return spread_graph


def _above_threshold(scores: npt.NDArray[np.float64], paths: object, threshold: float) -> tuple[RankedFile, ...]:
    top = float(scores.max()) if len(scores) else 0.0
    chosen = np.flatnonzero((scores >= threshold * top) & (scores > 0))
    order = chosen[np.argsort(-scores[chosen], kind="stable")]
    return tuple(
        RankedFile(document, paths[document], float(scores[document]))  # type: ignore[index]
        for document in order.tolist()
    )


def _hubs(
    graph: ProjectGraph,
    edges: EdgeList,
    task: TaskTerms,
    terms: tuple[Term, ...],
    seeds: Seeds,
    options: RelevanceOptions,
) -> Ranking:
    """Return the files of text that most others rest on: the answer to a task that nothing matches."""
    index = graph.index
    is_source = np.array([role == "source" for role in index.roles], dtype=bool)
    is_text = np.array([role != "binary" for role in index.roles], dtype=bool)
    pagerank = rank_hubs(edges, options) * is_text if len(index) else np.zeros(0)
    pagerank = scale_to_one(pagerank * is_source) if is_source.any() else pagerank
    files = _above_threshold(pagerank, index.paths, 0.0)[: options.hubs]
    return Ranking(
        files, False, task, terms, seeds.words.term_weights, pagerank, {},
        np.zeros(len(pagerank)), pagerank, None, index.paths, options.lines,
    )  # fmt: skip
