"""Louvain against its twin and other community libraries, with the modularity each of them reaches."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import networkx
import numpy
from benches.python.graphs import Graph, undirected
from benches.python.harness import Measure, Row, Rows

from ctxsieve._kernels import _native, pure


def rows(*, large: bool) -> Rows:
    """Yield the rows; names of others carry their modularity, workloads ours."""
    twin = undirected(5_000, 25_000)
    yield _row(twin, "pure twin", lambda: pure.louvain(*twin.csr, resolution=1.0), 30)
    middle = undirected(100_000, 1_000_000)
    for name, call, goal in _peers(middle, with_slow=True):
        yield _row(middle, name, call, goal)
    if large:
        largest = undirected(1_000_000, 10_000_000)
        for name, call, goal in _peers(largest, with_slow=False):
            yield _row(largest, name, call, goal)
    small = undirected(20_000, 200_000)
    tenfold = undirected(200_000, 2_000_000)
    yield Row(
        kernel="louvain",
        workload="2e5 -> 2e6 edges",
        other_name="itself",
        ours=native(tenfold),
        other=native(small),
        measure=Measure.GROWTH,
    )


def _row(graph: Graph, other_name: str, other: Callable[[], object], goal: float | None) -> Row:
    _, modularity, _ = _native.louvain(*graph.csr, resolution=1.0)
    workload = f"{graph.nodes:.0e} nodes / {len(graph.indices):.1e} entries, Q {modularity:.4f}"
    return Row(kernel="louvain", workload=workload, other_name=other_name, ours=native(graph), other=other, goal=goal)


def native(graph: Graph) -> Callable[[], object]:
    """Return a call of the native kernel."""
    return lambda: _native.louvain(*graph.csr, resolution=1.0)


Peer = tuple[str, Callable[[], object], float | None]


def _peers(graph: Graph, *, with_slow: bool) -> list[Peer]:
    """Return the libraries that are installed; building their graphs is not measured."""
    coo = graph.matrix.tocoo()
    half = coo.row < coo.col
    rows_of, columns_of, weights = coo.row[half], coo.col[half], coo.data[half]
    found: list[Peer] = []
    if find_spec("networkit"):
        import networkit

        networkit.setNumberOfThreads(1)
        kit = networkit.GraphFromCoo((weights, (rows_of, columns_of)), n=graph.nodes, weighted=True, directed=False)

        def parallel_louvain() -> Any:
            return networkit.community.PLM(kit, refine=False).run()

        quality = networkit.community.Modularity().getQuality(parallel_louvain().getPartition(), kit)
        found.append((f"networkit PLM, Q {quality:.4f}", parallel_louvain, 2))
    if not with_slow:
        return found
    if find_spec("sknetwork"):
        from sknetwork.clustering import Louvain, get_modularity

        labels = Louvain().fit_predict(graph.matrix)
        quality = get_modularity(graph.matrix, labels)
        found.append((f"scikit-network, Q {quality:.4f}", lambda: Louvain().fit_predict(graph.matrix), None))
    if find_spec("igraph"):
        import igraph

        other = igraph.Graph(n=graph.nodes, edges=numpy.column_stack([rows_of, columns_of]).tolist())
        quality = other.community_multilevel(weights=weights.tolist()).modularity
        listed = weights.tolist()
        found.append((f"igraph, Q {quality:.4f}", lambda: other.community_multilevel(weights=listed), None))
    return found


def reach_of_networkx(graph: Graph, seed: int) -> float:
    """Return the modularity that networkx reaches."""
    plain = networkx.Graph(graph.matrix)
    return float(networkx.community.modularity(plain, networkx.community.louvain_communities(plain, seed=seed)))
