"""Which contents leave a full cache: reciprocal rank fusion of recency, frequency and size (docs/ledger.md)."""

from collections.abc import Sequence

import numpy as np

from ctxsieve._kernels import rrf
from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["RRF_K", "CachedSize", "order_for_eviction", "plan_eviction"]

RRF_K = 60.0


@dataclass(frozen=True, slots=True)
class CachedSize:
    """What eviction looks at: seconds since the last use, number of uses, and tokens to send it again."""

    key: str
    idle_seconds: float
    use_count: int
    size_tokens: int


def order_for_eviction(entries: Sequence[CachedSize]) -> list[str]:
    """The keys in the order in which they would go: lowest fused score first, ties by key.

    Rank 1 is the most recent, the most frequent, the largest (the dearest to send again); equal values share the
    smallest rank, so that multiplying a signal by a constant changes nothing.
    """
    if not entries:
        return []
    signals = [
        np.array([entry.idle_seconds for entry in entries], dtype=np.float64),
        np.array([entry.use_count for entry in entries], dtype=np.float64),
        np.array([entry.size_tokens for entry in entries], dtype=np.float64),
    ]
    scores = rrf(signals, largest_first=[False, True, True], k=RRF_K)
    ranked = sorted(zip(scores.tolist(), (entry.key for entry in entries), strict=True))
    return [key for _, key in ranked]


def plan_eviction(entries: Sequence[CachedSize], *, capacity_tokens: int) -> tuple[str, ...]:
    """The keys that have to go until the rest fits the capacity."""
    if capacity_tokens < 0:
        raise InputError(f"capacity is {capacity_tokens} tokens: it must be 0 or more")
    sizes = {entry.key: entry.size_tokens for entry in entries}
    total = sum(sizes.values())
    if total <= capacity_tokens:
        return ()
    leaving = []
    for key in order_for_eviction(entries):
        if total <= capacity_tokens:
            break
        leaving.append(key)
        total -= sizes[key]
    return tuple(leaving)
