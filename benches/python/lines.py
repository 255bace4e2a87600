"""Real lines for the benches: the Python sources that are installed, shuffled by file with a fixed seed."""

import random
import sysconfig
from functools import cache
from pathlib import Path
from typing import Any

import numpy

__all__ = ["real_lines", "to_buffer"]


@cache
def real_lines(count: int) -> tuple[str, ...]:
    """Return `count` white-space-normalised lines, blank ones included, files in one random order."""
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")}
    paths = sorted(path for folder in folders for path in Path(folder).rglob("*.py"))
    random.Random(1).shuffle(paths)
    lines: list[str] = []
    for path in paths:
        try:
            lines += [" ".join(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]
        except (UnicodeDecodeError, OSError):
            continue
        if len(lines) >= count:
            return tuple(lines[:count])
    raise RuntimeError(f"the installed sources have {len(lines)} lines: {count} are needed")


def to_buffer(lines: tuple[str, ...]) -> tuple[bytes, Any]:
    """Return the lines as one text and their offsets."""
    encoded = [line.encode() for line in lines]
    return b"".join(encoded), numpy.cumsum([0] + [len(line) for line in encoded], dtype=numpy.int64)
