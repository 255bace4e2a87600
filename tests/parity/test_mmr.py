from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies.backends import assert_refused, assert_twins
from strategies.lines import LINES, to_buffer

RELEVANCE = st.sampled_from([0.0, -0.0, 0.4, 0.4, 0.4, 0.7, 1.0]) | st.floats(0.0, 1.0)


@settings(max_examples=200, deadline=None)
@given(
    lines=LINES,
    data=st.data(),
    lambda_=st.sampled_from([0.0, 0.3, 0.7, 0.7, 1.0]),
    max_selected=st.sampled_from([0, 3, 1000]),
)
def test_twins_return_the_same_bits(lines: list[str], data: st.DataObject, lambda_: float, max_selected: int) -> None:
    values = data.draw(st.lists(RELEVANCE, min_size=len(lines), max_size=len(lines)))
    relevance = numpy.array(values, dtype=numpy.float64)
    statuses, nearest, similarities = assert_twins(
        "mmr", *to_buffer(lines), relevance=relevance, lambda_=lambda_, max_selected=max_selected
    )
    assert (statuses[0], nearest[0], similarities[0]) == ("uint8", "int64", "float64")


@settings(max_examples=200, deadline=None)
@given(lines=LINES, data=st.data(), lambda_=st.sampled_from([0.0, 0.3, 0.7, 0.7, 1.0]))
def test_twins_return_the_same_bits_in_the_order_of_lines(
    lines: list[str], data: st.DataObject, lambda_: float
) -> None:
    values = data.draw(st.lists(RELEVANCE, min_size=len(lines), max_size=len(lines)))
    relevance = numpy.array(values, dtype=numpy.float64)
    statuses, nearest, similarities = assert_twins(
        "mmr_in_order", *to_buffer(lines), relevance=relevance, lambda_=lambda_
    )
    assert (statuses[0], nearest[0], similarities[0]) == ("uint8", "int64", "float64")


TEXT, OFFSETS = to_buffer(["import os", "import sys"])
GOOD: dict[str, Any] = {
    "text": TEXT,
    "offsets": OFFSETS,
    "relevance": numpy.ones(2),
    "lambda_": 0.7,
    "max_selected": 10,
}
BAD: list[tuple[str, Any, str]] = [
    ("text", "import os", "text is a str: it must be a contiguous one-dimensional buffer of uint8"),
    ("text", TEXT[:-1] + b"\xff", "line 1 is not UTF-8: decode it first"),
    ("text", TEXT[:-1], "offsets ends at 19: it must end at the length of the text, 18"),
    (
        "offsets",
        numpy.array([], dtype=numpy.int64),
        "offsets is empty: it must hold one entry more than there are lines",
    ),
    ("offsets", numpy.array([1, 9, 19]), "offsets[0] is 1: it must be 0"),
    ("offsets", numpy.array([0, 20, 19]), "offsets[2] is 19: it must not be less than the 20 before it"),
    ("offsets", numpy.array([0, 9, 2**40]), "offsets ends at 1099511627776: it must end at the length of the text, 19"),
    ("relevance", numpy.ones(3), "there are 3 relevance values for 2 lines: they must be equal in number"),
    ("relevance", numpy.array([0.5, 1.5]), "relevance[1] is 1.5: it must be from 0 to 1"),
    ("relevance", numpy.array([numpy.nan, 0.0]), "relevance[0] is nan: it must be from 0 to 1"),
    ("lambda_", -0.1, "lambda_ is -0.1: it must be from 0 to 1"),
    ("lambda_", float("nan"), "lambda_ is nan: it must be from 0 to 1"),
    ("max_selected", -1, "max_selected is -1: it must be from 0 to 9223372036854775807"),
]


@pytest.mark.parametrize(("name", "value", "text"), BAD, ids=[f"{name}-{at}" for at, (name, _, _) in enumerate(BAD)])
def test_bad_input_is_refused_with_one_text(name: str, value: Any, text: str) -> None:
    arguments = {**GOOD, name: value}
    positional = arguments.pop("text"), arguments.pop("offsets")
    assert_refused("mmr", text, *positional, **arguments)
    if name != "max_selected":
        del arguments["max_selected"]
        assert_refused("mmr_in_order", text, *positional, **arguments)


def test_a_character_cut_by_an_offset_is_refused() -> None:
    options = {"relevance": numpy.ones(2), "lambda_": 0.7, "max_selected": 9}
    text = "line 0 is not UTF-8: decode it first"
    assert_refused("mmr", text, "caf\u00e9".encode(), numpy.array([0, 4, 5]), **options)


def test_no_lines_give_empty_arrays() -> None:
    options = {"relevance": numpy.array([]), "lambda_": 0.7, "max_selected": 9}
    statuses, nearest, similarities = assert_twins("mmr", b"", numpy.array([0]), **options)
    assert [part[1] for part in (statuses, nearest, similarities)] == [(0,)] * 3
