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

_KEPT, _SUPPRESSED = 0, 1


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
    texts = [" ".join(line.split()) for line in lines]
    shares = np.asarray(term_shares, dtype=np.float64)
    relevance = options.least_relevance + (1.0 - options.least_relevance) * shares
    if len(always_kept):
        relevance[np.asarray(always_kept, dtype=bool)] = 1.0
    relevance = np.minimum(relevance, 1.0)
    if len(texts) <= options.lines_together:
        status, nearest, _ = _select(texts, relevance, options)
        return RedundantLines(status == _SUPPRESSED, nearest)
    return _find_in_parts(texts, relevance, options)


def _find_in_parts(texts: Sequence[str], relevance: npt.NDArray[np.float64], options: DedupOptions) -> RedundantLines:
    """Go through the lines part by part; what stood in an earlier part is judged by its similarity there."""
    is_redundant = np.zeros(len(texts), dtype=bool)
    nearest = np.full(len(texts), -1, dtype=np.int64)
    # By text: the selected line that is most similar, and how similar.
    known: dict[str, tuple[int, float]] = {}
    gains = (options.relevance_weight * relevance).tolist()
    for start in range(0, len(texts), options.lines_together):
        new = []
        for i in range(start, min(start + options.lines_together, len(texts))):
            near, similarity = known.get(texts[i], (-1, 0.0))
            if gains[i] - (1.0 - options.relevance_weight) * similarity < 0:
                is_redundant[i], nearest[i] = True, near
            else:
                new.append(i)
        status, found, similarities = _select([texts[i] for i in new], relevance[new], options)
        for i, state, near, similarity in zip(new, status.tolist(), found.tolist(), similarities.tolist(), strict=True):
            if state == _SUPPRESSED:
                is_redundant[i], nearest[i] = True, new[near]
                known.setdefault(texts[i], (new[near], similarity))
            elif state == _KEPT:
                known.setdefault(texts[i], (i, 1.0))
    return RedundantLines(is_redundant, nearest)


def _select(
    texts: Sequence[str], relevance: npt.NDArray[np.float64], options: DedupOptions
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    encoded = [text.encode("utf-8", "replace") for text in texts]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded)), out=offsets[1:])
    status, nearest, similarities = mmr(
        np.frombuffer(b"".join(encoded), dtype=np.uint8),
        offsets,
        relevance=relevance,
        lambda_=options.relevance_weight,
        max_selected=len(encoded),
    )
    return np.asarray(status), np.asarray(nearest), np.asarray(similarities)
