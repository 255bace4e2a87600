"""A file's part in an answer, as the search for repeats sees it."""

from collections.abc import Callable, Container, Sequence
from functools import cached_property
from itertools import accumulate

from ctxsieve.compress import SourceFile, costs_of_source, omission_mark
from ctxsieve.dedup import KeptNames, LoadedFile, Repeat
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
    costs: Callable[[], Sequence[float]] | None = None,
    crosses_gaps: bool = False,
    comments: Callable[[], Container[int]] = tuple,
    is_exact: bool = False,
    names: Callable[[], KeptNames] | None = None,
) -> LoadedFile:
    """Return a file's part in an answer, `shown` in the order of the text; without a matcher there is no task.

    `nodes` gives the lines of what may go as a whole: `find_whole_nodes`, remembered or not. `costs` gives the tokens
    of each line in the text, that of a gap at its first line; without it lines cost what they cost as they are spelled.
    """
    known = _Costs(costs or (lambda: costs_of_source(source)))
    return LoadedFile(
        path=source.path,
        lines=source.lines,
        shown=tuple(shown),
        term_shares=[0.0] * len(source.lines) if matcher is None else share_terms(source.lines, matcher).tolist(),
        is_verbatim=is_verbatim,
        cost=known.of,
        mark_cost=lambda repeat, joins: _mark_cost(source, repeat, joins=joins),
        nodes=nodes,
        crosses_gaps=crosses_gaps,
        comments=comments,
        is_exact=is_exact,
        names=names,
    )


class _Costs:
    """Sums of costs of lines, made when the first one is asked for."""

    def __init__(self, by_line: Callable[[], Sequence[float]]) -> None:
        self._by_line = by_line

    @cached_property
    def _before(self) -> list[float]:
        return list(accumulate(self._by_line(), initial=0.0))

    def of(self, span: LineRange) -> float:
        """Return the tokens from the first to the last line of the span."""
        return self._before[span.last] - self._before[span.first - 1]


def _mark_cost(source: SourceFile, repeat: Repeat, *, joins: bool) -> int:
    words = f"{repeat.hidden.numbers}{repeat.note}"
    if joins:
        return count_tokens(f", {words}")
    is_indented = source.lines[repeat.hidden.first - 1][:1].isspace()
    comment = f"... {words}" if source.language is None else source.language.comment(f"... {words}")
    return count_tokens(f"{comment}\n") + is_indented


def repeat_mark(source: SourceFile, repeat: Repeat) -> str:
    """Return the comment that stands for a repeat."""
    return omission_mark(source, repeat.hidden, near=repeat.hidden.first, note=repeat.note)
