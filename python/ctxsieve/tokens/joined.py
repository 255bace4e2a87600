"""Counts of texts between others, from what is counted already."""

import re

from ctxsieve.tokens.counting import count_tokens

__all__ = ["count_between"]

# Pre-tokens end at a newline unless white space or a slash follows: those that hold a newline take what they can of
# both, no others reach beyond one, and none looks back.
_FOLLOWS = r"[^\s/]"
_BORDER = re.compile(rf"(?:\A|\n)(?={_FOLLOWS})")
# A border that is further away saves little.
_FARTHEST = 4096


def count_between(before: str, text: str, after: str, *, text_tokens: int) -> int:
    r"""Return the tokens of `before + text + after`, where those of `text` are known.

    Only what is next to a seam is counted, where the text has a line near it that begins with neither white space nor a
    slash and the outer texts meet it with a newline; otherwise everything.

    Args:
        before: empty, or ends with a newline.
        text: what was counted before.
        after: what follows; its first character is neither white space nor a slash where the text ends with a newline.
        text_tokens: tokens of `text` alone.
    """
    border = _BORDER.search(text, 0, _FARTHEST)
    meets = (not before or before.endswith("\n")) and (not after or (text.endswith("\n") and re.match(_FOLLOWS, after)))
    if border is None or not meets:
        return count_tokens(before + text + after)
    head = text[: border.end()]
    return text_tokens + count_tokens(before + head) - (count_tokens(head) if head else 0) + count_tokens(after)
