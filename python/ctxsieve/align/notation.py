"""Alignment of declarations in outlines."""

from collections.abc import Callable

from ctxsieve.align.rules import NOTATION_RULES
from ctxsieve.tokens import count_tokens

__all__ = ["align_row"]


def align_row(text: str, *, means_the_same: Callable[[str], bool]) -> str:
    """Return the spelling of a declaration that costs least among those the rules lead to, one rule after the other.

    Args:
        text: the declaration; one with a quotation mark stays, since the rules know no literals.
        means_the_same: says of a spelling whether it is read back as the same definition.
    """
    if any(mark in text for mark in "\"'`"):
        return text
    tokens = count_tokens(text)
    for rule in NOTATION_RULES:
        spelled = rule.apply(text)
        cost = count_tokens(spelled) if spelled != text else tokens
        if cost < tokens and means_the_same(spelled):
            text, tokens = spelled, cost
    return text
