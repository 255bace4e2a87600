"""The native search for repeats; its twin is the Python of `ctxsieve.dedup`."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import _native
from ctxsieve._kernels.repeat_search import AnswerFile
from ctxsieve._kernels.wide_characters import wide_characters

__all__ = ["find_repeats"]

_Lines = npt.NDArray[np.uint32]


def find_repeats(
    files: Sequence[AnswerFile],
    ask: Callable[[int], tuple[_Lines, _Lines]],
    *,
    relevance_weight: float,
    least_relevance: float,
    least_gain_tokens: int,
    lines_together: int,
    threads: int,
) -> _Lines | None:
    """Return what goes from the files of an answer, without the interpreter lock; None where only the twin can tell.

    Each repeat has seven numbers: its file, first and last hidden line, the file in which they stand, first and last
    line there, and 1 where the text is the same. They come by file, in the order of its shown lines.

    Args:
        files: in the order of the answer.
        ask: gives, for the number of a file, first and last line of everything that may go as a whole, and of its
            comments; asked only about files with runs of redundant lines.
        relevance_weight: this and the next ones are those of `DedupOptions`.
        least_relevance: see there.
        least_gain_tokens: see there.
        lines_together: see there.
        threads: so many read the files and count what their lines cost.
    """
    try:
        search = _native.RepeatSearch(
            files,
            relevance_weight=relevance_weight,
            least_relevance=least_relevance,
            least_gain_tokens=least_gain_tokens,
            lines_together=lines_together,
            threads=threads,
        )
    except UnicodeEncodeError:
        # A lone surrogate is no text for the native core.
        return None
    while (number := search.next_file()) is not None:
        file = files[number]
        nodes, comments = ask(number)
        words, digits = ("", "") if file.lost_names is None else wide_characters(file.text)
        search.plan(file.text, nodes, comments, words=words, digits=digits)
    return search.repeats()
