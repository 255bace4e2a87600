"""Ranges of lines as they cross the border: first and last line, one range behind the other."""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from operator import gt
from typing import Any

import numpy as np
import numpy.typing as npt

from ctxsieve.fragments import LineRange

__all__ = ["flat_lines", "ranges_of", "shown_and_omitted"]

_make: Any = object.__new__
_set_first: Any = LineRange.__dict__["first"].__set__
_set_last: Any = LineRange.__dict__["last"].__set__


def flat_lines(ranges: Iterable[LineRange]) -> npt.NDArray[np.uint32]:
    """Return first and last line of each range, one range behind the other."""
    return np.fromiter(chain.from_iterable((span.first, span.last) for span in ranges), dtype=np.uint32)


def ranges_of(flat: npt.NDArray[np.uint32]) -> tuple[LineRange, ...]:
    """Return the ranges of an array of first and last lines."""
    bounds = flat.tolist()
    return _ranges(bounds[::2], bounds[1::2])


def shown_and_omitted(
    gaps: npt.NDArray[np.uint32], line_count: int
) -> tuple[tuple[LineRange, ...], tuple[LineRange, ...]]:
    """Return the lines from 1 to `line_count` outside the gaps, which ascend and do not touch, and the gaps."""
    bounds = gaps.tolist()
    firsts, lasts = bounds[::2], bounds[1::2]
    begins = [1, *[last + 1 for last in lasts]]
    ends = [*[first - 1 for first in firsts], line_count]
    if any(map(gt, begins, ends)):
        filled = [(first, last) for first, last in zip(begins, ends, strict=True) if first <= last]
        begins, ends = [first for first, _ in filled], [last for _, last in filled]
    return _ranges(begins, ends), _ranges(firsts, lasts)


def _ranges(firsts: Sequence[int], lasts: Sequence[int]) -> tuple[LineRange, ...]:
    # An answer has ten thousands of them. Without a call of Python's own for each they are made in half of the time.
    spans = tuple(map(_make, repeat(LineRange, len(firsts))))
    deque(map(_set_first, spans, firsts), 0)
    deque(map(_set_last, spans, lasts), 0)
    return spans
