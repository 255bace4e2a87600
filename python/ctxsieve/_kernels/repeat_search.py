"""A file of an answer, as the native search for repeats takes it."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["AnswerFile"]


class AnswerFile(NamedTuple):
    """One file's part in an answer.

    Attributes:
        text: all of it.
        place: what marks call it.
        shown: first and last line of what stands in the answer, one behind the other, in the order of the answer.
        term_shares: share of the task's terms on each line, empty where no line has any.
        costs: tokens of each line, or None where `content` tells.
        content: the text in which the shown lines stand in source order and each gap as one line, its tokens, and
            first and last line of each gap.
        comment: what begins and ends a comment: the former alone in languages of line comments, both empty without any.
        is_verbatim: nothing of it may go.
        crosses_gaps: whether a node may go of which some lines do not stand in the answer.
        is_exact: only what stands there word by word is a repeat.
        lost_names: the share of its names that may go with its repeats; without it any may.
    """

    text: str
    place: str
    shown: npt.NDArray[np.uint32]
    term_shares: npt.NDArray[np.float64]
    costs: npt.NDArray[np.float64] | None
    content: tuple[str, int, npt.NDArray[np.uint32]] | None
    comment: tuple[str, str]
    is_verbatim: bool
    crosses_gaps: bool
    is_exact: bool
    lost_names: float | None
