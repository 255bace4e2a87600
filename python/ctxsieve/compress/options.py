"""How far the modes that leave nodes out may go."""

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["MARKER_TOKENS", "CompressionOptions"]

# A gap that costs no more than its marker is shown instead of marked; markers cost 6 to 9 tokens.
MARKER_TOKENS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressionOptions:
    """How far the modes that leave nodes out may go.

    Attributes:
        aggressive_share: `aggressive` stops when so small a share of the tokens is left.
        aggressive_surprise: statements above this surprise (percentile, 0 to 1) stay in `aggressive`.
        lost_identifiers: at most this share of a file's names may disappear from the text.
        entropy_share: the share of tokens that `entropy` keeps where none is named.
        gap_tokens: what costs no more than this stays, since its marker costs as much.
        task_share: in `task`, statements stay from this share of the best line's relevance on.
    """

    aggressive_share: float = 0.6
    aggressive_surprise: float = 0.8
    lost_identifiers: float = 0.03
    entropy_share: float = 0.5
    gap_tokens: int = MARKER_TOKENS
    task_share: float = 0.35

    def __post_init__(self) -> None:
        for name in ("aggressive_share", "aggressive_surprise", "lost_identifiers", "entropy_share", "task_share"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise InputError(f"{name} is {value}: it must be from 0 to 1")
        if self.gap_tokens < 0:
            raise InputError(f"gap_tokens is {self.gap_tokens}: it must be 0 or more")
