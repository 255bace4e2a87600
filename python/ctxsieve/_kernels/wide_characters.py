"""Characters of a text above ASCII, by what Python's regular expressions take them for.

Which of them form words depends on Python's own version of Unicode, so that the native core is told.
"""

import re

__all__ = ["wide_characters"]

_WIDE = re.compile(r"[^\x00-\x7f]")


def wide_characters(text: str) -> tuple[str, str]:
    """Return those that are part of words, and those of them that are decimal digits, which begin no name."""
    if text.isascii():
        return "", ""
    wide = "".join(sorted(set(_WIDE.findall(text))))
    return "".join(re.findall(r"\w", wide)), "".join(re.findall(r"\d", wide))
