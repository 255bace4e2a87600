"""Scores of lines."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ctxsieve import _kernels
from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["LineScores", "score_files", "score_lines"]


@dataclass(frozen=True, slots=True, eq=False)
class LineScores:
    """One entry for every line; lines without text score 0.

    `bits` are mean bits per token and `tokens` the number of tokens scored. `normalised` is a percentile, 0 to 1: the
    share of the distinct lines of the calibration corpus with a lower damped surprise, which spreads the bits of a line
    over four tokens more, since a few tokens are weak evidence. Thresholds belong on `normalised`.
    """

    bits: NDArray[np.float64]
    tokens: NDArray[np.uint32]
    normalised: NDArray[np.float64]


def score_lines(data: bytes) -> LineScores:
    r"""Return the surprise of every line of the data (docs/surprise.md).

    Lines end at `\n`; leading and trailing white space, a `\r` included, is not scored. Bytes that are not UTF-8 count
    as the replacement characters that a decoder shows in their place.
    """
    return score_files([data])[0]


def score_files(contents: Sequence[bytes], *, threads: int = 1) -> list[LineScores]:
    """Return the scores of the lines of several files, in one call that does not copy their text.

    The scores are views of common arrays; the number of threads changes nothing but the time.
    """
    if threads < 1:
        raise InputError(f"threads is {threads}: it must be 1 or more")
    bits, tokens, normalised, offsets = _kernels.surprise_lines(contents, threads=threads)
    bounds = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return [LineScores(bits[start:end], tokens[start:end], normalised[start:end]) for start, end in bounds]
