"""Marginal relevance in the order of the lines; the twin of rust/kernels/src/mmr/ordered.rs, which states the rules."""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from math import ceil

from ctxsieve._kernels.pure.buffers import Buffer, borrow_bytes, borrow_float64, borrow_int64, read_float
from ctxsieve._kernels.pure.mmr import CAUTION, EXEMPT, KEPT, SUPPRESSED, check_lines, read_bigrams

__all__ = ["mmr_in_order"]


def mmr_in_order(
    text: Buffer, offsets: Buffer, *, relevance: Buffer, lambda_: float
) -> "tuple[array[int], array[int], array[float]]":
    """Return a status and, for suppressed lines, the most similar kept line before and the similarity with it."""
    lambda_ = read_float("lambda_", lambda_)
    view, ends = borrow_bytes("text", text), borrow_int64("offsets", offsets)
    relevances = borrow_float64("relevance", relevance)
    check_lines(len(view), ends, relevances, lambda_)
    sets = read_bigrams(view, ends)
    penalty = 1.0 - lambda_
    least = min(relevances, default=1.0) * lambda_ / penalty if penalty else 2.0
    kept = _KeptSets(sets, least * CAUTION)
    statuses = array("B", [EXEMPT]) * len(sets)
    nearest = array("q", [-1]) * len(sets)
    similarities = array("d", bytes(8 * len(sets)))
    for line, bigrams in enumerate(sets):
        if bigrams is None:
            continue
        similarity, closest = kept.look(bigrams)
        if lambda_ * relevances[line] - penalty * similarity < 0.0:
            statuses[line], nearest[line], similarities[line] = SUPPRESSED, closest, similarity
        else:
            statuses[line] = KEPT
            kept.insert(bigrams, line)
    return statuses, nearest, similarities


class _KeptSets:
    """Kept sets by their rarest bigrams, and what each set is known to be most similar to."""

    def __init__(self, sets: Sequence[frozenset[str] | None], least: float) -> None:
        self.least = least
        self.frequencies = Counter(bigram for bigrams in sets if bigrams for bigram in bigrams)
        self.postings: dict[str, list[int]] = {}
        self.kept: list[tuple[frozenset[str], int]] = []
        self.known: dict[frozenset[str], tuple[float, int, int]] = {}

    def insert(self, bigrams: frozenset[str], line: int) -> None:
        """Note that a set is kept for a line; nothing changes when it already was."""
        if self.known[bigrams][0] == 1.0:
            return
        for bigram in self._rarest(bigrams):
            self.postings.setdefault(bigram, []).append(len(self.kept))
        self.kept.append((bigrams, line))
        self.known[bigrams] = (1.0, line, 2**63)

    def look(self, bigrams: frozenset[str]) -> tuple[float, int]:
        """Compare a set with those kept since its last look; return the best similarity and its line."""
        similarity, nearest, seen = self.known.get(bigrams, (0.0, -1, 0))
        if seen < len(self.kept):
            found = set[int]()
            for bigram in self._rarest(bigrams):
                postings = self.postings.get(bigram, [])
                found.update(postings[bisect_left(postings, seen) :])
            for sequence in sorted(found):
                other, line = self.kept[sequence]
                common = len(bigrams & other)
                value = common / (len(bigrams) + len(other) - common)
                if value > similarity:
                    similarity, nearest = value, line
        self.known[bigrams] = (similarity, nearest, max(seen, len(self.kept)))
        return similarity, nearest

    def _rarest(self, bigrams: frozenset[str]) -> list[str]:
        """Return so many of the rarest bigrams that any set that is similar enough and no equal has one of them."""
        size = len(bigrams)
        # One bigram more or less makes the most similar set that is no equal.
        if size < self.least * (size + 1):
            return []
        common = min(max(ceil(self.least * size), 1), size)
        return sorted(bigrams, key=lambda bigram: (self.frequencies[bigram], bigram))[: size - common + 1]
