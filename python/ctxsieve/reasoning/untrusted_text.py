"""Text from outside made fit to be shown: nothing hidden in it acts on a terminal or on a reader."""

import re

__all__ = ["one_line", "visible_text"]

_ESCAPE_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[@-Z\\-_])")
# Control characters; characters that reorder or hide text: bidirectional controls, spaces of no width, the tag block.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


def visible_text(text: str) -> str:
    """Return the text without escape sequences and hidden characters, a lone surrogate as `?`."""
    valid = text.encode("utf-8", "replace").decode()
    return _HIDDEN.sub("", _ESCAPE_SEQUENCES.sub("", valid))


def one_line(text: str) -> str:
    """Return the visible text in one line of at most 200 characters."""
    line = " ".join(visible_text(text[:1000]).split())
    return line if len(line) <= 200 else line[:199] + "…"
