"""Predictive surprise; the twin of rust/kernels/src/surprise.rs."""

from array import array
from collections.abc import Sequence
from itertools import pairwise
from math import isfinite

from ctxsieve._kernels.pure.buffers import Buffer, borrow_int64, borrow_uint32, read_float

__all__ = ["mean_bits", "normalise", "surprise"]


def surprise(costs: Buffer, offsets: Buffer, *, units_per_bit: float) -> "array[float]":
    """Return, for each line, the mean of its token costs in bits; 0 for a line without tokens."""
    costs = borrow_uint32("costs", costs)
    offsets = borrow_int64("offsets", offsets)
    units_per_bit = read_float("units_per_bit", units_per_bit)
    _check(len(costs), offsets, units_per_bit)
    bits = array("d")
    for start, end in pairwise(offsets):
        # Integers: the order of the additions decides nothing.
        bits.append(mean_bits(sum(costs[start:end]), end - start, units_per_bit))
    return bits


def mean_bits(cost: int, tokens: int, units_per_bit: float) -> float:
    """Return the mean cost of the tokens in bits; 0 for none."""
    return float(cost) / units_per_bit / tokens if tokens else 0.0


def normalise(bits: float, shares: Sequence[int], steps_per_bit: float) -> float:
    """Return the share of lines with fewer bits, 0..1, from shares in 1/65535 at every 1/steps_per_bit bit."""
    position = bits * steps_per_bit
    step = int(position)
    if step >= len(shares) - 1:
        return 1.0
    low = float(shares[step])
    return (low + (float(shares[step + 1]) - low) * (position - float(step))) / 65535.0


def _check(costs: int, offsets: Sequence[int], units_per_bit: float) -> None:
    if not (isfinite(units_per_bit) and units_per_bit > 0.0):
        raise ValueError(f"units_per_bit is {units_per_bit!r}: it must be a finite number above 0")
    if not len(offsets):
        raise ValueError("offsets is empty: it must hold one offset at least")
    if offsets[0] != 0:
        raise ValueError(f"offsets[0] is {offsets[0]}: it must be 0")
    previous = 0
    for at, offset in enumerate(offsets):
        if offset < previous:
            raise ValueError(f"offsets[{at}] is {offset}: it must be at least {previous}, as the one before")
        previous = offset
    if previous != costs:
        raise ValueError(f"offsets ends at {previous}: it must end at {costs}, the number of costs")
