"""Cuts at line ends."""

from bisect import bisect_right
from itertools import accumulate

from ctxsieve.errors import InputError
from ctxsieve.tokens.counting import count_tokens

__all__ = ["truncate_at_line"]


def truncate_at_line(text: str, budget_tokens: int) -> str:
    r"""Return the leading whole lines of the text that cost at most the budget.

    Lines end at `\n` and keep it. The cut is exact: the result fits, and one more line would not.
    """
    if budget_tokens < 0:
        raise InputError(f"budget is {budget_tokens} tokens: it must be 0 or more")
    if count_tokens(text) <= budget_tokens:
        return text
    ends = list(accumulate(len(line) + 1 for line in text.split("\n")))[:-1]
    kept = bisect_right(ends, budget_tokens, key=lambda end: count_tokens(text[:end]))
    return text[: ends[kept - 1]] if kept else ""
