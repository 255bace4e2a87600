import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies.backends import assert_refused, assert_twins
from strategies.graphs import Csr, directed, random_undirected, to_csr, undirected


@settings(max_examples=200, deadline=None)
@given(graph=undirected(), resolution=st.sampled_from([0.0, 0.5, 1.0, 1.7, 100.0]))
def test_twins_return_the_same_bits(graph: Csr, resolution: float) -> None:
    labels, _, _ = assert_twins("louvain", *graph, resolution=resolution)
    assert labels[0] == "uint32"


@settings(max_examples=50, deadline=None)
@given(graph=directed())
def test_twins_agree_without_symmetry(graph: Csr) -> None:
    assert_twins("louvain", *graph, resolution=1.0)


def test_nodes_that_circle_for_ever_are_stopped() -> None:
    rows = [[(2, 0.25), (1, 3.7), (0, 3.7)], [(2, 2.0), (0, 1.0), (1, 3.7), (3, 0.25), (1, 2.0)], [(1, 2.0), (0, 3.7)]]
    entries = [(row, column, weight) for row, listed in enumerate([*rows, [(1, 3.7)]]) for column, weight in listed]
    assert_twins("louvain", *to_csr(4, entries), resolution=1.0)


@pytest.mark.parametrize("seed", range(3))
def test_twins_agree_over_several_levels(seed: int) -> None:
    _, _, levels = assert_twins("louvain", *random_undirected(600, 2400, seed), resolution=1.0)
    assert levels >= 2


@pytest.mark.parametrize(
    ("resolution", "shown"), [(-1.0, "-1.0"), (numpy.nan, "nan"), (1e-200, "1e-200"), (numpy.inf, "inf")]
)
def test_bad_resolution_is_refused_with_one_text(resolution: float, shown: str) -> None:
    text = f"resolution is {shown}: it must be 0 or from 1e-100 to 1e+100"
    assert_refused("louvain", text, *to_csr(1, []), resolution=resolution)


def test_bad_graphs_are_refused_with_one_text() -> None:
    indptr, indices, _ = to_csr(2, [(0, 1, 1.0), (1, 0, 1.0)])
    text = "weights[0] is nan: it must be 0 or from 1e-100 to 1e+100"
    assert_refused("louvain", text, indptr, indices, numpy.array([numpy.nan, 1.0]), resolution=1.0)


def test_a_graph_without_nodes_has_no_communities() -> None:
    assert assert_twins("louvain", *to_csr(0, []), resolution=1.0) == (("uint32", (0,), b""), (0.0).hex(), 0)
