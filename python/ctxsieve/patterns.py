"""Regular expressions that are compiled when they are first used.

Compiling takes longer than matching a task, and an answer uses few of the expressions of the modules behind it. Type
checkers see the standard library's own patterns.
"""

import re
from typing import TYPE_CHECKING, Any

__all__ = ["lazy_pattern"]

if TYPE_CHECKING:
    from re import compile as lazy_pattern
else:

    def lazy_pattern(pattern, flags=0):
        """Return what `re.compile` returns, by its methods and attributes, without compiling yet."""
        return _LazyPattern(pattern, flags)


class _LazyPattern:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._arguments = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        # Only called for what is not there yet: a second use finds the pattern's own method.
        value = getattr(re.compile(*self._arguments), name)
        setattr(self, name, value)
        return value
