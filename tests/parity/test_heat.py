from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies.backends import assert_refused, assert_twins
from strategies.graphs import Csr, directed, to_csr

FACTORS = numpy.exp(-numpy.arange(5.0))


@settings(max_examples=150, deadline=None)
@given(graph=directed(), data=st.data(), hops=st.integers(0, 5))
def test_twins_return_the_same_bits(graph: Csr, data: st.DataObject, hops: int) -> None:
    nodes = len(graph[0]) - 1
    value = st.sampled_from([0.0, 0.0, 1.0, 0.3, 1e-100, 1e100]) | st.floats(0.001, 1.0)
    seeds = numpy.array(data.draw(st.lists(value, min_size=nodes, max_size=nodes)), dtype=numpy.float64)
    answer = assert_twins("heat", *graph, seeds=seeds, decay_factors=numpy.exp(-0.5 * numpy.arange(hops + 1.0)))
    assert answer[0] == "float64"


GOOD: dict[str, Any] = {
    "indptr": numpy.array([0, 1, 2]),
    "indices": numpy.array([1, 0], dtype=numpy.uint32),
    "weights": numpy.ones(2),
    "seeds": numpy.array([1.0, 0.0]),
    "decay_factors": FACTORS,
}

BUFFER = "it must be a contiguous one-dimensional buffer of"
RANGE = "it must be 0 or from 1e-100 to 1e+100"
BAD: list[tuple[str, Any, str]] = [
    ("indptr", numpy.array([], dtype=numpy.int64), "indptr is empty: it must hold one entry more than there are nodes"),
    ("indptr", numpy.array([0, 1, 2], dtype=numpy.int32), f"indptr holds items of format 'i': {BUFFER} int64"),
    ("indptr", [0, 1, 2], f"indptr is a list: {BUFFER} int64"),
    ("indptr", numpy.array([1, 1, 2]), "indptr[0] is 1: it must be 0"),
    ("indptr", numpy.array([0, 2, 1]), "indptr[2] is 1: it must not be less than the 2 before it"),
    ("indptr", numpy.array([0, 1, 2**31]), "indptr ends at 2147483648: it must end at the number of indices, 2"),
    ("indptr", numpy.array([0, 1, -1]), "indptr[2] is -1: it must not be less than the 1 before it"),
    ("indptr", numpy.array([0, 1, 1]), "indptr ends at 1: it must end at the number of indices, 2"),
    ("indptr", numpy.array([0, 9, 0, 9, 1, 9, 2])[::3], f"indptr is not contiguous: {BUFFER} int64"),
    (
        "indices",
        numpy.array([1, 2], dtype=numpy.uint32),
        "indices[1] is 2: it must be less than the number of nodes, 2",
    ),
    ("indices", numpy.array([1, 0]), f"indices holds items of format 'l': {BUFFER} uint32"),
    ("weights", numpy.ones(3), "there are 3 weights for 2 indices: they must be equal in number"),
    ("weights", numpy.ones((2, 1)), f"weights has 2 dimensions: {BUFFER} float64"),
    ("weights", numpy.ones(2, dtype=numpy.float32), f"weights holds items of format 'f': {BUFFER} float64"),
    ("weights", numpy.array([1.0, numpy.nan]), f"weights[1] is nan: {RANGE}"),
    ("weights", numpy.array([numpy.inf, 1.0]), f"weights[0] is inf: {RANGE}"),
    ("weights", numpy.array([1.0, -2.5]), f"weights[1] is -2.5: {RANGE}"),
    ("weights", numpy.array([1.0, 5e-324]), f"weights[1] is 5e-324: {RANGE}"),
    ("seeds", numpy.zeros(3), "there are 3 seeds for 2 nodes: they must be equal in number"),
    ("seeds", numpy.array([1.0, 1e200]), f"seeds[1] is 1e+200: {RANGE}"),
    ("seeds", None, f"seeds is a NoneType: {BUFFER} float64"),
    ("decay_factors", numpy.array([]), "decay_factors is empty: it must hold the factor of hop 0 at least"),
    ("decay_factors", numpy.array([1.0, -0.5]), f"decay_factors[1] is -0.5: {RANGE}"),
]


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
