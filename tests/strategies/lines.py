"""Generated lines for MMR."""

from collections.abc import Sequence
from typing import Any

import numpy
from hypothesis import strategies as st

# A small alphabet makes lines similar; the last two are code points of two and four bytes.
LINES = st.lists(
    st.text(alphabet="abc =\u00e9\U0001f600", max_size=12)
    | st.sampled_from(["import os", "import sys", "return None", "x = 1", "aaaaaaaa", "", "abc"]),
    max_size=40,
)


def to_buffer(lines: Sequence[str]) -> tuple[bytes, Any]:
    """Return the lines as one text and their offsets."""
    encoded = [line.encode() for line in lines]
    return b"".join(encoded), numpy.cumsum([0] + [len(line) for line in encoded], dtype=numpy.int64)


def naive_mmr(
    lines: Sequence[str], relevance: Sequence[float], lambda_: float, max_selected: int
) -> tuple[list[int], list[int], list[float]]:
    """Return statuses, nearest lines and similarities by the definition: every pair is compared."""

    def bigrams(line: str) -> set[str]:
        return {line[at : at + 2] for at in range(len(line) - 1)}

    def similarity(one: int, other: int) -> float:
        common = len(sets[one] & sets[other])
        return common / (len(sets[one]) + len(sets[other]) - common)

    sets = [bigrams(line) for line in lines]
    candidates = [line for line, text in enumerate(lines) if len(text) >= 4]
    statuses = [2] * len(lines)
    nearest, similarities = [-1] * len(lines), [0.0] * len(lines)
    selected: list[int] = []
    left_over = 1
    while candidates:
        if len(selected) == max_selected:
            left_over = 3
            break
        values = [lambda_ * relevance[line] - (1.0 - lambda_) * similarities[line] for line in candidates]
        top = max(values)
        if top < 0.0:
            break
        chosen = candidates.pop(values.index(top))
        statuses[chosen] = 0
        selected.append(chosen)
        for line in candidates:
            found = similarity(line, chosen)
            if found > similarities[line]:
                similarities[line], nearest[line] = found, chosen
    for line in candidates:
        statuses[line] = left_over
        if left_over == 3:
            similarities[line], nearest[line] = 0.0, -1
    return statuses, nearest, similarities


def naive_mmr_in_order(
    lines: Sequence[str], relevance: Sequence[float], lambda_: float
) -> tuple[list[int], list[int], list[float]]:
    """Return what one pass over the lines says of each: those kept before it are all compared."""
    sets = [{line[at : at + 2] for at in range(len(line) - 1)} for line in lines]
    statuses, nearest, similarities = [2] * len(lines), [-1] * len(lines), [0.0] * len(lines)
    kept: list[int] = []
    for line, text in enumerate(lines):
        if len(text) < 4:
            continue
        found = [len(sets[line] & sets[k]) / len(sets[line] | sets[k]) for k in kept]
        best = max(found, default=0.0)
        if lambda_ * relevance[line] - (1.0 - lambda_) * best < 0.0:
            statuses[line], nearest[line], similarities[line] = 1, kept[found.index(best)], best
        else:
            statuses[line] = 0
            kept.append(line)
    return statuses, nearest, similarities
