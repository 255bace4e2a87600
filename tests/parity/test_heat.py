from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies.backends import assert_refused, assert_twins
from strategies.graphs import Csr, directed, to_csr
from strategies.heat_inputs import BAD, FACTORS, GOOD


@settings(max_examples=150, deadline=None)
@given(graph=directed(), data=st.data(), hops=st.integers(0, 5))
def test_twins_return_the_same_bits(graph: Csr, data: st.DataObject, hops: int) -> None:
    nodes = len(graph[0]) - 1
    value = st.sampled_from([0.0, 0.0, 1.0, 0.3, 1e-100, 1e100]) | st.floats(0.001, 1.0)
    seeds = numpy.array(data.draw(st.lists(value, min_size=nodes, max_size=nodes)), dtype=numpy.float64)
    answer = assert_twins("heat", *graph, seeds=seeds, decay_factors=numpy.exp(-0.5 * numpy.arange(hops + 1.0)))
    assert answer[0] == "float64"


@pytest.mark.parametrize(("name", "value", "text"), BAD, ids=[f"{name}-{at}" for at, (name, _, _) in enumerate(BAD)])
def test_bad_input_is_refused_with_one_text(name: str, value: Any, text: str) -> None:
    arguments = {**GOOD, name: value}
    graph = [arguments.pop(part) for part in ("indptr", "indices", "weights")]
    assert_refused("heat", text, *graph, **arguments)


def test_a_graph_without_nodes_has_no_heat() -> None:
    answer = assert_twins("heat", *to_csr(0, []), seeds=numpy.array([]), decay_factors=FACTORS)
    assert answer == ("float64", (0,), b"")


def test_other_buffers_are_read_as_they_are() -> None:
    from array import array

    as_numpy = assert_twins("heat", *list(GOOD.values())[:3], seeds=GOOD["seeds"], decay_factors=FACTORS)
    as_arrays = assert_twins(
        "heat",
        array("q", [0, 1, 2]),
        memoryview(array("I", [1, 0])),
        array("d", [1.0, 1.0]),
        seeds=array("d", [1.0, 0.0]),
        decay_factors=array("d", FACTORS),
    )
    assert as_numpy == as_arrays


def test_buffers_that_are_not_aligned_are_copied() -> None:
    shifted = memoryview(bytes(1) + numpy.ones(2).tobytes())[1:].cast("d")
    expected = assert_twins("heat", *list(GOOD.values())[:3], seeds=GOOD["seeds"], decay_factors=FACTORS)
    graph = (GOOD["indptr"], GOOD["indices"], shifted)
    assert assert_twins("heat", *graph, seeds=GOOD["seeds"], decay_factors=FACTORS) == expected
