"""Maximal marginal relevance over lines, exact; the twin of rust/kernels/src/mmr, which states the rules."""

import heapq
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ctxsieve._kernels.pure.buffers import Buffer, borrow_bytes, borrow_float64, borrow_int64, read_float, read_integer

__all__ = ["CAUTION", "EXEMPT", "KEPT", "SUPPRESSED", "check_lines", "mmr", "read_bigrams"]

SHORTEST_LINE = 4
KEPT, SUPPRESSED, EXEMPT, UNREACHED = range(4)
CAUTION = 1.0 - 1e-12


def mmr(
    text: Buffer, offsets: Buffer, *, relevance: Buffer, lambda_: float, max_selected: int
) -> "tuple[array[int], array[int], array[float]]":
    """Return a status, the most similar selected line or -1, and the similarity with it, for each line."""
    lambda_ = read_float("lambda_", lambda_)
    view, ends = borrow_bytes("text", text), borrow_int64("offsets", offsets)
    relevances = borrow_float64("relevance", relevance)
    limit = read_integer("max_selected", max_selected, 0, 2**63 - 1)
    check_lines(len(view), ends, relevances, lambda_)
    sets = read_bigrams(view, ends)
    return _select(sets, [lambda_ * value for value in relevances], 1.0 - lambda_, limit)


def check_lines(text_bytes: int, offsets: Sequence[int], relevance: Sequence[float], lambda_: float) -> None:
    """Refuse offsets, relevances and a lambda that do not fit together."""
    if not len(offsets):
        raise ValueError("offsets is empty: it must hold one entry more than there are lines")
    if offsets[0] != 0:
        raise ValueError(f"offsets[0] is {offsets[0]}: it must be 0")
    for at, (one, following) in enumerate(pairwise(offsets), 1):
        if following < one:
            raise ValueError(f"offsets[{at}] is {following}: it must not be less than the {one} before it")
    lines = len(offsets) - 1
    if offsets[lines] != text_bytes:
        raise ValueError(f"offsets ends at {offsets[lines]}: it must end at the length of the text, {text_bytes}")
    if len(relevance) != lines:
        raise ValueError(f"there are {len(relevance)} relevance values for {lines} lines: they must be equal in number")
    for at, value in enumerate(relevance):
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"relevance[{at}] is {value!r}: it must be from 0 to 1")
    if not 0.0 <= lambda_ <= 1.0:
        raise ValueError(f"lambda_ is {lambda_!r}: it must be from 0 to 1")


def read_bigrams(text: memoryview, offsets: Sequence[int]) -> list[frozenset[str] | None]:
    """Return the set of each line, None for lines that are too short; equal sets are one object."""
    sets: list[frozenset[str] | None] = []
    known: dict[frozenset[str], frozenset[str]] = {}
    for line, (begin, end) in enumerate(pairwise(offsets)):
        try:
            characters = str(text[begin:end], "utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"line {line} is not UTF-8: decode it first") from None
        if len(characters) < SHORTEST_LINE:
            sets.append(None)
            continue
        bigrams = frozenset(map(str.__add__, characters, characters[1:]))
        sets.append(known.setdefault(bigrams, bigrams))
    return sets


def _select(
    sets: Sequence[frozenset[str] | None], gains: Sequence[float], penalty: float, limit: int
) -> "tuple[array[int], array[int], array[float]]":
    statuses = array("B", [UNREACHED if bigrams else EXEMPT for bigrams in sets])
    nearest = array("q", [-1]) * len(sets)
    similarities = array("d", bytes(8 * len(sets)))
    search = _Search(sets)
    # Similarity to the selected lines only grows: a waiting value is an upper bound of the present one.
    waiting = [(-(gains[line] - penalty * 0.0), line, bigrams) for line, bigrams in enumerate(sets) if bigrams]
    heapq.heapify(waiting)
    selected = 0
    while waiting and selected < limit and -waiting[0][0] >= 0.0:
        _, line, bigrams = waiting[0]
        similarity, closest = search.look(bigrams)
        entry = (-(gains[line] - penalty * similarity), line, bigrams)
        heapq.heapreplace(waiting, entry)
        if waiting[0][1] != line or -entry[0] < 0.0:
            continue
        heapq.heappop(waiting)
        statuses[line], nearest[line], similarities[line] = KEPT, closest, similarity
        search.insert(bigrams, line)
        selected += 1
    if waiting and selected < limit:
        for _, line, bigrams in waiting:
            statuses[line] = SUPPRESSED
            similarities[line], nearest[line] = search.look(bigrams)
    return statuses, nearest, similarities


class _Search:
    """Selected sets by their bigrams, and what each set is known to be most similar to."""

    def __init__(self, sets: Sequence[frozenset[str] | None]) -> None:
        self.frequencies = Counter(bigram for bigrams in sets if bigrams for bigram in bigrams)
        self.by_rarity: dict[frozenset[str], list[str]] = {}
        self.postings: dict[str, list[tuple[int, int]]] = {}
        self.selected: list[tuple[frozenset[str], int]] = []
        self.known: dict[frozenset[str], tuple[float, int, int]] = {}

    def insert(self, bigrams: frozenset[str], line: int) -> None:
        """Mark a set as selected, for the first line that it was selected for."""
        if self.known[bigrams][0] == 1.0:
            return
        ordered = self.by_rarity[bigrams]
        for position, bigram in enumerate(ordered):
            self.postings.setdefault(bigram, []).append((len(self.selected), len(ordered) - position))
        self.selected.append((bigrams, line))
        self.known[bigrams] = (1.0, line, 2**63)

    def look(self, bigrams: frozenset[str]) -> tuple[float, int]:
        """Compare a set with those selected since its last look; return the best similarity and its line."""
        similarity, nearest, seen = self.known.get(bigrams, (0.0, -1, 0))
        count = len(self.selected)
        if seen >= count:
            self.known.setdefault(bigrams, (similarity, nearest, seen))
            self._order(bigrams)
            return similarity, nearest
        ordered = self._order(bigrams)
        size, closest, touched = len(ordered), count, set[int]()
        for position, bigram in enumerate(ordered):
            rest = size - position
            if rest < similarity * CAUTION * size:
                break
            postings = self.postings.get(bigram, [])
            for sequence, other_rest in postings[bisect_left(postings, (seen, 0)) :]:
                if sequence in touched:
                    continue
                touched.add(sequence)
                other, line = self.selected[sequence]
                bound = min(rest, other_rest)
                if bound < similarity * CAUTION * (size + len(other) - bound):
                    continue
                common = len(bigrams & other)
                found = common / (size + len(other) - common)
                if found > similarity or (found == similarity and sequence < closest < count):
                    similarity, nearest, closest = found, line, sequence
        self.known[bigrams] = (similarity, nearest, count)
        return similarity, nearest

    def _order(self, bigrams: frozenset[str]) -> list[str]:
        ordered = self.by_rarity.get(bigrams)
        if ordered is None:
            ordered = self.by_rarity[bigrams] = sorted(bigrams, key=lambda bigram: (self.frequencies[bigram], bigram))
        return ordered
