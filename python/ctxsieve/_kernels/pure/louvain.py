"""Communities by the Louvain method; the twin of rust/kernels/src/louvain, which states the rules."""

from array import array
from collections import deque
from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from ctxsieve._kernels.pure.buffers import Buffer, read_float
from ctxsieve._kernels.pure.csr import LARGEST_WEIGHT, SMALLEST_WEIGHT, Csr, check_csr

__all__ = ["louvain"]

SMALLEST_GAIN_RATIO = 1e-12
MOST_VISITS_PER_NODE = 100
MOST_ENTRIES_FOR_TWO_ORDERS = 1 << 17


def louvain(indptr: Buffer, indices: Buffer, weights: Buffer, *, resolution: float) -> "tuple[array[int], float, int]":
    """Return the community of each node, the modularity, and how many times the graph was aggregated."""
    resolution = read_float("resolution", resolution)
    graph = Csr.borrow(indptr, indices, weights)
    check_csr(graph)
    if not (resolution == 0.0 or SMALLEST_WEIGHT <= resolution <= LARGEST_WEIGHT):
        raise ValueError(f"resolution is {resolution!r}: it must be 0 or from 1e-100 to 1e+100")
    strengths = [graph.row_sum(node) for node in range(graph.nodes)]
    total = 0.0
    for strength in strengths:
        total += strength
    if total == 0.0:
        return array("I", range(graph.nodes)), 0.0, 0
    objective = _Objective(total, resolution, resolution / total)
    by_index = _solve(graph, strengths, objective, by_stride=False)
    if len(graph.indices) > MOST_ENTRIES_FOR_TWO_ORDERS:
        return by_index
    by_stride = _solve(graph, strengths, objective, by_stride=True)
    return by_stride if by_stride[1] > by_index[1] else by_index


class _Objective(NamedTuple):
    total: float
    resolution: float
    scale: float


def _solve(
    graph: Csr, strengths: Sequence[float], objective: _Objective, *, by_stride: bool
) -> "tuple[array[int], float, int]":
    labels = list(range(graph.nodes))
    levels = _agglomerate(graph, strengths, objective, labels, by_stride)
    _split_disconnected(graph, labels)
    return array("I", labels), _modularity(graph, strengths, objective, labels), levels


def _agglomerate(
    graph: Csr, strengths: Sequence[float], objective: _Objective, labels: list[int], by_stride: bool
) -> int:
    levels = 0
    level, level_strengths = graph, strengths
    while True:
        communities = list(range(level.nodes))
        _move_nodes(level, level_strengths, objective, communities, by_stride)
        count = _number_by_first_appearance(communities)
        if count == level.nodes:
            break
        labels[:] = [communities[label] for label in labels]
        levels += 1
        level = _aggregate(level, communities, count)
        level_strengths = [level.row_sum(node) for node in range(count)]
    if levels > 1:
        _move_nodes(graph, strengths, objective, labels, by_stride)
    _number_by_first_appearance(labels)
    return levels


def _move_nodes(
    level: Csr, strengths: Sequence[float], objective: _Objective, communities: list[int], by_stride: bool
) -> None:
    """Move nodes until no move gains or visits run out."""
    indptr, indices, weights = level
    totals = [0.0] * level.nodes
    for node, community in enumerate(communities):
        totals[community] += strengths[node]
    smallest_gain = SMALLEST_GAIN_RATIO * objective.total
    step = _stride(level.nodes) if by_stride else 1
    queue = deque(at * step % level.nodes for at in range(level.nodes))
    is_queued = bytearray(b"\1" * level.nodes)
    for _ in range(level.nodes * MOST_VISITS_PER_NODE):
        if not queue:
            break
        node = queue.popleft()
        is_queued[node] = 0
        columns = indices[indptr[node] : indptr[node + 1]]
        links: dict[int, float] = {}
        for column, weight in zip(columns, weights[indptr[node] : indptr[node + 1]], strict=True):
            if column != node and weight != 0.0:
                community = communities[column]
                links[community] = links.get(community, 0.0) + weight
        own = communities[node]
        totals[own] -= strengths[node]
        best = _best_community(links, own, objective.scale * strengths[node], smallest_gain, totals)
        totals[best] += strengths[node]
        if best == own:
            continue
        communities[node] = best
        for column in columns:
            if communities[column] != best and not is_queued[column]:
                is_queued[column] = 1
                queue.append(column)


def _stride(nodes: int) -> int:
    return next((step for step in range(nodes * 618 // 1000, nodes) if gcd(step, nodes) == 1), 1)


def _best_community(
    links: dict[int, float], own: int, scaled: float, smallest_gain: float, totals: Sequence[float]
) -> int:
    staying = links.get(own, 0.0) - scaled * totals[own]
    best, best_gain = own, -float("inf")
    for community, weight in links.items():
        if community == own:
            continue
        gain = weight - scaled * totals[community]
        if gain > best_gain or (gain == best_gain and community < best):
            best, best_gain = community, gain
    return best if best_gain > staying + smallest_gain else own


def _number_by_first_appearance(communities: list[int]) -> int:
    numbers: dict[int, int] = {}
    for at, community in enumerate(communities):
        communities[at] = numbers.setdefault(community, len(numbers))
    return len(numbers)


def _aggregate(level: Csr, communities: Sequence[int], count: int) -> Csr:
    """Make communities the nodes of a new graph; the entries of a row stand in the order they are met."""
    members: list[list[int]] = [[] for _ in range(count)]
    for node, community in enumerate(communities):
        members[community].append(node)
    indptr, indices, weights = [0], array("I"), array("d")
    for nodes in members:
        row: dict[int, float] = {}
        for node in nodes:
            begin, end = level.indptr[node], level.indptr[node + 1]
            for column, weight in zip(level.indices[begin:end], level.weights[begin:end], strict=True):
                other = communities[column]
                row[other] = row[other] + weight if other in row else weight
        indices.extend(row)
        weights.extend(row.values())
        indptr.append(len(indices))
    return Csr(indptr, indices, weights)


def _split_disconnected(graph: Csr, labels: list[int]) -> None:
    """Give the components of each community labels of their own, by first appearance."""
    parents = list(range(len(labels)))

    def root(node: int) -> int:
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    for node, label in enumerate(labels):
        for at in range(graph.indptr[node], graph.indptr[node + 1]):
            column = graph.indices[at]
            if labels[column] == label and graph.weights[at] > 0.0:
                one, other = root(node), root(column)
                parents[max(one, other)] = min(one, other)
    labels[:] = [root(node) for node in range(len(labels))]
    _number_by_first_appearance(labels)


def _modularity(graph: Csr, strengths: Sequence[float], objective: _Objective, labels: Sequence[int]) -> float:
    count = max(labels, default=-1) + 1
    inside, totals = [0.0] * count, [0.0] * count
    for node, own in enumerate(labels):
        totals[own] += strengths[node]
        for at in range(graph.indptr[node], graph.indptr[node + 1]):
            if labels[graph.indices[at]] == own:
                inside[own] += graph.weights[at]
    result = 0.0
    for inner, outer in zip(inside, totals, strict=True):
        share = outer / objective.total
        result += inner / objective.total - objective.resolution * (share * share)
    return result
