"""Graphs for the benches: power-law degrees, planted communities, a fixed seed."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy
import scipy.sparse

__all__ = ["Graph", "directed", "undirected"]

NODES_PER_COMMUNITY = 250
EXPONENT = 2.3
SHARE_BETWEEN = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """One graph as our arrays and as a scipy matrix over the same weights."""

    indptr: Any
    indices: Any
    weights: Any
    matrix: Any

    @property
    def csr(self) -> tuple[Any, Any, Any]:
        """The three arrays."""
        return self.indptr, self.indices, self.weights

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.indptr) - 1


@cache
def directed(nodes: int, edges: int, *, weighted: bool) -> Graph:
    """Return about `edges` directed edges: power-law targets and sources, three of four inside a community.

    Repeated draws become one edge; weights are 1, or uniform from .1 to 1.1.
    """
    rng = numpy.random.default_rng(1)
    pull = numpy.minimum((1 - rng.random(nodes)) ** (-1 / (EXPONENT - 1)), 3 * nodes**0.5)
    community = rng.integers(0, max(1, nodes // NODES_PER_COMMUNITY), nodes)
    order = numpy.argsort(community, kind="stable")
    mass = numpy.concatenate([[0.0], numpy.cumsum(pull[order])])
    sources = order[numpy.searchsorted(mass[1:], rng.random(edges) * mass[-1])]
    targets = order[numpy.searchsorted(mass[1:], rng.random(edges) * mass[-1])]
    starts = numpy.searchsorted(community[order], numpy.arange(community.max() + 2))
    low, high = mass[starts[community[sources]]], mass[starts[community[sources] + 1]]
    near = order[numpy.minimum(numpy.searchsorted(mass[1:], low + rng.random(edges) * (high - low)), nodes - 1)]
    targets = numpy.where(rng.random(edges) < SHARE_BETWEEN, targets, near)
    keep = sources != targets
    matrix = scipy.sparse.csr_matrix((numpy.ones(keep.sum()), (sources[keep], targets[keep])), shape=(nodes, nodes))
    matrix.sum_duplicates()
    matrix.data[:] = rng.random(matrix.nnz) + 0.1 if weighted else 1.0
    return _graph(matrix)


@cache
def undirected(nodes: int, edges: int) -> Graph:
    """Return the symmetrised graph: the sum of both directions, weights of 1 and 2."""
    matrix = directed(nodes, edges, weighted=False).matrix
    return _graph((matrix + matrix.T).tocsr())


def _graph(matrix: Any) -> Graph:
    matrix.sort_indices()
    return Graph(
        matrix.indptr.astype(numpy.int64), matrix.indices.astype(numpy.uint32), matrix.data.astype(float), matrix
    )
