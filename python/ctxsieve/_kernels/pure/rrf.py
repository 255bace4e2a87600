"""Reciprocal rank fusion; the twin of rust/kernels/src/rrf.rs."""

from array import array
from collections.abc import Sequence
from math import isfinite

from ctxsieve._kernels.pure.buffers import Buffer, borrow_float64, read_float

__all__ = ["rrf"]


def rrf(signals: Sequence[Buffer], *, largest_first: Sequence[bool], k: float) -> "array[float]":
    """Return, for each entry, the sum over signals of `1 / (k + rank)`; equal values share the smallest rank."""
    k = read_float("k", k)
    if len(signals) != len(largest_first):
        raise ValueError(
            f"there are {len(largest_first)} directions for {len(signals)} signals: they must be equal in number"
        )
    columns = [borrow_float64(f"signals[{number}]", values) for number, values in enumerate(signals)]
    _check(columns, k)
    entries = len(columns[0])
    scores = array("d", bytes(8 * entries))
    for values, descending in zip(columns, largest_first, strict=True):
        previous, term = None, 0.0
        for position, entry in enumerate(sorted(range(entries), key=values.__getitem__, reverse=descending), 1):
            value = values[entry]
            if value != previous:
                term = 1.0 / (k + position)
                previous = value
            scores[entry] += term
    return scores


def _check(columns: Sequence[Sequence[float]], k: float) -> None:
    if not columns:
        raise ValueError("signals is empty: it must hold one signal at least")
    entries = len(columns[0])
    if not entries:
        raise ValueError("signals[0] is empty: it must hold one value at least")
    for number, values in enumerate(columns):
        if len(values) != entries:
            raise ValueError(
                f"signals[{number}] holds {len(values)} values: it must hold {entries}, as signals[0] does"
            )
        for at, value in enumerate(values):
            if not isfinite(value):
                raise ValueError(f"signals[{number}][{at}] is {value!r}: it must be finite")
    if not (isfinite(k) and k >= 0.0):
        raise ValueError(f"k is {k!r}: it must be a finite number of at least 0")
