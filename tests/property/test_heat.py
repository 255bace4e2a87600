import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import heat
from strategies.graphs import Csr, directed, seeds_of, to_csr, undirected

FACTORS = numpy.exp(-numpy.arange(5.0))
WEIGHTS = st.floats(0.01, 100.0)


@settings(max_examples=60, deadline=None)
@given(graph=undirected(weights=WEIGHTS), data=st.data())
def test_equals_the_sum_of_matrix_powers(graph: Csr, data: st.DataObject) -> None:
    indptr, indices, weights = graph
    nodes = len(indptr) - 1
    dense = numpy.zeros((nodes, nodes))
    for row in range(nodes):
        numpy.add.at(dense[row], indices[indptr[row] : indptr[row + 1]], weights[indptr[row] : indptr[row + 1]])
    degrees = dense.sum(axis=0)
    transition = dense / numpy.where(degrees == 0, 1, degrees)
    seeds = seeds_of(data, nodes)
    expected = sum(factor * numpy.linalg.matrix_power(transition, hop) @ seeds for hop, factor in enumerate(FACTORS))
    assert heat(*graph, seeds=seeds, decay_factors=FACTORS) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@settings(max_examples=60, deadline=None)
@given(graph=directed(weights=WEIGHTS), data=st.data())
def test_heat_is_conserved_where_every_node_has_edges(graph: Csr, data: st.DataObject) -> None:
    indptr, indices, weights = graph
    nodes = len(indptr) - 1
    entries = [
        (row, int(indices[at]), float(weights[at]))
        for row in range(nodes)
        for at in range(indptr[row], indptr[row + 1])
    ]
    looped = to_csr(nodes, entries + [(row, row, 1.0) for row in range(nodes)])
    seeds = seeds_of(data, nodes)
    total = heat(*looped, seeds=seeds, decay_factors=FACTORS).sum()
    assert total == pytest.approx(FACTORS.sum() * seeds.sum(), rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(graph=undirected(weights=WEIGHTS), data=st.data())
def test_more_seed_heat_never_cools_a_node(graph: Csr, data: st.DataObject) -> None:
    nodes = len(graph[0]) - 1
    seeds = seeds_of(data, nodes)
    more = seeds + seeds_of(data, nodes)
    # Rounding of each product and sum is monotone, so this holds without a tolerance.
    assert (heat(*graph, seeds=more, decay_factors=FACTORS) >= heat(*graph, seeds=seeds, decay_factors=FACTORS)).all()


def test_a_node_without_edges_keeps_only_its_own_heat() -> None:
    found = heat(*to_csr(3, [(0, 1, 1.0), (1, 0, 1.0)]), seeds=numpy.ones(3), decay_factors=FACTORS)
    assert found[2] == FACTORS[0]
    assert found[0] == pytest.approx(FACTORS.sum())


def test_heat_does_not_pass_more_hops_than_there_are_factors() -> None:
    path = [(at, at + 1, 1.0) for at in range(9)] + [(at + 1, at, 1.0) for at in range(9)]
    seeds = numpy.array([1.0] + [0.0] * 9)
    found = heat(*to_csr(10, sorted(path)), seeds=seeds, decay_factors=FACTORS)
    assert (found > 0).tolist() == [True] * 5 + [False] * 5
