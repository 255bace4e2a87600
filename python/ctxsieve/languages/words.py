"""The words of a text: identifiers, and words of other scripts, which tasks put between identifiers without spaces."""

import re
from collections.abc import Mapping, Sequence

__all__ = ["find_words"]

_WORD_OR_NEWLINE = re.compile(r"[A-Za-z_\u00c0-\u024f][A-Za-z0-9_\u00c0-\u024f]*|[^\W\d_\x00-\u024f]+|\n")


def find_words(lines: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """Return by word the lines (from 0, ascending) on which it stands, once for every time."""
    found: dict[str, list[int]] = {}
    line = 0
    for word in _WORD_OR_NEWLINE.findall("\n".join(lines)):
        if word == "\n":
            line += 1
        elif word in found:
            found[word].append(line)
        else:
            found[word] = [line]
    return found
