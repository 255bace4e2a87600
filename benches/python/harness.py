"""Rows of the table: two callables on the same input, run in turns, medians of processor time."""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Measure", "Result", "Row", "measure", "take_turns"]

# One sample runs a callable often enough to take this long: short ones drown in the clock's resolution.
SHORTEST_SAMPLE_S = 0.005


class Measure(StrEnum):
    """What the ratio of a row says."""

    SPEED = "speed"  # time of the other side / time of ours: goals are minima
    GROWTH = "growth"  # time of the ten times larger input / time of the small one: goals are maxima


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One comparison. `ours` is the native kernel; for growth it runs the larger input, `other` the smaller."""

    kernel: str
    workload: str
    other_name: str
    ours: Callable[[], object]
    other: Callable[[], object]
    goal: float | None = None
    measure: Measure = Measure.SPEED
    rounds: int = 5

    @property
    def sides(self) -> tuple[tuple[str, Callable[[], object]], tuple[str, Callable[[], object]]]:
        """What runs on each side, by name, the native kernel first."""
        if self.measure == Measure.GROWTH:
            return ("native, larger input", self.ours), ("native, smaller input", self.other)
        return ("native", self.ours), (self.other_name, self.other)


@dataclass(frozen=True, slots=True)
class Result:
    """Median seconds of both sides, and their ratio."""

    kernel: str
    workload: str
    other_name: str
    measure: str
    ours_s: float
    other_s: float
    ratio: float
    goal: float | None

    @property
    def is_reached(self) -> bool | None:
        """Whether the goal is reached; None without a goal."""
        if self.goal is None:
            return None
        return self.ratio <= self.goal if self.measure == Measure.GROWTH else self.ratio >= self.goal


def measure(row: Row) -> Result:
    """Return the medians of at least five rounds, both sides in turns."""
    ours, other = take_turns(row.ours, row.other, row.rounds)
    ratio = ours / other if row.measure == Measure.GROWTH else other / ours
    return Result(row.kernel, row.workload, row.other_name, row.measure, ours, other, ratio, row.goal)


def take_turns(one: Callable[[], object], other: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the median processor seconds of two callables.

    Processor time, because both sides use one thread and the machine may be shared: waiting for a core is no
    one's merit. Each callable runs once before, unmeasured.
    """
    repeats = [_repeats(one), _repeats(other)]
    samples: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for side, call in enumerate((one, other)):
            samples[side].append(_sample(call, repeats[side]))
    return statistics.median(samples[0]), statistics.median(samples[1])


def _repeats(call: Callable[[], object]) -> int:
    call()
    return max(1, round(SHORTEST_SAMPLE_S / max(_sample(call, 1), 1e-9)))


def _sample(call: Callable[[], object], repeats: int) -> float:
    begin = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - begin) / repeats


Rows = Iterator[Row]
