"""The pure ranking kernels with numpy results, as the native ones return them."""

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from ctxsieve._kernels import pure
from ctxsieve._kernels.pure.buffers import Buffer

__all__ = ["HeatGraph", "build_csr", "heat", "louvain", "mmr", "mmr_in_order", "pagerank", "rrf", "surprise"]

Floats = NDArray[numpy.float64]


def heat(indptr: Buffer, indices: Buffer, weights: Buffer, *, seeds: Buffer, decay_factors: Buffer) -> Floats:
    """Return the diffused heat of each node."""
    return _array(pure.heat(indptr, indices, weights, seeds=seeds, decay_factors=decay_factors))


class HeatGraph(pure.HeatGraph):
    """A graph prepared for many diffusions."""

    def diffuse(  # type: ignore[override]  # arrays of numpy, as the native graph returns
        self,
        *,
        seeds: Buffer,
        decay_factors: Buffer,
        communities: Buffer | None = None,
        inside_factor: float = 1.0,
    ) -> Floats:
        """Return the diffused heat of each node."""
        return _array(
            super().diffuse(
                seeds=seeds, decay_factors=decay_factors, communities=communities, inside_factor=inside_factor
            )
        )


def build_csr(
    nodes: int, sources: Buffer, targets: Buffer, weights: Buffer, *, both_ways: bool, loop_weight: float
) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32], Floats]:
    """Return (indptr, indices, weights) of a list of edges."""
    indptr, indices, summed = pure.build_csr(
        nodes, sources, targets, weights, both_ways=both_ways, loop_weight=loop_weight
    )
    return _array(indptr), _array(indices), _array(summed)


def pagerank(
    indptr: Buffer,
    indices: Buffer,
    weights: Buffer,
    *,
    personalisation: Buffer | None,
    damping: float,
    tolerance: float,
    max_iterations: int,
) -> tuple[Floats, int, float]:
    """Return the scores, the number of iterations and the last L1 change."""
    scores, iterations, residual = pure.pagerank(
        indptr,
        indices,
        weights,
        personalisation=personalisation,
        damping=damping,
        tolerance=tolerance,
        max_iterations=max_iterations,
    )
    return _array(scores), iterations, residual


def louvain(
    indptr: Buffer, indices: Buffer, weights: Buffer, *, resolution: float
) -> tuple[NDArray[numpy.uint32], float, int]:
    """Return the community of each node, the modularity and the number of levels."""
    labels, modularity, levels = pure.louvain(indptr, indices, weights, resolution=resolution)
    return _array(labels), modularity, levels


def rrf(signals: Sequence[Buffer], *, largest_first: Sequence[bool], k: float) -> Floats:
    """Return the fused score of each entry."""
    return _array(pure.rrf(signals, largest_first=largest_first, k=k))


def surprise(costs: Buffer, offsets: Buffer, *, units_per_bit: float) -> Floats:
    """Return the mean bits of each line."""
    return _array(pure.surprise(costs, offsets, units_per_bit=units_per_bit))


def mmr(
    text: Buffer, offsets: Buffer, *, relevance: Buffer, lambda_: float, max_selected: int
) -> tuple[NDArray[numpy.uint8], NDArray[numpy.int64], Floats]:
    """Return the status, the nearest selected line and the similarity with it, for each line."""
    statuses, nearest, similarities = pure.mmr(
        text, offsets, relevance=relevance, lambda_=lambda_, max_selected=max_selected
    )
    return _array(statuses), _array(nearest), _array(similarities)


def mmr_in_order(
    text: Buffer, offsets: Buffer, *, relevance: Buffer, lambda_: float
) -> tuple[NDArray[numpy.uint8], NDArray[numpy.int64], Floats]:
    """Return the status and, for suppressed lines, the nearest kept line before and the similarity with it."""
    statuses, nearest, similarities = pure.mmr_in_order(text, offsets, relevance=relevance, lambda_=lambda_)
    return _array(statuses), _array(nearest), _array(similarities)


def _array(values: Any) -> NDArray[Any]:
    return numpy.asarray(values)
