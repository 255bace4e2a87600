"""Ranges of lines made in bulk are those that are made one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve._kernels import flat_lines, ranges_of, shown_and_omitted
from ctxsieve.fragments import LineRange


@given(st.sets(st.integers(1, 40)), st.integers(0, 45))
def test_lines_are_shown_or_omitted(hidden: set[int], line_count: int) -> None:
    hidden = {line for line in hidden if line <= line_count}
    starts = sorted(line for line in hidden if line - 1 not in hidden)
    ends = sorted(line for line in hidden if line + 1 not in hidden)
    gaps = tuple(map(LineRange, starts, ends))
    shown, omitted = shown_and_omitted(flat_lines(gaps), line_count)
    assert omitted == gaps
    assert all(span.first <= span.last for span in shown)
    visible = [line for span in shown for line in range(span.first, span.last + 1)]
    assert visible == [line for line in range(1, line_count + 1) if line not in hidden]


def test_ranges_are_plain_values() -> None:
    flat = np.array([3, 4, 7, 7], dtype=np.uint32)
    assert ranges_of(flat) == (LineRange(3, 4), LineRange(7, 7))
    assert [type(span.last) for span in ranges_of(flat)] == [int, int]
    assert flat_lines(ranges_of(flat)).tolist() == flat.tolist()
