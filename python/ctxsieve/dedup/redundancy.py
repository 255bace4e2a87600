"""Maximal marginal relevance over lines: which say what others say already.

Carbonell, Goldstein: The use of MMR, diversity-based reranking (SIGIR 1998), with the Jaccard similarity of bigrams.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import mmr
from ctxsieve.dedup.options import DedupOptions
from ctxsieve.values import dataclass

__all__ = ["RedundantLines", "find_redundant_lines"]

_SUPPRESSED = 1


@dataclass(frozen=True, slots=True)
class RedundantLines:
    """By line: whether it is redundant, and the most similar line that is not, or -1."""

    is_redundant: npt.NDArray[np.bool_]
    nearest: npt.NDArray[np.int64]


def find_redundant_lines(
    lines: Sequence[str], term_shares: Sequence[float], options: DedupOptions, *, always_kept: Sequence[bool] = ()
) -> RedundantLines:
    """Return which of the lines, in the order of the answer, repeat others; ties keep the earlier line.

    Args:
        lines: white space is normalised here; lines of fewer than 4 characters are never redundant.
        term_shares: share of the task's terms that stand on each line, 0 to 1.
        options: the weights.
        always_kept: lines that stay whatever they say; they are selected first.
    """
    encoded = [" ".join(line.split()).encode("utf-8", "replace") for line in lines]
    offsets = np.zeros(len(lines) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded)), out=offsets[1:])
    shares = np.asarray(term_shares, dtype=np.float64)
    relevance = options.least_relevance + (1.0 - options.least_relevance) * shares
    if len(always_kept):
        relevance[np.asarray(always_kept, dtype=bool)] = 1.0
    status, nearest, _ = mmr(
        np.frombuffer(b"".join(encoded), dtype=np.uint8),
        offsets,
        relevance=np.minimum(relevance, 1.0),
        lambda_=options.relevance_weight,
        max_selected=len(lines),
    )
    return RedundantLines(np.asarray(status) == _SUPPRESSED, np.asarray(nearest))
