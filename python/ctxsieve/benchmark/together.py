"""Files read several at a time, with and without the algorithms that act across files."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ctxsieve.compress import CompressionOptions
from ctxsieve.dedup import DedupOptions
from ctxsieve.errors import InputError, PathError
from ctxsieve.pipeline import Reading, ReadOptions, SpellingOptions, read_files
from ctxsieve.values import replace

__all__ = ["FILES_TOGETHER", "choose_neighbours", "choose_related", "read_together"]

# What an agent loads at once.
FILES_TOGETHER = 8


def choose_neighbours(paths: Sequence[str], loads: int) -> Iterator[Sequence[str]]:
    """Yield so many loads: each a file and those that follow it in the order of paths, evenly over that order."""
    for number in range(loads):
        start = min(number * len(paths) // loads, max(0, len(paths) - FILES_TOGETHER))
        yield paths[start : start + FILES_TOGETHER]


def choose_related(paths: Sequence[str], loads: int, rank: Callable[[str], Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield so many loads: the first files of the ranking for the change of a file, evenly over the paths."""
    known = set(paths)
    for number in range(loads):
        ranked = rank(f"change {paths[number * len(paths) // loads]}")
        yield [path for path in ranked if path in known][:FILES_TOGETHER]


def read_together(
    root: Path,
    paths: Sequence[str],
    mode: str,
    *,
    options: ReadOptions | None,
    compression: CompressionOptions,
    spelling: SpellingOptions,
    dedup: DedupOptions,
) -> Iterator[tuple[Reading, Reading]]:
    """Yield each file of a load without repeats and with them; nothing of a load that cannot be read."""
    try:
        without, whole = (
            read_files(root, paths, mode, options=options, compression=compression, spelling=spelling, dedup=how)
            for how in (replace(dedup, enabled=True), replace(dedup, enabled=False))
        )
    except (InputError, PathError):
        return
    yield from zip(without, whole, strict=True)
