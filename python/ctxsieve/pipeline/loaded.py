"""A file's part in an answer, as the search for repeats sees it."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.compress import SourceFile, omission_mark
from ctxsieve.dedup import Repeat
from ctxsieve.relevance import TermMatcher, share_terms

__all__ = ["repeat_mark", "term_shares"]


def term_shares(source: SourceFile, matcher: TermMatcher | None) -> Sequence[float] | npt.NDArray[np.float64]:
    """Return the share of the task's terms on each line, nothing without a task."""
    return () if matcher is None else share_terms(source.lines, matcher)


def repeat_mark(source: SourceFile, repeat: Repeat) -> str:
    """Return the comment that stands for a repeat."""
    return omission_mark(source, repeat.hidden, near=repeat.hidden.first, note=repeat.note)
