import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import HeatGraph, heat
from strategies.graphs import Csr, directed, seeds_of, to_csr, undirected

FACTORS = numpy.exp(-numpy.arange(5.0))
WEIGHTS = st.floats(0.01, 100.0)


@settings(max_examples=60, deadline=None)
@given(graph=directed(weights=WEIGHTS), data=st.data())
def test_heat_is_conserved_with_communities_too(graph: Csr, data: st.DataObject) -> None:
    indptr, indices, weights = graph
    nodes = len(indptr) - 1
    rows = numpy.repeat(numpy.arange(nodes), numpy.diff(indptr)).tolist()
    entries = list(zip(rows, indices.tolist(), weights.tolist(), strict=True))
    looped = HeatGraph(*to_csr(nodes, entries + [(row, row, 1.0) for row in range(nodes)]))
    seeds, labels = seeds_of(data, nodes), numpy.arange(nodes, dtype=numpy.int64) % 3 - 1
    found = looped.diffuse(seeds=seeds, decay_factors=FACTORS, communities=labels, inside_factor=2.5)
    assert found.sum() == pytest.approx(FACTORS.sum() * seeds.sum(), rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(graph=undirected(weights=WEIGHTS), data=st.data())
def test_more_seed_heat_never_cools_a_node(graph: Csr, data: st.DataObject) -> None:
    prepared = HeatGraph(*graph)
    seeds = seeds_of(data, prepared.nodes)
    more = seeds + seeds_of(data, prepared.nodes)
    # One may be pushed and the other pulled: the order of the sums is the same.
    warmer, cooler = (prepared.diffuse(seeds=values, decay_factors=FACTORS) for values in (more, seeds))
    assert (warmer >= cooler).all()


@settings(max_examples=30, deadline=None)
@given(graph=directed(), data=st.data())
def test_calls_of_one_graph_do_not_touch_each_other(graph: Csr, data: st.DataObject) -> None:
    prepared = HeatGraph(*graph)
    for _ in range(3):
        seeds = seeds_of(data, prepared.nodes)
        found = prepared.diffuse(seeds=seeds, decay_factors=FACTORS)
        assert found.tobytes() == heat(*graph, seeds=seeds, decay_factors=FACTORS).tobytes()
