"""How repeated lines are told from others."""

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["DedupOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupOptions:
    """How repeated lines are told from others.

    Attributes:
        enabled: False shows everything, however often it stands there.
        relevance_weight: the lambda of docs/assembly.md; the rest of 1 is the weight of similarity.
        least_relevance: relevance of a line that has nothing to do with the task; the rest of 1 goes by its share of
            the task's terms.
        least_gain_tokens: what a mark saves at least; for less it is not worth the reader's while to look elsewhere.
        lost_identifiers: at most this share of a file's names may disappear from its text with what repeats.
        lines_together: of an answer of more lines each is compared with those kept before it, in the order of the
            answer, instead of selecting by relevance and similarity first.
    """

    enabled: bool = True
    relevance_weight: float = 0.7
    least_relevance: float = 0.4
    least_gain_tokens: int = 2
    lost_identifiers: float = 0.02
    lines_together: int = 20_000

    def __post_init__(self) -> None:
        for name in ("relevance_weight", "least_relevance", "lost_identifiers"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} is {getattr(self, name)}: it must be from 0 to 1")
        for name in ("least_gain_tokens", "lines_together"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}: it must be 1 or more")
