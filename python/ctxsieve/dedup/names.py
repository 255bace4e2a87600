"""Repeats that may go without taking the names of their file along."""

import re
from collections import Counter
from collections.abc import Container, Sequence

from ctxsieve.dedup.plan import Repeat
from ctxsieve.fragments import LineRange

__all__ = ["keep_names"]

_WORD = re.compile(r"[^\W\d]\w*")


def keep_names(
    repeats: Sequence[Repeat],
    lines: Sequence[str],
    shown: Sequence[LineRange],
    comments: Container[int],
    *,
    allowance: float,
) -> list[Repeat]:
    """Return the repeats, in their order, without which at most a share of the file's names is gone from its text.

    Those go first that lose the fewest names per line, ties to the earlier one. Names in comments do not count.
    """
    by_line = [[] if n in comments else _WORD.findall(text) for n, text in enumerate(lines, start=1)]
    left = int(allowance * len({name for names in by_line for name in names}))
    count: Counter[str] = Counter()
    visible = {line for span in shown for line in range(span.first, span.last + 1)}
    for line in visible:
        count.update(by_line[line - 1])
    hidden = [
        Counter(name for n in range(r.hidden.first, r.hidden.last + 1) if n in visible for name in by_line[n - 1])
        for r in repeats
    ]

    def lost(i: int) -> int:
        return sum(count[name] == times for name, times in hidden[i].items())

    sizes = [repeat.hidden.last - repeat.hidden.first + 1 for repeat in repeats]
    order = sorted(range(len(repeats)), key=lambda i: (lost(i) / sizes[i], i))
    kept = []
    for i in order:
        gone = lost(i)
        if gone <= left:
            left -= gone
            count.subtract(hidden[i])
            kept.append(i)
    return [repeats[i] for i in sorted(kept)]
