"""Exact MMR over real lines against its twin, its growth, and near-duplicate libraries for orientation."""

from collections.abc import Callable
from importlib.util import find_spec

import numpy
from benches.python.harness import Measure, Row, Rows
from benches.python.lines import real_lines, to_buffer

from ctxsieve._kernels import _native, pure

EVERY = 2**62


def rows(*, large: bool) -> Rows:  # noqa: ARG001
    """Yield the rows; the relevance of all lines is .4, so that selection goes on to the last line."""
    text, offsets = to_buffer(real_lines(3_000))
    relevance = numpy.full(3_000, 0.4)
    yield Row(
        kernel="mmr",
        workload="3,000 real lines, all",
        other_name="pure twin",
        ours=native(3_000, EVERY),
        other=lambda: pure.mmr(text, offsets, relevance=relevance, lambda_=0.7, max_selected=EVERY),
        goal=30,
    )
    if find_spec("datasketch"):
        yield Row(
            kernel="mmr",
            workload="10,000 real lines, all",
            other_name="datasketch MinHashLSH, 128, >= .93, not exact",
            ours=native(10_000, EVERY),
            other=lambda: minhash_duplicates(real_lines(10_000)),
        )
    yield Row(
        kernel="mmr",
        workload="1e4 -> 1e5 real lines, all",
        other_name="itself",
        ours=native(100_000, EVERY),
        other=native(10_000, EVERY),
        goal=25,
        measure=Measure.GROWTH,
    )
    yield Row(
        kernel="mmr",
        workload="1,000 -> 10,000 selected of 100,000 real lines",
        other_name="itself",
        ours=native(100_000, 10_000),
        other=native(100_000, 1_000),
        measure=Measure.GROWTH,
    )


def native(count: int, max_selected: int) -> Callable[[], object]:
    """Return a call of the native kernel."""
    text, offsets = to_buffer(real_lines(count))
    relevance = numpy.full(count, 0.4)
    return lambda: _native.mmr(text, offsets, relevance=relevance, lambda_=0.7, max_selected=max_selected)


def minhash_duplicates(lines: tuple[str, ...]) -> int:
    """Return how many lines have an earlier near duplicate, by estimate."""
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=0.93, num_perm=128)
    found = 0
    for number, line in enumerate(lines):
        if len(line) < 4:
            continue
        sketch = MinHash(num_perm=128)
        sketch.update_batch({line[at : at + 2].encode() for at in range(len(line) - 1)})
        if index.query(sketch):
            found += 1
        else:
            index.insert(str(number), sketch)
    return found
