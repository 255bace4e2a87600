from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies.backends import assert_refused, assert_twins
from strategies.graphs import WEIGHTS

Edges = tuple[int, Any, Any, Any]


@st.composite
def edge_lists(draw: st.DrawFn) -> Edges:
    """Draw edges with repetitions and edges of a node to itself, sorted or not."""
    nodes = draw(st.integers(0, 12))
    node = st.integers(0, max(nodes - 1, 0))
    listed = draw(st.lists(st.tuples(node, node, WEIGHTS), max_size=40 if nodes else 0))
    if draw(st.booleans()):
        listed.sort(key=lambda edge: edge[:2])
    sources, targets = (numpy.array([edge[end] for edge in listed], dtype=numpy.int64) for end in (0, 1))
    return nodes, sources, targets, numpy.array([edge[2] for edge in listed], dtype=numpy.float64)


@settings(max_examples=200, deadline=None)
@given(edges=edge_lists(), both_ways=st.booleans(), loop_weight=st.sampled_from([0.0, 0.5, 1e100]))
def test_rows_are_the_sorted_sums_of_the_edges(edges: Edges, both_ways: bool, loop_weight: float) -> None:
    nodes, sources, targets, weights = edges
    rows, columns, values = sources, targets, weights
    if both_ways:
        rows, columns = numpy.concatenate((sources, targets)), numpy.concatenate((targets, sources))
        values = numpy.concatenate((weights, weights))
    if loop_weight > 0:
        every = numpy.arange(nodes)
        rows, columns = numpy.concatenate((rows, every)), numpy.concatenate((columns, every))
        values = numpy.concatenate((values, numpy.full(nodes, loop_weight)))
    places, position = numpy.unique(rows * nodes + columns, return_inverse=True)
    summed = numpy.bincount(position, weights=values, minlength=len(places)) if len(rows) else numpy.zeros(0)
    starts = numpy.searchsorted(places, numpy.arange(nodes + 1) * nodes)

    found = assert_twins("build_csr", *edges, both_ways=both_ways, loop_weight=loop_weight)
    assert found == (
        ("int64", (nodes + 1,), starts.astype(numpy.int64).tobytes()),
        ("uint32", (len(places),), (places % max(nodes, 1)).astype(numpy.uint32).tobytes()),
        ("float64", (len(places),), summed.astype(numpy.float64).tobytes()),
    )


GOOD: dict[str, Any] = {
    "nodes": 2,
    "sources": numpy.array([0, 1]),
    "targets": numpy.array([1, 1]),
    "weights": numpy.ones(2),
    "both_ways": True,
    "loop_weight": 0.0,
}
BUFFER = "it must be a contiguous one-dimensional buffer of"
RANGE = "it must be 0 or from 1e-100 to 1e+100"
BAD: list[tuple[str, Any, str]] = [
    ("nodes", -1, "nodes is -1: it must be from 0 to 2147483646"),
    ("nodes", 2**31, "nodes is 2147483648: it must be from 0 to 2147483646"),
    ("nodes", 1, "sources[1] is 1: it must be 0 or more and less than the number of nodes, 1"),
    ("sources", numpy.array([0, -1]), "sources[1] is -1: it must be 0 or more and less than the number of nodes, 2"),
    ("sources", numpy.array([0, 1], dtype=numpy.int32), f"sources holds items of format 'i': {BUFFER} int64"),
    ("sources", numpy.array([0, 9, 1])[::2], f"sources is not contiguous: {BUFFER} int64"),
    ("targets", numpy.array([0, 2]), "targets[1] is 2: it must be 0 or more and less than the number of nodes, 2"),
    ("targets", numpy.array([0]), "there are 1 targets for 2 sources: they must be equal in number"),
    ("weights", numpy.ones(3), "there are 3 weights for 2 sources: they must be equal in number"),
    ("weights", numpy.array([1.0, numpy.nan]), f"weights[1] is nan: {RANGE}"),
    ("weights", numpy.array([-1.0, 1.0]), f"weights[0] is -1.0: {RANGE}"),
    ("loop_weight", numpy.inf, f"loop_weight[0] is inf: {RANGE}"),
    ("loop_weight", -0.5, f"loop_weight[0] is -0.5: {RANGE}"),
]


@pytest.mark.parametrize(("name", "value", "text"), BAD)
def test_bad_input_is_refused_with_one_text(name: str, value: Any, text: str) -> None:
    arguments = {**GOOD, name: value}
    positional = [arguments.pop(part) for part in ("nodes", "sources", "targets", "weights")]
    assert_refused("build_csr", text, *positional, **arguments)


@pytest.mark.parametrize("value", [None, 1, "x", numpy.float64(1.0)])
def test_only_truth_values_say_whether_edges_go_both_ways(value: Any) -> None:
    edges = (2, GOOD["sources"], GOOD["targets"], GOOD["weights"])
    refused = assert_twins("build_csr", *edges, both_ways=value, loop_weight=0.0)
    assert refused[0] is TypeError
    assert refused[1].endswith(" is not an instance of 'bool'")
    assert assert_twins("build_csr", *edges, both_ways=numpy.bool_(True), loop_weight=0.0)[0][0] == "int64"
