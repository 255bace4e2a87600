from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies.backends import assert_refused, assert_twins, bits, native, outcome, pure
from strategies.graphs import Csr, directed, random_undirected, to_csr
from strategies.heat_inputs import BAD, BUFFER, FACTORS, GOOD


def assert_prepared_twins(graph: Csr, **options: Any) -> Any:
    """Check that both prepared graphs give the same bits or the same error, and return them."""

    def diffuse(backend: Any) -> Any:
        return outcome(lambda: backend.HeatGraph(*graph).diffuse(**options))

    ours = diffuse(native)
    assert ours == diffuse(pure)
    return ours


def draw_seeds(data: st.DataObject, nodes: int) -> numpy.ndarray:
    # Mostly cold nodes are pushed, mostly warm ones pulled.
    value = st.sampled_from([[0.0] * 8 + [1.0], [1.0, 0.3, 1e-100, 1e100], [0.0, -0.0, 0.7]])
    values = st.lists(st.sampled_from(data.draw(value)), min_size=nodes, max_size=nodes)
    return numpy.array(data.draw(values), dtype=numpy.float64)


@settings(max_examples=150, deadline=None)
@given(graph=directed(), data=st.data(), hops=st.integers(0, 5))
def test_a_prepared_graph_returns_the_bits_of_heat(graph: Csr, data: st.DataObject, hops: int) -> None:
    seeds = draw_seeds(data, len(graph[0]) - 1)
    options = {"seeds": seeds, "decay_factors": numpy.exp(-0.5 * numpy.arange(hops + 1.0))}
    assert assert_prepared_twins(graph, **options) == assert_twins("heat", *graph, **options)


@settings(max_examples=100, deadline=None)
@given(graph=directed(), data=st.data(), factor=st.sampled_from([0.0, 1.0, 1.5, 1e-50, 1e50]))
def test_communities_are_weights_multiplied_inside(graph: Csr, data: st.DataObject, factor: float) -> None:
    indptr, indices, weights = graph
    nodes = len(indptr) - 1
    labels = numpy.array(data.draw(st.lists(st.integers(-1, 2), min_size=nodes, max_size=nodes)), dtype=numpy.int64)
    sources = numpy.repeat(numpy.arange(nodes), numpy.diff(indptr))
    is_inside = (labels[sources] >= 0) & (labels[sources] == labels[indices]) & (sources != indices)
    # A graph of these weights would be refused where they leave the range of weights: the twin is asked for them.
    scaled = (indptr, indices, numpy.where(is_inside, weights * factor, weights))
    seeds = draw_seeds(data, nodes)
    options = {"seeds": seeds, "decay_factors": FACTORS}
    found = assert_prepared_twins(graph, communities=labels, inside_factor=factor, **options)
    if ((scaled[2] == 0) | ((scaled[2] >= 1e-100) & (scaled[2] <= 1e100))).all():
        assert found == assert_twins("heat", *scaled, **options)


@pytest.mark.parametrize("kind", ["units", "few", "many"])
@pytest.mark.parametrize("count", [3, 200, 4000])
def test_larger_graphs_pushed_and_pulled_agree(kind: str, count: int) -> None:
    indptr, indices, weights = random_undirected(4000, 20_000, 1)
    random = numpy.random.default_rng(2)
    if kind == "few":
        weights = random.choice([0.0, 0.25, 1.0, 2.0, 3.7], len(weights))
    elif kind == "many":
        weights = random.random(len(weights)) + 0.1
    seeds = numpy.zeros(4000)
    seeds[random.permutation(4000)[:count]] = random.random(count)
    options = {"seeds": seeds, "decay_factors": numpy.exp(-numpy.arange(7.0))}
    graph = (indptr, indices, weights)
    assert assert_prepared_twins(graph, **options) == assert_twins("heat", *graph, **options)


BAD_GRAPHS = [case for case in BAD if case[0] in ("indptr", "indices", "weights")]
BAD_CALLS = [case for case in BAD if case[0] not in ("indptr", "indices", "weights")]
LABELS = numpy.zeros(3, dtype=numpy.int64)
BAD_CALLS += [
    ("communities", LABELS, "there are 3 communities for 2 nodes: they must be equal in number"),
    ("communities", numpy.array([0, -2]), "communities[1] is -2: it must be -1 or more"),
    ("communities", numpy.array([0, 0], dtype=numpy.int32), f"communities holds items of format 'i': {BUFFER} int64"),
    ("communities", numpy.array([0, 9, 0])[::2], f"communities is not contiguous: {BUFFER} int64"),
    ("inside_factor", numpy.nan, "inside_factor is nan: it must be 0 or from 1e-50 to 1e+50"),
    ("inside_factor", -1.0, "inside_factor is -1.0: it must be 0 or from 1e-50 to 1e+50"),
    ("inside_factor", 1e51, "inside_factor is 1e+51: it must be 0 or from 1e-50 to 1e+50"),
]  # fmt: skip
CALL: dict[str, Any] = {
    "seeds": GOOD["seeds"],
    "decay_factors": FACTORS,
    "communities": numpy.zeros(2, dtype=numpy.int64),
}


@pytest.mark.parametrize(("name", "value", "text"), BAD_GRAPHS)
def test_bad_graphs_are_refused_with_one_text(name: str, value: Any, text: str) -> None:
    arguments = {**GOOD, name: value}
    assert_refused("HeatGraph", text, *(arguments[part] for part in ("indptr", "indices", "weights")))


@pytest.mark.parametrize(("name", "value", "text"), BAD_CALLS)
def test_bad_calls_are_refused_with_one_text(name: str, value: Any, text: str) -> None:
    graph = (GOOD["indptr"], GOOD["indices"], GOOD["weights"])
    assert assert_prepared_twins(graph, **{**CALL, name: value}) == (ValueError, text)


def test_a_factor_that_is_no_number_is_refused_alike() -> None:
    graph = (GOOD["indptr"], GOOD["indices"], GOOD["weights"])
    assert assert_prepared_twins(graph, **{**CALL, "inside_factor": "2"})[0] is TypeError


def test_a_prepared_graph_without_nodes_has_no_heat() -> None:
    answer = assert_prepared_twins(to_csr(0, []), seeds=numpy.array([]), decay_factors=FACTORS)
    assert answer == ("float64", (0,), b"")


@pytest.mark.parametrize("backend", [native, pure])
def test_a_prepared_graph_keeps_its_weights_when_the_arrays_change(backend: Any) -> None:
    indptr, indices, weights = (GOOD[part].copy() for part in ("indptr", "indices", "weights"))
    graph = backend.HeatGraph(indptr, indices, weights)
    before = bits(graph.diffuse(seeds=GOOD["seeds"], decay_factors=FACTORS))
    indptr[:], indices[:], weights[:] = 0, 7, numpy.nan
    assert bits(graph.diffuse(seeds=GOOD["seeds"], decay_factors=FACTORS)) == before
    assert (graph.nodes, graph.entries) == (2, 2)


def test_threads_share_a_prepared_graph() -> None:
    graph = native.HeatGraph(*random_undirected(2000, 8000, 3))
    calls = [numpy.where(numpy.arange(2000) % step == 0, 1.0, 0.0) for step in range(1, 41)]

    def diffuse(seeds: numpy.ndarray) -> Any:
        return bits(graph.diffuse(seeds=seeds, decay_factors=FACTORS))

    expected = [diffuse(seeds) for seeds in calls]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(diffuse, calls)) == expected
