"""Public names that load when they are first used.

A command starts in the time that its imports take. A package whose parts are rarely used together names them here
instead of importing them; type checkers see the imports that stand under TYPE_CHECKING.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_exports"]


def lazy_exports(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a module's `__getattr__` (PEP 562) that finds each name in its home, a full module name."""

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return load
