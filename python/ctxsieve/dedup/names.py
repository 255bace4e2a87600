"""The names of a file, which must not all go with what repeats."""

import re
from collections import Counter
from collections.abc import Callable, Container, Sequence
from functools import cached_property

from ctxsieve.fragments import LineRange

__all__ = ["KeptNames"]

_WORD = re.compile(r"[^\W\d]\w*")


class KeptNames:
    """Counts the names in what is shown of a file, of which a share may disappear from its text.

    Names in comments do not count. Nothing is read before the first question.

    Args:
        lines: all lines of the file.
        shown: the lines that stand in the answer.
        comments: the lines that are comments or documentation.
        allowance: the share of all names of the file that may disappear.
    """

    def __init__(
        self,
        lines: Sequence[str],
        shown: Sequence[LineRange],
        comments: Callable[[], Container[int]],
        *,
        allowance: float,
    ) -> None:
        self._lines = lines
        self._shown = shown
        self._comments = comments
        self._allowance = allowance
        self._lost = 0

    def may_hide(self, span: LineRange) -> bool:
        """Say whether few enough names would be gone without these lines and all that were hidden before."""
        return self._lost + self._gone_with(self._names_in(span)) <= self._limit

    def hide(self, span: LineRange) -> None:
        """Take the lines out of what is shown."""
        names = self._names_in(span)
        self._lost += self._gone_with(names)
        self._visible.subtract(names)
        self._hidden.update(range(span.first, span.last + 1))

    def _gone_with(self, names: Counter[str]) -> int:
        visible = self._visible
        return sum([visible[name] == times for name, times in names.items()])

    def _names_in(self, span: LineRange) -> Counter[str]:
        by_line, hidden = self._by_line, self._hidden
        return Counter([name for n in range(span.first, span.last + 1) if n not in hidden for name in by_line[n - 1]])

    @cached_property
    def _by_line(self) -> list[list[str]]:
        comments = self._comments()
        return [[] if n in comments else _WORD.findall(text) for n, text in enumerate(self._lines, start=1)]

    @cached_property
    def _limit(self) -> int:
        return int(self._allowance * len({name for names in self._by_line for name in names}))

    @cached_property
    def _hidden(self) -> set[int]:
        visible = {line for span in self._shown for line in range(span.first, span.last + 1)}
        return set(range(1, len(self._lines) + 1)) - visible

    @cached_property
    def _visible(self) -> Counter[str]:
        return self._names_in(LineRange(1, len(self._lines))) if self._lines else Counter()
