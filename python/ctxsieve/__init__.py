"""ctxsieve decides what a coding agent gets to see: the right files, the right lines, within the token budget."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctxsieve.api import Project

__all__ = ["Project", "__version__"]

__version__ = "0.1.0"

# Importing the package stays cheap (no numpy, no command line); the public names load on first use.
_LAZY = {"Project": "ctxsieve.api"}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
