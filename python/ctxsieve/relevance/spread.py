"""Heat diffusion and PageRank over the import graph, from the seeds (docs/relevance.md)."""

import numpy as np
import numpy.typing as npt

from ctxsieve import _kernels
from ctxsieve.relevance.options import RelevanceOptions
from ctxsieve.values import dataclass

__all__ = ["EdgeList", "SpreadScores", "rank_hubs", "scale_to_one", "spread_relevance"]

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


def _community_factors(
    edges: EdgeList, weights: npt.NDArray[np.float64], seeds: npt.NDArray[np.float64], factor: float
) -> npt.NDArray[np.float64]:
    """Return `factor` for edges inside a community, 1 for others.

    Communities are found among the seeds and what is at most two edges away, not counting edges to hubs: the heat of
    the rest hardly counts, and a whole large tree would take longer than the ranking.
    """
    is_near = seeds > 0
    leads = weights == edges.weights
    for _ in range(_COMMUNITY_HOPS):
        touched = leads & (is_near[edges.sources] | is_near[edges.targets])
        is_near[edges.sources[touched]] = True
        is_near[edges.targets[touched]] = True
    chosen = is_near[edges.sources] & is_near[edges.targets] & (edges.sources != edges.targets)
    factors = np.ones(len(weights))
    if factor == 1.0 or not chosen.any():
        return factors
    number = np.cumsum(is_near) - 1
    sources, targets = number[edges.sources[chosen]], number[edges.targets[chosen]]
    near = EdgeList(int(is_near.sum()), sources, targets, weights[chosen])
    labels, _, _ = _kernels.louvain(*_to_csr(near, near.weights, both_ways=True, loop_weight=0.0), resolution=1.0)
    factors[np.flatnonzero(chosen)[labels[sources] == labels[targets]]] = factor
    return factors


def spread_relevance(edges: EdgeList, seeds: npt.NDArray[np.float64], options: RelevanceOptions) -> SpreadScores:
    """Return h = sum over d = 0..4 of exp(-alpha d) P^d s, and PageRank with its teleport at the seeds.

    Every file also has an edge to itself, so that it keeps most of what it has: without, hubs drain their neighbours
    and crowd out the matches. Seeds must be scaled to a maximum of 1; without any seed PageRank is uniform.
    """
    n = edges.n_documents
    importers = np.bincount(edges.targets, minlength=n)
    weights = edges.weights * np.minimum(1.0, options.hub_importers / np.maximum(importers, 1))[edges.targets]
    weights = weights * _community_factors(edges, weights, seeds, options.community)
    decay = np.exp(-options.alpha * np.arange(_HOPS + 1))
    both_ways = _to_csr(edges, weights, both_ways=True, loop_weight=options.heat_retention)
    heat = _kernels.heat(*both_ways, seeds=np.ascontiguousarray(seeds), decay_factors=decay)
    pagerank, _, _ = _kernels.pagerank(
        *_to_csr(edges, weights, both_ways=False, loop_weight=options.pagerank_retention),
        personalisation=np.ascontiguousarray(seeds) if seeds.any() else None,
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
