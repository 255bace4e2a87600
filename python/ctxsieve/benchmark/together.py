"""Files read several at a time, with and without the algorithms that act across files."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ctxsieve.compress import CompressionOptions
from ctxsieve.dedup import DedupOptions
from ctxsieve.errors import InputError, PathError
from ctxsieve.pipeline import Reading, ReadOptions, SpellingOptions, read_files

__all__ = ["FILES_TOGETHER", "read_together"]

# What an agent loads at once: neighbours in the tree.
FILES_TOGETHER = 8


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
    """Yield each file as it is read among `FILES_TOGETHER` neighbours, without repeats and with them."""
    for start in range(0, len(paths), FILES_TOGETHER):
        group = paths[start : start + FILES_TOGETHER]
        try:
            without, whole = (
                read_files(root, group, mode, options=options, compression=compression, spelling=spelling, dedup=how)
                for how in (replace(dedup, enabled=True), replace(dedup, enabled=False))
            )
        except (InputError, PathError):
            continue
        yield from zip(without, whole, strict=True)
