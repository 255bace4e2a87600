"""What alignment may change."""

from ctxsieve.values import dataclass

__all__ = ["AlignOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignOptions:
    """Which spellings are chosen by their tokens.

    Attributes:
        source: white space at the ends of source lines in the modes that are not verbatim.
        notation: declarations in `signatures`.
    """

    source: bool = True
    notation: bool = True
