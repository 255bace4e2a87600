"""The values that pass between the layers: spans, definitions and rendered text."""

from dataclasses import dataclass

__all__ = ["LineRange"]


@dataclass(frozen=True, slots=True, order=True)
class LineRange:
    """Lines `first` to `last` of one file, counted from 1, both included."""

    first: int
    last: int
