"""Graphs as compressed sparse rows, checked with the texts of the native core."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ctxsieve._kernels.pure.buffers import Buffer, borrow_float64, borrow_int64, borrow_uint32

__all__ = ["Csr", "check_csr", "check_weights"]

MOST_NODES = 2**31 - 2
SMALLEST_WEIGHT = 1e-100
LARGEST_WEIGHT = 1e100


class Csr(NamedTuple):
    """A graph: the entries of row `i` stand at `indptr[i]` up to `indptr[i + 1]`."""

    indptr: Sequence[int]
    indices: Sequence[int]
    weights: Sequence[float]

    @classmethod
    def borrow(cls, indptr: Buffer, indices: Buffer, weights: Buffer) -> "Csr":
        """Return unchecked views, after the types are checked."""
        return cls(
            borrow_int64("indptr", indptr), borrow_uint32("indices", indices), borrow_float64("weights", weights)
        )

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.indptr) - 1

    def row_sum(self, node: int) -> float:
        """Return the weights of a row, added in four interleaved partial sums as the native core adds them."""
        sums = [0.0, 0.0, 0.0, 0.0]
        for at, weight in enumerate(self.weights[self.indptr[node] : self.indptr[node + 1]]):
            sums[at & 3] += weight
        return (sums[0] + sums[1]) + (sums[2] + sums[3])


def check_csr(graph: Csr) -> None:
    """Raise ValueError for the first position that breaks the format."""
    _check_indptr(graph.indptr, len(graph.indices))
    nodes = graph.nodes
    if len(graph.weights) != len(graph.indices):
        raise ValueError(
            f"there are {len(graph.weights)} weights for {len(graph.indices)} indices: they must be equal in number"
        )
    if len(graph.indices) and max(graph.indices) >= nodes:
        position = next(at for at, node in enumerate(graph.indices) if node >= nodes)
        raise ValueError(
            f"indices[{position}] is {graph.indices[position]}: it must be less than the number of nodes, {nodes}"
        )
    check_weights("weights", graph.weights)


def _check_indptr(indptr: Sequence[int], entries: int) -> None:
    if not len(indptr):
        raise ValueError("indptr is empty: it must hold one entry more than there are nodes")
    nodes = len(indptr) - 1
    if nodes > MOST_NODES:
        raise ValueError(f"indptr declares {nodes} nodes: it must declare at most {MOST_NODES}")
    if indptr[0] != 0:
        raise ValueError(f"indptr[0] is {indptr[0]}: it must be 0")
    for at, (one, following) in enumerate(pairwise(indptr), 1):
        if following < one:
            raise ValueError(f"indptr[{at}] is {following}: it must not be less than the {one} before it")
    if indptr[nodes] != entries:
        raise ValueError(f"indptr ends at {indptr[nodes]}: it must end at the number of indices, {entries}")


def check_weights(name: str, values: Sequence[float]) -> None:
    """Raise ValueError for the first value that is neither 0 nor from 1e-100 to 1e100."""
    for at, value in enumerate(values):
        if not (value == 0.0 or SMALLEST_WEIGHT <= value <= LARGEST_WEIGHT):
            raise ValueError(f"{name}[{at}] is {value!r}: it must be 0 or from 1e-100 to 1e+100")
