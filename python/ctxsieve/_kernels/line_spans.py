"""Ranges of lines as they cross the border: first and last line, one range behind the other."""

from collections.abc import Iterable
from itertools import chain

import numpy as np
import numpy.typing as npt

from ctxsieve.fragments import LineRange

__all__ = ["flat_lines", "ranges_of"]


def flat_lines(ranges: Iterable[LineRange]) -> npt.NDArray[np.uint32]:
    """Return first and last line of each range, one range behind the other."""
    return np.fromiter(chain.from_iterable((span.first, span.last) for span in ranges), dtype=np.uint32)


def ranges_of(flat: npt.NDArray[np.uint32]) -> tuple[LineRange, ...]:
    """Return the ranges of an array of first and last lines."""
    bounds = flat.tolist()
    return tuple(map(LineRange, bounds[::2], bounds[1::2]))
