"""`ctxsieve doctor`: what this installation can do, and what is wrong with it."""

import platform
import shutil
from pathlib import Path

import typer

from ctxsieve.cli.options import FormatOption, PathOption
from ctxsieve.cli.output import OutputFormat, print_records

__all__ = ["doctor"]


def doctor(path: PathOption = Path("."), output: FormatOption = OutputFormat.TEXT) -> None:
    """Check the installation and the project: backend, vocabulary, grammars, git, directories."""
    from ctxsieve import __version__
    from ctxsieve._kernels import BACKEND
    from ctxsieve.api import Project
    from ctxsieve.languages import LANGUAGES
    from ctxsieve.tokens import count_tokens

    project = Project.open(path)
    checks = [
        ("version", __version__, True),
        ("python", platform.python_version(), True),
        ("backend", BACKEND, True),
        ("vocabulary", "o200k_base", count_tokens("ctxsieve decides") > 0),
        ("languages", str(len(LANGUAGES)), bool(LANGUAGES)),
        ("git", shutil.which("git") or "not found: history is not used", shutil.which("git") is not None),
        ("root", str(project.root), True),
        ("cache", str(project.directories.cache), _is_writable(project.directories.cache)),
        ("state", str(project.directories.store), _is_writable(project.directories.store.parent)),
    ]
    rows = [{"check": name, "value": value, "status": "ok" if good else "problem"} for name, value, good in checks]
    print_records(rows, output, name="check")
    if not all(good for name, _, good in checks if name != "git"):
        raise typer.Exit(1)


def _is_writable(directory: Path) -> bool:
    """Say whether the directory, or the nearest of its parents that exists, can be written."""
    import os

    while not directory.exists() and directory != directory.parent:
        directory = directory.parent
    return os.access(directory, os.W_OK)
