"""Blocks of code lines that stand in several places, exactly but for white space and comments."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.values import dataclass

__all__ = ["Copies", "find_copies"]

_MULTIPLIER = np.uint64(0x9E37_79B9_7F4A_7C15)


@dataclass(frozen=True, slots=True)
class Copies:
    """A block and its copies: `starts` are positions in the joined lines, `length` their number of lines."""

    starts: tuple[int, ...]
    length: int


def find_copies(files: Sequence[npt.NDArray[np.uint64]], minimum: int) -> list[Copies]:
    """Return the maximal blocks of at least `minimum` lines that stand in two and more places, by first place.

    Lines are given as digests per file; a block never spans files, and copies do not overlap. A block that only repeats
    part of a longer one, in no other place, is none of its own.
    """
    joined = np.concatenate([np.zeros(0, np.uint64), *files])
    windows, positions = _windows(files, minimum)
    if len(windows) < 2:
        return []
    order = np.lexsort((positions, windows))
    windows, positions = windows[order], positions[order]
    bounds = np.flatnonzero(np.concatenate(([True], windows[1:] != windows[:-1], [True])))
    groups: dict[int, tuple[int, ...]] = {}
    repeated = np.flatnonzero(np.diff(bounds) > 1)
    for at in repeated.tolist():
        starts = positions[bounds[at] : bounds[at + 1]].tolist()
        for alike in _really_equal(joined, starts, minimum):
            groups[alike[0]] = alike
    found = [copies for copies in _maximal(groups, minimum) if _is_telling(joined, copies)]
    return sorted(found, key=lambda copies: (copies.starts, -copies.length))


def _is_telling(joined: npt.NDArray[np.uint64], copies: Copies) -> bool:
    """Say whether most lines of a block differ from each other: tables of equal rows are no copies."""
    start = copies.starts[0]
    return len(set(joined[start : start + copies.length].tolist())) * 2 > copies.length


def _windows(
    files: Sequence[npt.NDArray[np.uint64]], size: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Return a rolling hash of each run of `size` lines inside a file, and where it starts in the joined lines."""
    hashes, positions = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    offset = 0
    with np.errstate(over="ignore"):
        for digests in files:
            count = len(digests) - size + 1
            if count > 0:
                window = np.zeros(count, np.uint64)
                for step in range(size):
                    window = window * _MULTIPLIER + digests[step : step + count]
                hashes.append(window)
                positions.append(np.arange(offset, offset + count, dtype=np.int64))
            offset += len(digests)
    return np.concatenate(hashes), np.concatenate(positions)


def _really_equal(joined: npt.NDArray[np.uint64], starts: list[int], size: int) -> list[tuple[int, ...]]:
    """Return the starts in groups whose lines are equal one by one, those apart from others dropped."""
    groups: dict[bytes, list[int]] = {}
    for start in starts:
        groups.setdefault(joined[start : start + size].tobytes(), []).append(start)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def _maximal(groups: dict[int, tuple[int, ...]], size: int) -> list[Copies]:
    """Join windows that follow each other in all their places."""
    found = []
    for first in sorted(groups):
        starts = groups[first]
        before = groups.get(first - 1)
        if (
            before is not None
            and len(before) == len(starts)
            and all(one + 1 == other for one, other in zip(before, starts, strict=True))
        ):
            continue
        length = size
        while True:
            step = length - size + 1
            following = groups.get(first + step)
            if following is None or following != tuple(start + step for start in starts):
                break
            length += 1
        apart = _without_overlap(starts, length)
        if len(apart) > 1:
            found.append(Copies(apart, length))
    return found


def _without_overlap(starts: tuple[int, ...], length: int) -> tuple[int, ...]:
    kept: list[int] = []
    for start in starts:
        if not kept or start >= kept[-1] + length:
            kept.append(start)
    return tuple(kept)
