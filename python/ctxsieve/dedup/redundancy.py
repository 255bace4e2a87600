"""Maximal marginal relevance over lines: which say what others say already.

Carbonell, Goldstein: The use of MMR, diversity-based reranking (SIGIR 1998), with the Jaccard similarity of bigrams.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import mmr, mmr_in_order
from ctxsieve.dedup.options import DedupOptions
from ctxsieve.dedup.places import normal_text
from ctxsieve.values import dataclass

__all__ = ["RedundantLines", "find_among_normal", "find_redundant_lines"]

_SUPPRESSED = 1
_EXEMPT = 2


@dataclass(frozen=True, slots=True)
class RedundantLines:
    """By line: whether it is redundant, the most similar line that is not, or -1, and whether it is too short to be."""

    is_redundant: npt.NDArray[np.bool_]
    nearest: npt.NDArray[np.int64]
    is_short: npt.NDArray[np.bool_]


def find_redundant_lines(
    lines: Sequence[str], term_shares: Sequence[float], options: DedupOptions, *, always_kept: Sequence[bool] = ()
) -> RedundantLines:
    """Return which of the lines, in the order of the answer, repeat others; ties keep the earlier line.

    More than `options.lines_together` lines are gone through once, each compared with those kept before it.

    Args:
        lines: white space is normalised here; lines of fewer than 4 characters are never redundant.
        term_shares: share of the task's terms that stand on each line, 0 to 1.
        options: the weights.
        always_kept: lines that stay whatever they say; they are selected first.
    """
    return find_among_normal([normal_text(line) for line in lines], term_shares, options, always_kept=always_kept)


def find_among_normal(
    texts: Sequence[str], term_shares: Sequence[float], options: DedupOptions, *, always_kept: Sequence[bool] = ()
) -> RedundantLines:
    """Return what `find_redundant_lines` does for lines whose white space is normalised already."""
    shares = np.asarray(term_shares, dtype=np.float64)
    relevance = options.least_relevance + (1.0 - options.least_relevance) * shares
    if len(always_kept):
        relevance[np.asarray(always_kept, dtype=bool)] = 1.0
    relevance = np.minimum(relevance, 1.0)
    text, offsets = _joined(texts)
    if len(texts) <= options.lines_together:
        status, nearest, _ = mmr(
            text, offsets, relevance=relevance, lambda_=options.relevance_weight, max_selected=len(texts)
        )
    else:
        status, nearest, _ = mmr_in_order(text, offsets, relevance=relevance, lambda_=options.relevance_weight)
    status = np.asarray(status)
    return RedundantLines(status == _SUPPRESSED, np.asarray(nearest), status == _EXEMPT)


def _joined(texts: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return the texts one after the other, and where each begins and the last one ends."""
    data = np.frombuffer("\n".join(texts).encode("utf-8", "replace"), dtype=np.uint8)
    if not texts:
        return data, np.zeros(1, dtype=np.int64)
    newlines = np.flatnonzero(data == ord("\n"))
    ends = np.append(newlines, len(data)) - np.arange(len(texts))
    return np.delete(data, newlines), np.concatenate(([0], ends))
