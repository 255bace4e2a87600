"""PageRank to an L1 change of 1e-8 against its twin, scipy CSR, and graph libraries."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import networkx
import numpy
import scipy.sparse
from benches.python.graphs import Graph, directed
from benches.python.harness import Measure, Row, Rows

from ctxsieve._kernels import _native, pure

OPTIONS: dict[str, Any] = {"personalisation": None, "damping": 0.85, "tolerance": 1e-8, "max_iterations": 500}


def rows(*, large: bool) -> Rows:
    """Yield the rows."""
    twin = directed(2_000, 20_000, weighted=True)
    yield _row(twin, "pure twin", lambda: pure.pagerank(*twin.csr, **OPTIONS), 30)
    middle = directed(100_000, 1_000_000, weighted=False)
    yield _row(middle, "scipy CSR", lambda: power_iteration(middle), 3)
    weighted = directed(100_000, 1_000_000, weighted=True)
    yield _row(weighted, "scipy CSR, weighted", lambda: power_iteration(weighted), 3)
    for name, call in _peers(middle):
        yield _row(middle, name, call, None)
    if large:
        largest = directed(1_000_000, 10_000_000, weighted=False)
        yield _row(largest, "scipy CSR", lambda: power_iteration(largest), 1.5)
    small = directed(10_000, 100_000, weighted=False)
    yield Row(
        kernel="pagerank",
        workload="1e5 -> 1e6 edges",
        other_name="itself",
        ours=native(middle),
        other=native(small),
        measure=Measure.GROWTH,
    )


def _row(graph: Graph, other_name: str, other: Callable[[], object], goal: float | None) -> Row:
    workload = f"{graph.nodes:.0e} nodes / {len(graph.indices):.1e} edges"
    return Row(kernel="pagerank", workload=workload, other_name=other_name, ours=native(graph), other=other, goal=goal)


def native(graph: Graph) -> Callable[[], object]:
    """Return a call of the native kernel."""
    return lambda: _native.pagerank(*graph.csr, **OPTIONS)


def power_iteration(graph: Graph) -> numpy.ndarray:
    """Return the same scores by products with the transposed transition matrix."""
    out = numpy.asarray(graph.matrix.sum(axis=1)).ravel()
    is_dangling = out == 0
    scale = scipy.sparse.diags(1.0 / numpy.where(is_dangling, 1.0, out))
    transition = (scale @ graph.matrix).T.tocsr()
    scores = numpy.full(graph.nodes, 1.0 / graph.nodes)
    while True:
        jump = (0.15 + 0.85 * scores[is_dangling].sum()) / graph.nodes
        moved = 0.85 * (transition @ scores) + jump
        change = numpy.abs(moved - scores).sum()
        scores = moved
        if change <= OPTIONS["tolerance"]:
            return scores


def _peers(graph: Graph) -> list[tuple[str, Callable[[], object]]]:
    """Return the libraries that are installed; building their graphs is not measured."""
    pairs = numpy.column_stack(graph.matrix.nonzero())
    per_node = OPTIONS["tolerance"] / graph.nodes
    digraph = networkx.DiGraph(graph.matrix)
    found: list[tuple[str, Callable[[], object]]] = [
        ("networkx", lambda: networkx.pagerank(digraph, tol=per_node, max_iter=500))
    ]
    if find_spec("rustworkx"):
        import rustworkx

        rust = rustworkx.PyDiGraph()
        rust.add_nodes_from(range(graph.nodes))
        rust.add_edges_from_no_data(list(map(tuple, pairs.tolist())))
        found.append(("rustworkx", lambda: rustworkx.pagerank(rust, tol=per_node, max_iter=500)))
    if find_spec("igraph"):
        import igraph

        other = igraph.Graph(n=graph.nodes, edges=pairs.tolist(), directed=True)
        found.append(("igraph", other.pagerank))
    if find_spec("networkit"):
        import networkit

        networkit.setNumberOfThreads(1)
        kit = networkit.GraphFromCoo((pairs[:, 0], pairs[:, 1]), n=graph.nodes, directed=True)
        found.append(("networkit", lambda: networkit.centrality.PageRank(kit, tol=OPTIONS["tolerance"]).run()))
    return found
