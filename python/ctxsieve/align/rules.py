"""The rules of alignment, each a local replacement with what it keeps.

Source rules change white space at the beginning or the end of one line; the text between stays. Their obligation is
that the syntax tree is the same apart from positions: the tests parse real files before and after. They never touch a
line that begins inside a literal, nor the end of a line before such a one: the layout says so from the parsed nodes.

Notation rules rewrite a declaration in our own outlines; their obligation is that the row is read back as the same
kind and name, which the outline checks whenever it applies one.
"""

import re
from collections.abc import Callable

from ctxsieve.fragments import BRACKETED_LINE, KEPT_LINE
from ctxsieve.values import dataclass

__all__ = ["NOTATION_RULES", "SOURCE_RULES", "NotationRule", "SourceRule"]


@dataclass(frozen=True, slots=True)
class SourceRule:
    """A replacement in one line of source.

    Attributes:
        name: of the rule.
        keeps: why the tree stays the same.
        applies: whether it may be used, given the layout bytes of the line and of the next one.
        apply: the line as it is spelled then, given its layout byte.
    """

    name: str
    keeps: str
    applies: Callable[[int, int], bool]
    apply: Callable[[str, int], str]


@dataclass(frozen=True, slots=True)
class NotationRule:
    """A replacement in one declaration of an outline; `keeps` says why it means the same."""

    name: str
    keeps: str
    apply: Callable[[str], str]


def _without_trailing_space(line: str, _: int) -> str:
    if line[-1:] not in (" ", "\t", "\r"):
        return line
    ending = "\r" if line.endswith("\r") else ""
    return line.removesuffix("\r").rstrip(" \t") + ending


def _indented_by_level(line: str, level: int) -> str:
    return " " * level + line.lstrip(" \t")


def _indented_by_one(line: str, _: int) -> str:
    return (" " if line[:1] in (" ", "\t") else "") + line.lstrip(" \t")


SOURCE_RULES = (
    SourceRule(
        "trailing white space",
        "it stands between two tokens: the next line does not begin inside a literal",
        lambda _, following: following != KEPT_LINE,
        _without_trailing_space,
    ),
    SourceRule(
        "indentation of blocks",
        "one space per level: deeper lines stay deeper, equally deep ones equally deep",
        lambda layout, _: layout < BRACKETED_LINE,
        _indented_by_level,
    ),
    SourceRule(
        "indentation inside brackets",
        "where round or square brackets are open, or close, indentation means nothing",
        lambda layout, _: layout == BRACKETED_LINE,
        _indented_by_one,
    ),
)

NOTATION_RULES = (
    NotationRule(
        "space around operators",
        "`=`, `|` and `->` part what stands beside them without spaces as well",
        lambda text: re.sub(r" ?(=|\||->) ?(?![=>])", r"\1", text),
    ),
    NotationRule(
        "space after colons",
        "a single colon parts name and type without a space as well",
        lambda text: re.sub(r"(?<![:\s]): (?=[^\s:])", ":", text),
    ),
    NotationRule(
        "space after commas",
        "a comma parts parameters without a space as well",
        lambda text: re.sub(r", (?=\S)", ",", text),
    ),
)
