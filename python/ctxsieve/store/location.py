"""Where a project's store lives."""

import os
import re
from pathlib import Path

from ctxsieve._kernels import sha256

__all__ = ["default_state_directory", "store_path"]

STORE_FILE_NAME = "store.sqlite3"


def default_state_directory() -> Path:
    """The platform's directory for state, for example `~/.local/state/ctxsieve`."""
    import platformdirs

    return Path(platformdirs.user_state_dir("ctxsieve", appauthor=False))


def store_path(project_root: str | os.PathLike[str], *, state_directory: str | os.PathLike[str] | None = None) -> Path:
    """The file of the store of one project.

    Projects are told apart by the resolved path of their root, so that a symbolic link and its target share a
    store. The folder carries the root's name for people who look.
    """
    root = Path(project_root).resolve()
    digest = sha256(os.fsencode(root)).hex()[:16]
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", root.name)[:40] or "root"
    directory = Path(state_directory) if state_directory is not None else default_state_directory()
    return directory / "projects" / f"{readable}-{digest}" / STORE_FILE_NAME
