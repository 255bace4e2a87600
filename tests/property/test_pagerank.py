from typing import Any

import networkx
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import pagerank
from strategies.graphs import Csr, directed, to_csr

OPTIONS: dict[str, Any] = {"personalisation": None, "damping": 0.85, "tolerance": 1e-13, "max_iterations": 1000}
WEIGHTS = st.floats(0.01, 100.0)


def to_networkx(graph: Csr) -> Any:
    indptr, indices, weights = graph
    found = networkx.DiGraph()
    found.add_nodes_from(range(len(indptr) - 1))
    for row in range(len(indptr) - 1):
        for at in range(indptr[row], indptr[row + 1]):
            column = int(indices[at])
            before = found.get_edge_data(row, column, {"weight": 0.0})["weight"]
            found.add_edge(row, column, weight=before + float(weights[at]))
    return found


@settings(max_examples=60, deadline=None)
@given(graph=directed(weights=WEIGHTS), data=st.data())
def test_matches_networkx(graph: Csr, data: st.DataObject) -> None:
    nodes = len(graph[0]) - 1
    if nodes == 0:
        return
    values = data.draw(st.lists(st.floats(0.1, 1.0) | st.just(0.0), min_size=nodes, max_size=nodes))
    jumps = numpy.array(values) if sum(values) > 0 else None
    ours, _, _ = pagerank(*graph, **{**OPTIONS, "personalisation": jumps})
    theirs = networkx.pagerank(
        to_networkx(graph),
        alpha=0.85,
        personalization=None if jumps is None else dict(enumerate(values)),
        tol=1e-13 / nodes,
        max_iter=1000,
    )
    assert numpy.abs(ours - [theirs[node] for node in range(nodes)]).max() < 1e-9


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), nodes=st.integers(257, 900), damping=st.sampled_from([0.3, 0.85, 0.97]))
def test_sweeps_of_several_blocks_match_networkx(seed: int, nodes: int, damping: float) -> None:
    rng = numpy.random.default_rng(seed)
    entries = 3 * nodes
    columns = numpy.minimum((rng.pareto(1.0, entries) * nodes / 20).astype(int), nodes - 1)
    rows = rng.integers(0, nodes * 9 // 10, entries)
    graph = to_csr(nodes, [(int(a), int(b), 1.0) for a, b in zip(rows, columns, strict=True)])
    jumps = rng.random(nodes) * (rng.random(nodes) < 0.2)
    ours, _, residual = pagerank(*graph, **{**OPTIONS, "personalisation": jumps, "damping": damping})
    theirs = networkx.pagerank(
        to_networkx(graph),
        alpha=damping,
        personalization=dict(enumerate(jumps.tolist())),
        tol=1e-13 / nodes,
        max_iter=2000,
    )
    assert residual <= OPTIONS["tolerance"]
    assert numpy.abs(ours - [theirs[node] for node in range(nodes)]).max() < 1e-9


@settings(max_examples=60, deadline=None)
@given(graph=directed(weights=WEIGHTS), damping=st.sampled_from([0.0, 0.5, 0.85, 0.99]))
def test_scores_sum_to_one(graph: Csr, damping: float) -> None:
    scores, _, residual = pagerank(*graph, **{**OPTIONS, "damping": damping, "max_iterations": 5000})
    if len(scores):
        assert scores.sum() == pytest.approx(1.0, abs=1e-12)
        assert (scores >= 0).all()
        assert residual <= OPTIONS["tolerance"]


def test_reports_when_the_iterations_run_out() -> None:
    graph = to_csr(3, [(0, 1, 1.0), (1, 2, 1.0), (2, 1, 1.0)])
    _, iterations, residual = pagerank(*graph, **{**OPTIONS, "max_iterations": 3})
    assert iterations == 3
    assert residual > OPTIONS["tolerance"]


def test_equal_nodes_have_equal_scores() -> None:
    ring = to_csr(17, [(at, (at + 1) % 17, 1.0) for at in range(17)])
    scores, iterations, _ = pagerank(*ring, **OPTIONS)
    assert iterations == 1
    assert scores == pytest.approx(numpy.full(17, 1 / 17))


def test_mass_of_dangling_nodes_goes_to_the_personalisation() -> None:
    scores, _, _ = pagerank(*to_csr(3, [(0, 1, 1.0)]), **{**OPTIONS, "personalisation": numpy.array([1.0, 0.0, 0.0])})
    assert scores[2] == 0.0
    assert scores[0] == pytest.approx(1 / 1.85)
