"""Why files depend on each other."""

from enum import IntEnum

__all__ = ["EdgeKind"]


class EdgeKind(IntEnum):
    """Why one file depends on another."""

    IMPORT = 0
    RE_EXPORT = 1
    PACKAGE = 2
    TYPE_USE = 3
    INCLUDE = 4
    MODULE = 5
    TEST_OF = 6
