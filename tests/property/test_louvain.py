from typing import Any

import networkx
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import louvain
from strategies.graphs import Csr, random_undirected, to_csr, undirected


def to_networkx(graph: Csr) -> Any:
    indptr, indices, weights = graph
    found = networkx.Graph()
    found.add_nodes_from(range(len(indptr) - 1))
    for row in range(len(indptr) - 1):
        for at in range(indptr[row], indptr[row + 1]):
            # The diagonal of the matrix is twice the weight of a self loop.
            column, weight = int(indices[at]), float(weights[at])
            found.add_edge(row, column, weight=weight / 2 if column == row else weight)
    return found


def groups(labels: Any) -> list[set[int]]:
    return [set(numpy.flatnonzero(labels == label).tolist()) for label in range(labels.max() + 1)]


def from_networkx(graph: Any) -> Csr:
    entries = [(a, b, 1.0) for a, b in graph.edges] + [(b, a, 1.0) for a, b in graph.edges]
    return to_csr(graph.number_of_nodes(), sorted(entries))


@settings(max_examples=80, deadline=None)
@given(graph=undirected(weights=st.floats(0.01, 100.0)), resolution=st.sampled_from([0.5, 1.0, 2.0]))
def test_modularity_equals_a_recomputation(graph: Csr, resolution: float) -> None:
    labels, modularity, _ = louvain(*graph, resolution=resolution)
    if len(graph[1]) == 0:
        assert modularity == 0.0
        return
    expected = networkx.community.modularity(to_networkx(graph), groups(labels), resolution=resolution)
    assert modularity == pytest.approx(expected, abs=1e-9)


@settings(max_examples=80, deadline=None)
@given(graph=undirected())
def test_communities_are_connected_and_numbered_by_first_appearance(graph: Csr) -> None:
    indptr, indices, weights = graph
    labels, _, _ = louvain(*graph, resolution=1.0)
    assert list(dict.fromkeys(labels.tolist())) == list(range(len(set(labels.tolist()))))
    edges = networkx.Graph()
    edges.add_nodes_from(range(len(labels)))
    for row in range(len(labels)):
        positive = [int(indices[at]) for at in range(indptr[row], indptr[row + 1]) if weights[at] > 0]
        edges.add_edges_from((row, column) for column in positive)
    if len(labels):
        assert all(networkx.is_connected(edges.subgraph(group)) for group in groups(labels))


@pytest.mark.parametrize(
    "graph",
    [
        networkx.karate_club_graph(),
        networkx.convert_node_labels_to_integers(networkx.les_miserables_graph()),
        networkx.connected_caveman_graph(12, 7),
        networkx.random_partition_graph([20] * 8, 0.5, 0.03, seed=3),
        networkx.barabasi_albert_graph(300, 3, seed=4),
        networkx.watts_strogatz_graph(300, 6, 0.1, seed=5),
    ],
    ids=["karate", "miserables", "caveman", "planted", "preferential", "small-world"],
)
def test_modularity_is_near_the_best_of_ten_seeds_of_networkx(graph: Any) -> None:
    plain = networkx.Graph(graph.edges)
    best = max(
        networkx.community.modularity(plain, networkx.community.louvain_communities(plain, weight=None, seed=seed))
        for seed in range(10)
    )
    _, modularity, _ = louvain(*from_networkx(graph), resolution=1.0)
    assert modularity >= best - 0.01


def test_a_higher_resolution_gives_more_communities() -> None:
    graph = random_undirected(400, 1600, 1)
    counts = [louvain(*graph, resolution=resolution)[0].max() for resolution in (0.2, 1.0, 5.0)]
    assert counts[0] < counts[1] < counts[2]


def test_resolution_zero_gives_the_components() -> None:
    graph = to_csr(5, [(0, 1, 1.0), (1, 0, 1.0), (2, 3, 1.0), (3, 2, 1.0)])
    assert louvain(*graph, resolution=0.0)[0].tolist() == [0, 0, 1, 1, 2]


def test_equal_weights_everywhere_end() -> None:
    clique = to_csr(30, [(a, b, 1.0) for a in range(30) for b in range(30) if a != b])
    labels, modularity, _ = louvain(*clique, resolution=1.0)
    assert set(labels.tolist()) == {0}
    assert modularity == pytest.approx(0.0, abs=1e-12)
