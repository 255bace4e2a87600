"""Where a project keeps the tests of a file, and its manifests, by each language's conventions."""

import posixpath
from collections.abc import Iterable
from fnmatch import fnmatchcase

from ctxsieve.languages.registry import LANGUAGES, language_of

__all__ = ["candidate_test_paths", "is_manifest", "manifest_patterns"]

_SOURCE_FOLDERS = ("src", "lib", "app", "python", "source")
_COMMON_MANIFESTS = (
    "Dockerfile",
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.yaml",
    "Makefile",
    "justfile",
    ".env",
    ".env.*",
    ".editorconfig",
    ".gitlab-ci.yml",
    ".github/workflows/*.yml",
    ".github/workflows/*.yaml",
)


def candidate_test_paths(path: str) -> tuple[str, ...]:
    """Return where the tests of a file are by convention, the likeliest first; empty for what is no code.

    The first path is where a missing test would be put.
    """
    language = language_of(path)
    if language is None:
        return ()
    directory, _, name = path.rpartition("/")
    stem = name.partition(".")[0] if name.count(".") == 1 else name.rpartition(".")[0]
    parts = directory.split("/") if directory else []
    values = {
        "stem": stem,
        "lower_stem": stem.lower(),
        "directory": directory,
        "directory_name": parts[-1] if parts else stem,
        "inner": "/".join(_without_source_folder(parts)),
        "crate": "/".join(_before(parts, "src")),
        "module": _module(parts),
        "test_tree": directory.replace("src/main/", "src/test/") if "src/main/" in directory + "/" else directory,
    }
    found = (posixpath.normpath(pattern.format(**values).lstrip("/")) for pattern in language.test_candidates)
    return tuple(dict.fromkeys(candidate for candidate in found if candidate != path))


def _without_source_folder(parts: list[str]) -> list[str]:
    """Return the directories below the source folder; the package's own directory does not count for Python-like."""
    for position, part in enumerate(parts):
        if part in _SOURCE_FOLDERS:
            return parts[position + 1 :]
    return parts[1:]


def _before(parts: list[str], folder: str) -> list[str]:
    return parts[: parts.index(folder)] if folder in parts else parts


def _module(parts: list[str]) -> str:
    for folder in ("Sources", "Source"):
        if folder in parts and parts.index(folder) + 1 < len(parts):
            return parts[parts.index(folder) + 1]
    return parts[0] if parts else ""


def manifest_patterns(languages: Iterable[str]) -> tuple[str, ...]:
    """Return the names of manifests and configuration files of some languages and of every project.

    Patterns without a slash are base names at any depth; others are paths from the root.
    """
    own = (pattern for name in languages if name in LANGUAGES for pattern in LANGUAGES[name].manifests)
    return tuple(dict.fromkeys((*own, *_COMMON_MANIFESTS)))


def is_manifest(path: str, patterns: Iterable[str]) -> bool:
    """Tell whether a path fits one of the patterns."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in pattern else name, pattern) for pattern in patterns)
