"""Reciprocal rank fusion against its twin."""

from collections.abc import Callable

import numpy
from benches.python.harness import Measure, Row, Rows

from ctxsieve._kernels import _native, pure

DIRECTIONS = [True, True, True]


def rows(*, large: bool) -> Rows:
    """Yield the rows: recency in seconds, frequency and size as counts."""
    for entries, goal in ((2_000, 5), (100_000, 30)):
        signals = signals_of(entries)
        yield Row(
            kernel="rrf",
            workload=f"{entries:.0e} entries, 3 signals",
            other_name="pure twin",
            ours=native(entries),
            other=lambda signals=signals: pure.rrf(signals, largest_first=DIRECTIONS, k=60.0),
            goal=goal,
        )
    sizes = ((10_000, 100_000), (100_000, 1_000_000)) if large else ((10_000, 100_000),)
    for small, tenfold in sizes:
        yield Row(
            kernel="rrf",
            workload=f"{small:.0e} -> {tenfold:.0e} entries",
            other_name="itself",
            ours=native(tenfold),
            other=native(small),
            goal=12,
            measure=Measure.GROWTH,
        )


def signals_of(entries: int) -> list[numpy.ndarray]:
    """Return three signals with ties."""
    rng = numpy.random.default_rng(3)
    recency = rng.random(entries) * 1e6
    return [recency, rng.geometric(0.1, entries).astype(float), rng.integers(1, 5_000, entries).astype(float)]


def native(entries: int) -> Callable[[], object]:
    """Return a call of the native kernel."""
    signals = signals_of(entries)
    return lambda: _native.rrf(signals, largest_first=DIRECTIONS, k=60.0)
