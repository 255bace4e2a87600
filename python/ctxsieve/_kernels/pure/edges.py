"""Rows of a graph from a list of its edges; the twin of rust/kernels/src/edges.rs."""

from array import array
from collections.abc import Sequence

from ctxsieve._kernels.pure.buffers import Buffer, borrow_float64, borrow_int64, read_flag, read_float, read_integer
from ctxsieve._kernels.pure.csr import MOST_NODES, check_weights

__all__ = ["build_csr"]


def build_csr(
    nodes: int, sources: Buffer, targets: Buffer, weights: Buffer, *, both_ways: bool, loop_weight: float
) -> tuple["array[int]", "array[int]", "array[float]"]:
    """Return (indptr, indices, weights) with columns ascending and entries of one place added up.

    `both_ways` adds each edge from its target to its source as well; a `loop_weight` above 0 adds an edge of that
    weight from every node to itself. Order of the sums: edges as listed, the other way as listed, the loop.
    """
    both_ways = read_flag("both_ways", both_ways)
    loop_weight = read_float("loop_weight", loop_weight)
    nodes = read_integer("nodes", nodes, 0, MOST_NODES)
    begins, ends = borrow_int64("sources", sources), borrow_int64("targets", targets)
    values = borrow_float64("weights", weights)
    _check(nodes, begins, ends, values, loop_weight)
    rows: list[dict[int, float]] = [{} for _ in range(nodes)]
    for source, target, weight in zip(begins, ends, values, strict=True):
        rows[source][target] = rows[source].get(target, 0.0) + weight
    if both_ways:
        _add_backward(rows, begins, ends, values)
    if loop_weight > 0:
        for node, row in enumerate(rows):
            row[node] = row.get(node, 0.0) + loop_weight
    indptr, indices, summed = array("q", [0]), array("I"), array("d")
    for row in rows:
        columns = sorted(row)
        indices.extend(columns)
        summed.extend([row[column] for column in columns])
        indptr.append(len(indices))
    return indptr, indices, summed


def _add_backward(
    rows: list[dict[int, float]], begins: Sequence[int], ends: Sequence[int], values: Sequence[float]
) -> None:
    for source, target, weight in zip(begins, ends, values, strict=True):
        rows[target][source] = rows[target].get(source, 0.0) + weight


def _check(nodes: int, begins: Sequence[int], ends: Sequence[int], values: Sequence[float], loop_weight: float) -> None:
    for name, length in (("targets", len(ends)), ("weights", len(values))):
        if length != len(begins):
            raise ValueError(f"there are {length} {name} for {len(begins)} sources: they must be equal in number")
    for name, numbers in (("sources", begins), ("targets", ends)):
        for at, node in enumerate(numbers):
            if not 0 <= node < nodes:
                raise ValueError(
                    f"{name}[{at}] is {node}: it must be 0 or more and less than the number of nodes, {nodes}"
                )
    check_weights("weights", values)
    check_weights("loop_weight", [loop_weight])
