"""A graph prepared for many diffusions; the twin of rust/kernels/src/heat_graph.rs, with the bits of `heat`."""

from array import array
from collections.abc import Sequence

from ctxsieve._kernels.pure.buffers import Buffer, borrow_float64, borrow_int64, read_float
from ctxsieve._kernels.pure.csr import Csr, check_csr
from ctxsieve._kernels.pure.heat import check_diffusion, sum_hops

__all__ = ["HeatGraph"]

SMALLEST_FACTOR = 1e-50
LARGEST_FACTOR = 1e50


class HeatGraph:
    """A graph of its own memory, with the sums of its rows."""

    def __init__(self, indptr: Buffer, indices: Buffer, weights: Buffer) -> None:
        """Copy and check the arrays."""
        borrowed = Csr.borrow(indptr, indices, weights)
        self._graph = Csr(array("q", borrowed.indptr), array("I", borrowed.indices), array("d", borrowed.weights))
        check_csr(self._graph)
        self._row_sums = {node: self._graph.row_sum(node) for node in range(self._graph.nodes)}

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self._graph.nodes

    @property
    def entries(self) -> int:
        """The number of stored entries."""
        return len(self._graph.indices)

    def diffuse(
        self,
        *,
        seeds: Buffer,
        decay_factors: Buffer,
        communities: Buffer | None = None,
        inside_factor: float = 1.0,
    ) -> "array[float]":
        """Return what `heat` returns for this graph, entries inside a community multiplied by the factor."""
        inside_factor = read_float("inside_factor", inside_factor)
        temperatures, factors = borrow_float64("seeds", seeds), borrow_float64("decay_factors", decay_factors)
        labels = None if communities is None else borrow_int64("communities", communities)
        check_diffusion(self._graph, temperatures, factors)
        if labels is None:
            return sum_hops(self._graph, temperatures, factors, self._row_sums)
        _check_inside(self._graph, labels, inside_factor)
        return sum_hops(_scale(self._graph, labels, inside_factor), temperatures, factors, {})


def _check_inside(graph: Csr, labels: Sequence[int], factor: float) -> None:
    if len(labels) != graph.nodes:
        raise ValueError(f"there are {len(labels)} communities for {graph.nodes} nodes: they must be equal in number")
    for at, label in enumerate(labels):
        if label < -1:
            raise ValueError(f"communities[{at}] is {label}: it must be -1 or more")
    if not (factor == 0.0 or SMALLEST_FACTOR <= factor <= LARGEST_FACTOR):
        raise ValueError(f"inside_factor is {factor!r}: it must be 0 or from 1e-50 to 1e+50")


def _scale(graph: Csr, labels: Sequence[int], factor: float) -> Csr:
    indptr, indices, weights = graph
    scaled = array("d", weights)
    for node, label in enumerate(labels):
        if label >= 0:
            for at in range(indptr[node], indptr[node + 1]):
                if indices[at] != node and labels[indices[at]] == label:
                    scaled[at] *= factor
    return Csr(indptr, indices, scaled)
