"""Where caches and durable state of a project live."""

from collections.abc import Mapping
from pathlib import Path

from ctxsieve.store import store_path
from ctxsieve.values import dataclass

__all__ = ["Directories", "find_directories"]


@dataclass(frozen=True, slots=True)
class Directories:
    """The folders of one project: `cache` may be deleted at any time; `store` is the durable database."""

    cache: Path
    store: Path


def find_directories(root: Path, environment: Mapping[str, str]) -> Directories:
    """Return the places below the platform's directories, or below CTXSIEVE_CACHE_DIR and CTXSIEVE_STATE_DIR."""
    store = store_path(root, state_directory=environment.get("CTXSIEVE_STATE_DIR") or None)
    cache = environment.get("CTXSIEVE_CACHE_DIR") or _default_cache_directory()
    return Directories(cache=Path(cache) / "projects" / store.parent.name, store=store)


def _default_cache_directory() -> str:
    import platformdirs

    return platformdirs.user_cache_dir("ctxsieve", appauthor=False)
