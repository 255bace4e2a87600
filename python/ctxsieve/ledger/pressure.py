"""How full a context window is (docs/ledger.md)."""

from enum import StrEnum

from ctxsieve.errors import InputError
from ctxsieve.ledger.options import LedgerOptions

__all__ = ["Pressure", "largest_without", "pressure_of"]


class Pressure(StrEnum):
    """What the window asks for."""

    NONE = "none"
    COMPRESS = "compress"
    EVICT = "evict"


def pressure_of(resident_tokens: int, window_tokens: int, options: LedgerOptions | None = None) -> Pressure:
    """The pressure of a window, in whole numbers: by default exactly 70 % is none, exactly 90 % is compress."""
    options = options or LedgerOptions()
    if window_tokens < 1:
        raise InputError(f"window is {window_tokens} tokens: it must be 1 or more")
    if resident_tokens <= largest_without(options.compress_above_percent, window_tokens):
        return Pressure.NONE
    if resident_tokens <= largest_without(options.evict_above_percent, window_tokens):
        return Pressure.COMPRESS
    return Pressure.EVICT


def largest_without(percent: int, window_tokens: int) -> int:
    """The most tokens that are still not above `percent` of the window."""
    return percent * window_tokens // 100
