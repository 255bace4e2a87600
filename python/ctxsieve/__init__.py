"""ctxsieve decides what a coding agent gets to see: the right files, the right lines, within the token budget."""

from importlib import import_module
from typing import Any

__all__ = ["__version__"]

__version__ = "0.1.0"

# Importing the package stays cheap (no numpy, no command line); the public names load on first use.
_LAZY: dict[str, str] = {}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
