"""How large a window is taken to be, and when it counts as full."""

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["LedgerOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerOptions:
    """The size of windows and their thresholds (docs/ledger.md).

    Attributes:
        window_tokens: the size of a window that nobody set.
        compress_above_percent: above this share of the window files are replaced by shorter forms.
        evict_above_percent: above this share files go.
    """

    window_tokens: int = 128_000
    compress_above_percent: int = 70
    evict_above_percent: int = 90

    def __post_init__(self) -> None:
        if self.window_tokens < 1:
            raise InputError(f"window_tokens is {self.window_tokens}: it must be 1 or more")
        if not 0 <= self.compress_above_percent <= self.evict_above_percent <= 100:
            raise InputError(
                f"compress_above_percent is {self.compress_above_percent} and evict_above_percent "
                f"{self.evict_above_percent}: they must be from 0 to 100, the second not below the first"
            )
