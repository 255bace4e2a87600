"""Surprise has the same bits in both implementations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import pure_arrays as pure
from ctxsieve._kernels.pure.surprise_lines import surprise_lines as pure_lines
from strategies.backends import native

COSTS = st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=20), max_size=20)
CODE = st.lists(
    st.sampled_from(
        [
            *"aAbZ019 \t\n\n.('_=;/",
            "    ",
            "\r\n",
            "\r",
            "return ",
            "don't",
            "é",
            "中文",
            "\u00a0",
            "\ud7ff",
            "12345",
            "----",
        ]
    ),
    max_size=80,
).map("".join)


@settings(deadline=None)
@given(COSTS, st.floats(min_value=1e-3, max_value=1e9))
def test_means_have_the_same_bits(lines: list[list[int]], units_per_bit: float) -> None:
    costs = np.array([cost for line in lines for cost in line], dtype=np.uint32)
    offsets = np.cumsum([0, *map(len, lines)], dtype=np.int64)
    ours = native.surprise(costs, offsets, units_per_bit=units_per_bit)
    theirs = pure.surprise(costs, offsets, units_per_bit=units_per_bit)
    assert (ours.dtype, ours.tobytes()) == (theirs.dtype, theirs.tobytes())


@settings(deadline=None)
@given(st.lists(st.one_of(CODE.map(str.encode), st.binary(max_size=200)), max_size=4), st.integers(1, 3))
def test_lines_have_the_same_bits(buffers: list[bytes], threads: int) -> None:
    for ours, theirs in zip(
        native.surprise_lines(buffers, threads=threads), pure_lines(buffers, threads=threads), strict=True
    ):
        assert (ours.dtype, ours.tobytes()) == (theirs.dtype, theirs.tobytes())


@pytest.mark.parametrize(
    ("costs", "offsets", "units_per_bit"),
    [
        (np.zeros(2, np.uint32), np.zeros(0, np.int64), 1.0),
        (np.zeros(2, np.uint32), np.array([1, 2]), 1.0),
        (np.zeros(2, np.uint32), np.array([0, 2, 1]), 1.0),
        (np.zeros(2, np.uint32), np.array([0, 2**40]), 1.0),
        (np.zeros(2, np.uint32), np.array([0, -1]), 1.0),
        (np.zeros(2, np.uint32), np.array([0, 2]), 0.0),
        (np.zeros(2, np.uint32), np.array([0, 2]), float("nan")),
        (np.zeros(2, np.uint32), np.array([0, 2]), float("inf")),
        (np.zeros(2, np.float64), np.array([0, 2]), 1.0),
        (np.zeros(4, np.uint32)[::2], np.array([0, 2]), 1.0),
        (np.zeros((2, 1), np.uint32), np.array([0, 2]), 1.0),
        (None, np.array([0, 2]), 1.0),
        (np.zeros(2, np.uint32), np.array([0, 2], np.int32), 1.0),
    ],
)
def test_bad_arguments_raise_the_same_text(costs: object, offsets: object, units_per_bit: float) -> None:
    with pytest.raises(ValueError, match=r"it must (be|hold|end at) ") as ours:
        native.surprise(costs, offsets, units_per_bit=units_per_bit)
    with pytest.raises(ValueError, match=r"it must (be|hold|end at) ") as theirs:
        pure.surprise(costs, offsets, units_per_bit=units_per_bit)
    assert str(ours.value) == str(theirs.value)
