"""What the lines of a file cost in an answer, and what a mark costs that stands for some of them."""

from collections.abc import Sequence
from itertools import accumulate

from ctxsieve.dedup.loaded import LoadedFile, Repeat, ShownText
from ctxsieve.fragments import LineRange
from ctxsieve.languages import Language
from ctxsieve.tokens import count_lines, count_tokens, spread_newlines

__all__ = ["CostSums", "mark_tokens"]


class CostSums:
    """Sums of costs of the lines of a file."""

    def __init__(self, file: LoadedFile) -> None:
        by_line = _costs_in_text(file, file.costs) if isinstance(file.costs, ShownText) else file.costs()
        self._before = list(accumulate(by_line, initial=0.0))

    def of(self, span: LineRange) -> float:
        """Return the tokens from the first to the last line of the span."""
        return self._before[span.last] - self._before[span.first - 1]


def _costs_in_text(file: LoadedFile, text: ShownText) -> Sequence[float]:
    """Return what each line of the file costs in the text, a gap at its first line."""
    costs = spread_newlines(count_lines(text.content).tolist(), text.tokens)
    spans = sorted([(span.first, span.last) for span in file.shown] + [(gap.first, gap.first) for gap in text.gaps])
    by_line = [0.0] * len(file.lines)
    at = 0
    for first, last in spans:
        by_line[first - 1 : last] = costs[at : at + last - first + 1]
        at += last - first + 1
    return by_line


def mark_tokens(repeat: Repeat, language: Language | None, *, is_indented: bool, joins: bool) -> int:
    """Return the tokens of the mark that would stand for a repeat, or of what joining another mark adds."""
    words = f"{repeat.hidden.numbers}{repeat.note}"
    if joins:
        return count_tokens(f", {words}")
    comment = f"... {words}" if language is None else language.comment(f"... {words}")
    return count_tokens(f"{comment}\n") + is_indented
