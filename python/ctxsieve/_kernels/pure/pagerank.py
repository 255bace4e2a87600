"""PageRank by block Gauss-Seidel sweeps; the twin of rust/kernels/src/pagerank.rs, which states the order."""

from array import array
from collections.abc import Sequence
from math import inf, isfinite

from ctxsieve._kernels.pure.buffers import Buffer, borrow_float64, read_float, read_integer
from ctxsieve._kernels.pure.csr import Csr, check_csr, check_weights

__all__ = ["pagerank"]

LANES = 8
BLOCK_ROWS = 256


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
    """Return the scores, how many sweeps ran, and the last relative L1 change."""
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
    arriving = _transpose(graph)
    rows_to_block = graph.nodes if damping == 1.0 else BLOCK_ROWS
    blocks = [order[start : start + rows_to_block] for start in range(0, graph.nodes, rows_to_block)]
    dangling = [node for node in order if row_sums[node] == 0.0]
    scores = list(jump)
    shares = [0.0 if row_sum == 0.0 else score / row_sum for score, row_sum in zip(scores, row_sums, strict=True)]
    mass = _add_lanes([scores[node] for node in order])
    iterations, residual = 0, inf
    while iterations < limit and residual > tolerance:
        jumping = 0.0
        for node in dangling:
            jumping += scores[node]
        base = (1.0 - damping) * mass + damping * jumping
        changes = []
        for block in blocks:
            sums = [_gather(arriving[node], shares) for node in block]
            for node, total in zip(block, sums, strict=True):
                score = damping * total + base * jump[node]
                changes.append(abs(score - scores[node]))
                scores[node] = score
                shares[node] = 0.0 if row_sums[node] == 0.0 else score / row_sums[node]
        mass = _add_lanes([scores[node] for node in order])
        residual = _add_lanes(changes) / mass
        iterations += 1
    return array("d", [score / mass for score in scores]), iterations, residual


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


def _transpose(graph: Csr) -> list[list[tuple[int, float]]]:
    """Return the source and weight of what arrives at each node, by ascending source, then position in the row."""
    indptr, indices, weights = graph
    arriving: list[list[tuple[int, float]]] = [[] for _ in range(graph.nodes)]
    for node in range(graph.nodes):
        begin, end = indptr[node], indptr[node + 1]
        for column, weight in zip(indices[begin:end], weights[begin:end], strict=True):
            arriving[column].append((node, weight))
    return arriving


def _gather(entries: Sequence[tuple[int, float]], shares: Sequence[float]) -> float:
    total = 0.0
    for node, weight in entries:
        total += weight * shares[node]
    return total


def _add_lanes(values: Sequence[float]) -> float:
    lanes = [0.0] * LANES
    for lane in range(LANES):
        total = 0.0
        for value in values[lane::LANES]:
            total += value
        lanes[lane] = total
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
