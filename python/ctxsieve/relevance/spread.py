"""Heat diffusion and PageRank over the import graph, from the seeds (docs/relevance.md)."""

import numpy as np
import numpy.typing as npt

from ctxsieve import _kernels
from ctxsieve.relevance.options import RelevanceOptions
from ctxsieve.values import dataclass

__all__ = ["EdgeList", "SpreadGraph", "SpreadScores", "prepare_spread", "rank_hubs", "scale_to_one", "spread_relevance"]

_HOPS = 4
_COMMUNITY_HOPS = 2
_TOLERANCE = 1e-6
_MOST_ITERATIONS = 100


@dataclass(frozen=True, slots=True)
class EdgeList:
    """Edges importer -> imported, with weights above 0."""

    n_documents: int
    sources: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SpreadScores:
    """Heat and PageRank by document, each scaled to a maximum of 1."""

    heat: npt.NDArray[np.float64]
    pagerank: npt.NDArray[np.float64]


def scale_to_one(values: npt.NDArray[np.float64], *, at_least: float = 0.0) -> npt.NDArray[np.float64]:
    """Return the values divided by the largest, or by `at_least` where that is more; zeros stay zeros."""
    largest = max(float(values.max()), at_least) if len(values) else 0.0
    return values / largest if largest > 0 else values


def _to_csr(
    edges: EdgeList, weights: npt.NDArray[np.float64], *, both_ways: bool, loop_weight: float
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
    """Return (indptr, indices, weights); every file also has an edge of `loop_weight` to itself."""
    arrays = map(np.ascontiguousarray, (edges.sources, edges.targets, weights))
    return _kernels.build_csr(edges.n_documents, *arrays, both_ways=both_ways, loop_weight=loop_weight)


@dataclass(frozen=True, slots=True)
class SpreadGraph:
    """Edges as heat and PageRank see them, prepared for any number of tasks.

    `weights` are those of the edges, edges to hubs weighing less; `leads` says which weigh as much as before.
    """

    edges: EdgeList
    weights: npt.NDArray[np.float64]
    leads: npt.NDArray[np.bool_]
    heat: _kernels.HeatGraph


def prepare_spread(edges: EdgeList, options: RelevanceOptions) -> SpreadGraph:
    """Return the graph of the edges; of the options only `hub_importers` and `heat_retention` count.

    Every file also has an edge to itself, so that it keeps most of what it has: without, hubs drain their neighbours
    and crowd out the matches.
    """
    importers = np.bincount(edges.targets, minlength=edges.n_documents)
    weights = edges.weights * np.minimum(1.0, options.hub_importers / np.maximum(importers, 1))[edges.targets]
    rows = _to_csr(edges, weights, both_ways=True, loop_weight=options.heat_retention)
    return SpreadGraph(edges, weights, weights == edges.weights, _kernels.HeatGraph(*rows))


def _find_communities(
    graph: SpreadGraph, seeds: npt.NDArray[np.float64], options: RelevanceOptions
) -> npt.NDArray[np.int64]:
    """Return the community of each file, -1 for none; none are looked for where they make no difference.

    Communities are found among the seeds and what is at most two edges away, not counting edges to hubs: the heat of
    the rest hardly counts, and a whole large tree would take longer than the ranking.
    """
    edges, is_near = graph.edges, seeds > 0
    communities = np.full(edges.n_documents, -1, dtype=np.int64)
    if options.community == 1.0:
        return communities
    for _ in range(_COMMUNITY_HOPS):
        touched = graph.leads & (is_near[edges.sources] | is_near[edges.targets])
        is_near[edges.sources[touched]] = True
        is_near[edges.targets[touched]] = True
    chosen = is_near[edges.sources] & is_near[edges.targets] & (edges.sources != edges.targets)
    if not chosen.any():
        return communities
    number = np.cumsum(is_near) - 1
    sources, targets = number[edges.sources[chosen]], number[edges.targets[chosen]]
    near = EdgeList(int(is_near.sum()), sources, targets, graph.weights[chosen])
    labels, _, _ = _kernels.louvain(*_to_csr(near, near.weights, both_ways=True, loop_weight=0.0), resolution=1.0)
    communities[is_near] = labels
    return communities


def spread_relevance(graph: SpreadGraph, seeds: npt.NDArray[np.float64], options: RelevanceOptions) -> SpreadScores:
    """Return h = sum over d = 0..4 of exp(-alpha d) P^d s, and PageRank with its teleport at the seeds.

    Edges inside a community weigh `options.community` times as much. Seeds must be scaled to a maximum of 1; without
    any seed PageRank is uniform.
    """
    edges, seeds = graph.edges, np.ascontiguousarray(seeds)
    communities = _find_communities(graph, seeds, options)
    heat = graph.heat.diffuse(
        seeds=seeds,
        decay_factors=np.exp(-options.alpha * np.arange(_HOPS + 1)),
        communities=communities,
        inside_factor=options.community,
    )
    of_source = communities[edges.sources]
    is_inside = (of_source >= 0) & (of_source == communities[edges.targets]) & (edges.sources != edges.targets)
    weights = graph.weights * np.where(is_inside, options.community, 1.0)
    pagerank, _, _ = _kernels.pagerank(
        *_to_csr(edges, weights, both_ways=False, loop_weight=options.pagerank_retention),
        personalisation=seeds if seeds.any() else None,
        damping=options.damping,
        tolerance=_TOLERANCE,
        max_iterations=_MOST_ITERATIONS,
    )
    return SpreadScores(scale_to_one(heat), scale_to_one(pagerank))


def rank_hubs(edges: EdgeList, options: RelevanceOptions) -> npt.NDArray[np.float64]:
    """Return the uniform PageRank by document, scaled to a maximum of 1."""
    pagerank, _, _ = _kernels.pagerank(
        *_to_csr(edges, edges.weights, both_ways=False, loop_weight=0.0),
        personalisation=None,
        damping=options.damping,
        tolerance=_TOLERANCE,
        max_iterations=_MOST_ITERATIONS,
    )
    return scale_to_one(pagerank)
