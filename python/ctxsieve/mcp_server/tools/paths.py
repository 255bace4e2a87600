"""Paths of files in a tool's arguments."""

from pathlib import Path

from ctxsieve.errors import PathError
from ctxsieve.jail import path_below

__all__ = ["file_path"]


def file_path(root: Path, path: str) -> str:
    """Return a path that an agent gave, relative to the root; nothing is opened.

    Raises:
        PathError: it leaves the root by its spelling, or names a directory.
    """
    plain = path_below(root, path)
    if path.endswith(("/", "/.")):
        raise PathError(f"path {path[:200]!r} ends like a directory: name a file in it")
    return plain
