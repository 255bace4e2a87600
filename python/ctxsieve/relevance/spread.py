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
    n: int, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64], values: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
    """Return (indptr, indices, weights) sorted by row and column, entries of one place added up."""
    order = np.argsort(rows * n + columns, kind="stable")
    rows, columns, values = rows[order], columns[order], values[order]
    is_first = np.ones(len(rows), dtype=bool)
    is_first[1:] = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
    firsts = np.flatnonzero(is_first)
    summed = np.bincount(np.cumsum(is_first) - 1, weights=values, minlength=len(firsts)) if len(rows) else values
    counts = np.bincount(rows[firsts], minlength=n)
    indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)))
    return indptr, columns[firsts].astype(np.uint32), summed.astype(np.float64)


def _add_retention(
    n: int,
    rows: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    values: npt.NDArray[np.float64],
    retention: float,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Add an edge of weight `retention` from each node to itself."""
    nodes = np.arange(n if retention > 0 else 0, dtype=np.int64)
    return (
        np.concatenate((rows, nodes)),
        np.concatenate((columns, nodes)),
        np.concatenate((values, np.full(len(nodes), retention))),
    )


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
    n = int(is_near.sum())
    both = np.concatenate((weights[chosen], weights[chosen]))
    rows, columns = np.concatenate((sources, targets)), np.concatenate((targets, sources))
    labels, _, _ = _kernels.louvain(*_to_csr(n, rows, columns, both), resolution=1.0)
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
    there = (edges.sources, edges.targets, weights)
    rows = np.concatenate((edges.sources, edges.targets))
    columns = np.concatenate((edges.targets, edges.sources))
    both = _add_retention(n, rows, columns, np.concatenate((weights, weights)), options.heat_retention)
    decay = np.exp(-options.alpha * np.arange(_HOPS + 1))
    heat = _kernels.heat(*_to_csr(n, *both), seeds=np.ascontiguousarray(seeds), decay_factors=decay)
    kept = _add_retention(n, *there, options.pagerank_retention)
    pagerank, _, _ = _kernels.pagerank(
        *_to_csr(n, *kept),
        personalisation=np.ascontiguousarray(seeds) if seeds.any() else None,
        damping=options.damping,
        tolerance=_TOLERANCE,
        max_iterations=_MOST_ITERATIONS,
    )
    return SpreadScores(scale_to_one(heat), scale_to_one(pagerank))


def rank_hubs(edges: EdgeList, options: RelevanceOptions) -> npt.NDArray[np.float64]:
    """Return the uniform PageRank by document, scaled to a maximum of 1."""
    pagerank, _, _ = _kernels.pagerank(
        *_to_csr(edges.n_documents, edges.sources, edges.targets, edges.weights),
        personalisation=None,
        damping=options.damping,
        tolerance=_TOLERANCE,
        max_iterations=_MOST_ITERATIONS,
    )
    return scale_to_one(pagerank)
