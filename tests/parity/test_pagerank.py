from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies.backends import assert_refused, assert_twins
from strategies.graphs import Csr, directed, to_csr

OPTIONS: dict[str, Any] = {"personalisation": None, "damping": 0.85, "tolerance": 1e-8, "max_iterations": 200}


@settings(max_examples=150, deadline=None)
@given(graph=directed(most_nodes=40), data=st.data())
def test_twins_return_the_same_bits(graph: Csr, data: st.DataObject) -> None:
    nodes = len(graph[0]) - 1
    jumps = st.lists(st.sampled_from([0.0, 1.0, 0.3, 7.0]), min_size=nodes, max_size=nodes).map(numpy.array)
    options = {
        "personalisation": data.draw(st.none() | jumps.filter(lambda values: values.sum() > 0)) if nodes else None,
        "damping": data.draw(st.sampled_from([0.0, 0.5, 0.85, 1.0])),
        "tolerance": data.draw(st.sampled_from([0.0, 1e-8, 1e-3])),
        "max_iterations": data.draw(st.integers(1, 40)),
    }
    scores, iterations, residual = assert_twins("pagerank", *graph, **options)
    assert scores[0] == "float64"
    assert iterations <= options["max_iterations"]
    assert isinstance(residual, str)


@pytest.mark.parametrize("damping", [0.85, 1.0])
def test_twins_agree_on_a_larger_power_law_graph(damping: float) -> None:
    rng = numpy.random.default_rng(5)
    targets = numpy.minimum((rng.pareto(1.2, 6000) * 3).astype(int), 999)
    entries = [(int(a), int(b), 1.0) for a, b in zip(rng.integers(0, 800, 6000), targets, strict=True)]
    jumps = rng.random(1000) * (rng.random(1000) < 0.3)
    for personalisation in (None, jumps):
        options = {**OPTIONS, "damping": damping, "personalisation": personalisation}
        assert_twins("pagerank", *to_csr(1000, entries), **options)
        weighted = [(a, b, w) for (a, b, _), w in zip(entries, rng.random(6000) + 0.1, strict=True)]
        assert_twins("pagerank", *to_csr(1000, weighted), **options)


GRAPH = to_csr(2, [(0, 1, 1.0)])
BAD: list[tuple[str, Any, str]] = [
    ("damping", 1.5, "damping is 1.5: it must be from 0 to 1"),
    ("damping", -1, "damping is -1.0: it must be from 0 to 1"),
    ("damping", float("nan"), "damping is nan: it must be from 0 to 1"),
    ("tolerance", float("inf"), "tolerance is inf: it must be a finite number of at least 0"),
    ("tolerance", -1e-300, "tolerance is -1e-300: it must be a finite number of at least 0"),
    ("max_iterations", 0, "max_iterations is 0: it must be from 1 to 2147483647"),
    ("max_iterations", 10**30, f"max_iterations is {10**30}: it must be from 1 to 2147483647"),
    ("personalisation", numpy.zeros(2), "personalisation sums to 0: it must hold a value above 0"),
    (
        "personalisation",
        numpy.ones(3),
        "there are 3 personalisation values for 2 nodes: they must be equal in number",
    ),
    (
        "personalisation",
        numpy.array([1.0, numpy.nan]),
        "personalisation[1] is nan: it must be 0 or from 1e-100 to 1e+100",
    ),
]


@pytest.mark.parametrize(("name", "value", "text"), BAD, ids=[f"{name}-{at}" for at, (name, _, _) in enumerate(BAD)])
def test_bad_parameters_are_refused_with_one_text(name: str, value: Any, text: str) -> None:
    assert_refused("pagerank", text, *GRAPH, **{**OPTIONS, name: value})


@pytest.mark.parametrize(("name", "value"), [("damping", "high"), ("max_iterations", 1.5)])
def test_wrong_types_are_type_errors_with_one_text(name: str, value: Any) -> None:
    assert assert_twins("pagerank", *GRAPH, **{**OPTIONS, name: value})[0] is TypeError


def test_a_graph_without_nodes_has_no_scores() -> None:
    assert assert_twins("pagerank", *to_csr(0, []), **OPTIONS) == (("float64", (0,), b""), 0, (0.0).hex())
