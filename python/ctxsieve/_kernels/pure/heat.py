"""Seeded heat diffusion; the twin of rust/kernels/src/heat.rs, which states the order of the sums."""

from array import array
from collections.abc import Sequence

from ctxsieve._kernels.pure.buffers import Buffer, borrow_float64
from ctxsieve._kernels.pure.csr import Csr, check_csr, check_weights

__all__ = ["check_diffusion", "heat", "sum_hops"]


def heat(indptr: Buffer, indices: Buffer, weights: Buffer, *, seeds: Buffer, decay_factors: Buffer) -> "array[float]":
    """Return `sum over d of decay_factors[d] * P^d * seeds`, with P the column-stochastic weights."""
    graph = Csr.borrow(indptr, indices, weights)
    temperatures: Sequence[float] = borrow_float64("seeds", seeds)
    factors = borrow_float64("decay_factors", decay_factors)
    check_csr(graph)
    check_diffusion(graph, temperatures, factors)
    return sum_hops(graph, temperatures, factors, {})


def check_diffusion(graph: Csr, temperatures: Sequence[float], factors: Sequence[float]) -> None:
    """Raise ValueError for what a diffusion cannot start from."""
    if len(temperatures) != graph.nodes:
        raise ValueError(f"there are {len(temperatures)} seeds for {graph.nodes} nodes: they must be equal in number")
    if not len(factors):
        raise ValueError("decay_factors is empty: it must hold the factor of hop 0 at least")
    check_weights("seeds", temperatures)
    check_weights("decay_factors", factors)


def sum_hops(
    graph: Csr, temperatures: Sequence[float], factors: Sequence[float], row_sums: dict[int, float]
) -> "array[float]":
    """Return the heat after all hops; sums of rows are taken from `row_sums`, or put there."""
    total = array("d", [factors[0] * seed for seed in temperatures])
    for factor in factors[1:]:
        temperatures = _hop(graph, temperatures, row_sums)
        for node, value in enumerate(temperatures):
            total[node] += factor * value
    return total


def _hop(graph: Csr, temperatures: Sequence[float], row_sums: dict[int, float]) -> list[float]:
    indptr, indices, weights = graph
    arriving = [0.0] * graph.nodes
    for node, value in enumerate(temperatures):
        if value == 0.0:
            continue
        row_sum = row_sums.get(node)
        if row_sum is None:
            row_sum = row_sums[node] = graph.row_sum(node)
        if row_sum == 0.0:
            continue
        share = value / row_sum
        begin, end = indptr[node], indptr[node + 1]
        for column, weight in zip(indices[begin:end], weights[begin:end], strict=True):
            arriving[column] += weight * share
    return arriving
