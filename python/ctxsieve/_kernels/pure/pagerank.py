"""PageRank by power iteration; the twin of rust/kernels/src/pagerank.rs, which states the order of the sums."""

from array import array
from collections.abc import Sequence
from math import inf, isfinite

from ctxsieve._kernels.pure.buffers import Buffer, borrow_float64, read_float, read_integer
from ctxsieve._kernels.pure.csr import Csr, check_csr, check_weights

__all__ = ["pagerank"]

LANES = 8


def pagerank(
    indptr: Buffer,
    indices: Buffer,
    weights: Buffer,
    *,
    personalisation: Buffer | None,
    damping: float,
    tolerance: float,
    max_iterations: int,
) -> "tuple[array[float], int, float]":
    """Return the scores, how many iterations ran, and the last L1 change."""
    damping, tolerance = read_float("damping", damping), read_float("tolerance", tolerance)
    graph = Csr.borrow(indptr, indices, weights)
    jumps = None if personalisation is None else borrow_float64("personalisation", personalisation)
    limit = read_integer("max_iterations", max_iterations, 1, 2**31 - 1)
    check_csr(graph)
    _check_parameters(graph.nodes, jumps, damping, tolerance)
    if graph.nodes == 0:
        return array("d"), 0, 0.0
    order = _order_by_in_degree(graph)
    jump = _scale_jumps(graph.nodes, jumps)
    row_sums = [graph.row_sum(node) for node in range(graph.nodes)]
    dangling = [node for node in order if row_sums[node] == 0.0]
    scores = list(jump)
    iterations, residual = 0, inf
    while iterations < limit and residual > tolerance:
        jumping = 0.0
        for node in dangling:
            jumping += scores[node]
        base = (1.0 - damping) + damping * jumping
        arriving = _push(graph, scores, row_sums)
        moved = [damping * arrival + base * target for arrival, target in zip(arriving, jump, strict=True)]
        residual = _distance([abs(moved[node] - scores[node]) for node in order])
        scores = moved
        iterations += 1
    return array("d", scores), iterations, residual


def _check_parameters(nodes: int, jumps: Sequence[float] | None, damping: float, tolerance: float) -> None:
    if jumps is not None:
        if len(jumps) != nodes:
            raise ValueError(
                f"there are {len(jumps)} personalisation values for {nodes} nodes: they must be equal in number"
            )
        check_weights("personalisation", jumps)
    if not 0.0 <= damping <= 1.0:
        raise ValueError(f"damping is {damping!r}: it must be from 0 to 1")
    if not (isfinite(tolerance) and tolerance >= 0.0):
        raise ValueError(f"tolerance is {tolerance!r}: it must be a finite number of at least 0")


def _order_by_in_degree(graph: Csr) -> list[int]:
    degrees = [0] * graph.nodes
    for column in graph.indices:
        degrees[column] += 1
    return sorted(range(graph.nodes), key=lambda node: -degrees[node])


def _scale_jumps(nodes: int, jumps: Sequence[float] | None) -> list[float]:
    if jumps is None:
        return [1.0 / nodes] * nodes
    total = 0.0
    for value in jumps:
        total += value
    if total == 0.0:
        raise ValueError("personalisation sums to 0: it must hold a value above 0")
    return [value / total for value in jumps]


def _push(graph: Csr, scores: Sequence[float], row_sums: Sequence[float]) -> list[float]:
    """Return what arrives at each node: pushing by ascending source is the order of pulling."""
    indptr, indices, weights = graph
    arriving = [0.0] * graph.nodes
    for node, score in enumerate(scores):
        begin, end = indptr[node], indptr[node + 1]
        if row_sums[node] == 0.0:
            continue
        share = score / row_sums[node]
        for column, weight in zip(indices[begin:end], weights[begin:end], strict=True):
            arriving[column] += weight * share
    return arriving


def _distance(changes: Sequence[float]) -> float:
    lanes = [0.0] * LANES
    for lane in range(LANES):
        total = 0.0
        for change in changes[lane::LANES]:
            total += change
        lanes[lane] = total
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
