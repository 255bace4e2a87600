from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies.backends import assert_refused, assert_twins

VALUE = st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.5, 1e300, 5e-324]) | st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), entries=st.integers(1, 60), count=st.integers(1, 4), k=st.sampled_from([0.0, 1.5, 60.0]))
def test_twins_return_the_same_bits(data: st.DataObject, entries: int, count: int, k: float) -> None:
    column = st.lists(VALUE, min_size=entries, max_size=entries)
    signals = [numpy.array(values) for values in data.draw(st.lists(column, min_size=count, max_size=count))]
    directions = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    assert assert_twins("rrf", signals, largest_first=directions, k=k)[0] == "float64"


ONE = numpy.array([1.0, 2.0])
BAD: list[tuple[Any, Any, float, str]] = [
    ([], [], 60.0, "signals is empty: it must hold one signal at least"),
    ([numpy.array([])], [True], 60.0, "signals[0] is empty: it must hold one value at least"),
    ([ONE], [], 60.0, "there are 0 directions for 1 signals: they must be equal in number"),
    ([ONE, ONE[:1]], [True, True], 60.0, "signals[1] holds 1 values: it must hold 2, as signals[0] does"),
    ([ONE, numpy.array([0.0, numpy.nan])], [True, True], 60.0, "signals[1][1] is nan: it must be finite"),
    ([numpy.array([-numpy.inf, 0.0])], [True], 60.0, "signals[0][0] is -inf: it must be finite"),
    ([ONE], [True], -1.0, "k is -1.0: it must be a finite number of at least 0"),
    ([ONE], [True], float("inf"), "k is inf: it must be a finite number of at least 0"),
    (
        [ONE.astype(numpy.int64)],
        [True],
        60.0,
        "signals[0] holds items of format 'l': it must be a contiguous one-dimensional buffer of float64",
    ),
    (
        [numpy.ones(4)[::2]],
        [True],
        60.0,
        "signals[0] is not contiguous: it must be a contiguous one-dimensional buffer of float64",
    ),
]


@pytest.mark.parametrize(("signals", "directions", "k", "text"), BAD, ids=range(len(BAD)))
def test_bad_input_is_refused_with_one_text(signals: Any, directions: Any, k: float, text: str) -> None:
    assert_refused("rrf", text, signals, largest_first=directions, k=k)
