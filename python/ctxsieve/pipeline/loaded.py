"""A file's part in an answer, as the search for repeats sees it."""

from collections.abc import Callable, Sequence

from ctxsieve.compress import SourceFile, omission_mark
from ctxsieve.dedup import LoadedFile, Repeat
from ctxsieve.fragments import LineRange
from ctxsieve.relevance import TermMatcher, share_terms
from ctxsieve.tokens import count_tokens

__all__ = ["loaded_file", "repeat_mark"]


def loaded_file(
    source: SourceFile,
    shown: Sequence[LineRange],
    matcher: TermMatcher | None,
    *,
    is_verbatim: bool,
    nodes: Callable[[], Sequence[LineRange]],
) -> LoadedFile:
    """Return a file's part in an answer, `shown` in the order of the text; without a matcher there is no task.

    `nodes` gives the lines of what may go as a whole: `find_whole_nodes`, remembered or not.
    """
    return LoadedFile(
        path=source.path,
        lines=source.lines,
        shown=tuple(shown),
        term_shares=[0.0] * len(source.lines) if matcher is None else share_terms(source.lines, matcher).tolist(),
        is_verbatim=is_verbatim,
        cost=lambda span: count_tokens(source.text_of(span)),
        mark_cost=lambda repeat: count_tokens(repeat_mark(source, repeat)),
        nodes=nodes,
    )


def repeat_mark(source: SourceFile, repeat: Repeat) -> str:
    """Return the comment that stands for a repeat."""
    return omission_mark(source, repeat.hidden, near=repeat.hidden.first, note=repeat.note)
