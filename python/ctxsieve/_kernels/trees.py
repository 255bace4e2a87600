"""What the index kernels return."""

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["LANGUAGE_BY_INTERPRETER", "NO_LANGUAGE", "SKIP_REASONS", "WalkedEntry", "WalkedTree"]

NO_LANGUAGE = -1
# The `#!` line decides.
LANGUAGE_BY_INTERPRETER = -2

SKIP_REASONS = ("symbolic link: not followed", "special file: not opened", "cannot be read")


class WalkedTree(NamedTuple):
    """The files of a tree: `paths` (bytes, POSIX, relative) in ascending order, with one entry each in the arrays.

    `sizes` uint64, `mtimes_ns` and `ctimes_ns` int64, `inodes` uint64. `skipped` holds (path, index into
    `SKIP_REASONS`); `repositories` are folders below the root that are repositories of their own, such as submodules.
    """

    paths: list[bytes]
    sizes: "npt.NDArray[np.uint64]"
    mtimes_ns: "npt.NDArray[np.int64]"
    ctimes_ns: "npt.NDArray[np.int64]"
    inodes: "npt.NDArray[np.uint64]"
    skipped: list[tuple[bytes, int]]
    repositories: list[bytes]


class WalkedEntry(NamedTuple):
    """What a walk says about one path: a folder that it reads, a file with its status, or skipped by `SKIP_REASONS`.

    None of them where the path is excluded or gone.
    """

    is_folder: bool
    status: os.stat_result | None
    skip: int | None
