"""How much each line of a file is about a task: words near it, and the definition that it stands in."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["score_lines"]

_Spans = tuple[Sequence[int], Sequence[int], Sequence[int]]


def score_lines(
    count: int,
    *,
    lines: NDArray[np.int64],
    terms: NDArray[np.int64],
    shares: NDArray[np.float64],
    weights: NDArray[np.float64],
    spans: _Spans,
    named: Sequence[float],
    options: Sequence[float],
) -> NDArray[np.float64]:
    """Return the score of each line, 0..1.

    Args:
        count: of lines, at least 1.
        lines: where terms occur, from 0; ascending by line and term, each pair once.
        terms: one for each of `lines`.
        shares: of the term, one for each of `lines`.
        weights: of the terms.
        spans: by definition first and last line (from 1) and the number of the one around it (-1 for none).
        named: by definition the weight of the terms in its name.
        options: what is left of a word's weight a line further on, the weight of the definition's score, the length
            from which on it falls and the power, the weight of the name, and what those inside inherit.
    """
    decay, of_definition, usual_length, length_power, of_name, inherited = options
    on_line = np.bincount(lines, weights=weights[terms] * shares, minlength=count).astype(np.float64, copy=False)
    scores = _smooth(on_line, decay)
    owners = _owners(count, spans)
    owner_of_hit = owners[lines]
    is_owned = owner_of_hit >= 0
    places, counts = np.unique(owner_of_hit[is_owned] * len(weights) + terms[is_owned], return_counts=True)
    parts = weights[places % len(weights)] * counts / (counts + 1.0)
    # Plain numbers: single elements of arrays are many times slower.
    inside: list[float] = np.bincount(places // len(weights), weights=parts, minlength=len(named)).tolist()
    for number, (first, last, parent) in enumerate(zip(*spans, strict=True)):
        score = inside[number] / (1.0 + (last - first + 1) / usual_length) ** length_power
        score += of_name * named[number]
        inside[number] = score + inherited * inside[parent] if parent >= 0 else score
    owned = owners >= 0
    scores[owned] += of_definition * np.array(inside)[owners[owned]]
    return scores / max(float(scores.max()), 1e-300)


def _smooth(values: NDArray[np.float64], decay: float) -> NDArray[np.float64]:
    """Return the sum over all lines of value * decay ** distance, in two passes."""
    forward = np.array(_decayed(values.tolist(), decay))
    backward = np.array(_decayed(values[::-1].tolist(), decay))[::-1]
    both: NDArray[np.float64] = forward + backward - values
    return both


def _decayed(values: Iterable[float], decay: float) -> list[float]:
    before = 0.0
    return [before := value + decay * before for value in values]


def _owners(count: int, spans: _Spans) -> NDArray[np.int64]:
    """Return the innermost definition of each line, -1 for none."""
    owners = np.full(count, -1, dtype=np.int64)
    for number, (first, last) in enumerate(zip(spans[0], spans[1], strict=True)):
        owners[first - 1 : last] = number
    return owners
