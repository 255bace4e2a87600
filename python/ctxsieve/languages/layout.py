"""How the lines of a source are indented: their level, and where indentation means nothing, from the syntax tree."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from ctxsieve._kernels import grammar_kinds, named_kinds
from ctxsieve.fragments import BRACKETED_LINE, KEPT_LINE
from ctxsieve.languages.table import IndentationRule, Language, LanguageKind

__all__ = ["LAYOUT_PREFIX", "LayoutKinds", "layout_kinds", "layout_query", "read_layout"]

LAYOUT_PREFIX = "layout."

_LITERAL_PARTS = re.compile(
    r"(?:^|_)(?:string|str|comment|heredoc|nowdoc|template_string|template_literal|regex|regexp|char|character|charlist"
    r"|text|quoted|raw|rune|sigil|docstring|preproc_arg|pod|word|content|command_literal|interpolation)(?:$|_)"
)
_TAB = 8
_MOST_LEVELS = BRACKETED_LINE - 1


class LayoutKinds(NamedTuple):
    """Node kinds of a grammar that say how lines may be indented, each sorted; brackets are no named kinds."""

    literals: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()


@cache
def layout_kinds(language: Language) -> LayoutKinds:
    """Return the kinds that `read_layout` needs; none where no line may be indented differently."""
    if (
        language.grammar is None
        or language.kind is not LanguageKind.CODE
        or language.indentation is IndentationRule.COLUMNS
    ):
        return LayoutKinds()
    named = named_kinds(language.grammar)
    literals = sorted(name for name in named if _LITERAL_PARTS.search(name))
    others = {name for name in grammar_kinds(language.grammar) if name not in named}
    return LayoutKinds(
        literals=tuple(name for name in literals if "comment" not in name),
        comments=tuple(name for name in literals if "comment" in name),
        opening=tuple(sorted(name for name in others if name[-1:] in ("(", "[", "{") and not name[0].isalnum())),
        closing=tuple(sorted(others & {")", "]", "}"})),
    )


@cache
def layout_query(language: Language) -> str:
    """Return the query whose captures `read_layout` needs; empty where no line may be indented differently."""
    kinds = layout_kinds(language)
    rows = [f"({name}) @{LAYOUT_PREFIX}comment" for name in kinds.comments]
    rows += [f"({name}) @{LAYOUT_PREFIX}literal" for name in kinds.literals]
    for capture, names in (("open", kinds.opening), ("close", kinds.closing)):
        rows += ['"' + name.replace("\\", "\\\\") + f'" @{LAYOUT_PREFIX}{capture}' for name in names]
    return "\n".join(rows)


def read_layout(
    source: bytes, language: Language, captures: Iterable[tuple[str, int, int]], *, has_errors: bool
) -> bytes:
    """Return one byte per line: its level, `BRACKETED_LINE` or `KEPT_LINE`; nothing where all lines stay.

    Where blocks are indented, the lines of a source with errors stay.

    Args:
        source: the text.
        language: its language.
        captures: name, first byte and end of what the layout query names.
        has_errors: whether the syntax tree has errors.
    """
    if not layout_query(language) or (has_errors and language.indentation is IndentationRule.BLOCKS):
        return b""
    return _Lines(source, _Marks(source, captures), language).layout()


class _Marks:
    """Where literals, brackets and comments stand, each in source order."""

    def __init__(self, source: bytes, captures: Iterable[tuple[str, int, int]]) -> None:
        self.fixed: list[tuple[int, int]] = []
        self.brackets: list[tuple[int, str]] = []
        self.comments: set[int] = set()
        for name, start, end in captures:
            if name in ("layout.open", "layout.close"):
                if start < end:
                    self.brackets.append((start, chr(source[end - 1])))
                continue
            if name == "layout.comment":
                self.comments.add(start)
            if source.find(b"\n", start, end) >= 0:
                self.fixed.append((start, end))
        self.fixed.sort()
        self.brackets.sort()


class _Lines:
    """Walks the lines of one source once."""

    def __init__(self, source: bytes, marks: _Marks, language: Language) -> None:
        self.lines = source.split(b"\n")
        if self.lines[-1] == b"":
            self.lines.pop()
        self.marks = marks
        self.is_free = language.indentation is IndentationRule.FREE
        self.starts = [0]
        for line in self.lines[:-1]:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def layout(self) -> bytes:
        kept = self._lines_inside_literals()
        inside = self._innermost_brackets()
        layout = bytearray()
        widths = [0]
        for number, line in enumerate(self.lines):
            text = line.lstrip(b" \t")
            if kept[number]:
                layout.append(KEPT_LINE)
            elif not text.strip():
                layout.append(0)
            elif self.is_free and (inside[number] in ("(", "[") or text[:1] in (b")", b"]", b"}")):
                layout.append(BRACKETED_LINE)
            else:
                width = len(line[: len(line) - len(text)].expandtabs(_TAB))
                is_comment = self.starts[number] + len(line) - len(text) in self.marks.comments
                if not self.is_free and (inside[number] or self._continues(number)):
                    # The grammar of Python takes some lines in brackets for the end of a block they are left of.
                    layout.append(min(width, max(1, len(widths) - 1), _MOST_LEVELS))
                    continue
                if not self.is_free and not is_comment and width < widths[-1] and width not in widths:
                    # A block that ends where none began: parsers make of it what they like.
                    return b""
                layout.append(min(_level(widths, width, is_comment=is_comment and not self.is_free), _MOST_LEVELS))
        return bytes(layout)

    def _continues(self, number: int) -> bool:
        if number == 0 or not self.lines[number - 1].endswith((b"\\", b"\\\r")):
            return False
        # A comment goes no further than its line.
        return not any(start in self.marks.comments for start in range(self.starts[number - 1], self.starts[number]))

    def _lines_inside_literals(self) -> list[bool]:
        kept = [False] * len(self.lines)
        line = 0
        for start, end in self.marks.fixed:
            # Nodes stand in order of their start, so that the line only moves forward.
            while line + 1 < len(self.starts) and self.starts[line + 1] <= start:
                line += 1
            inner = line + 1
            while inner < len(self.starts) and self.starts[inner] < end:
                kept[inner] = True
                inner += 1
        return kept

    def _innermost_brackets(self) -> list[str]:
        """Return for each line the bracket that is open where it begins, or ""."""
        inside: list[str] = []
        stack: list[str] = []
        for position, bracket in self.marks.brackets:
            while len(inside) < len(self.starts) and self.starts[len(inside)] <= position:
                inside.append(stack[-1] if stack else "")
            if bracket in ("(", "[", "{"):
                stack.append(bracket)
            elif stack:
                stack.pop()
        inside += [stack[-1] if stack else ""] * (len(self.starts) - len(inside))
        return inside


def _level(widths: list[int], width: int, *, is_comment: bool) -> int:
    """Return the level of a line of this width, given the widths of the open blocks; comments change none."""
    if is_comment:
        # Between two blocks it belongs to the outer one.
        return len(widths) if width > widths[-1] else max(0, sum(opened <= width for opened in widths) - 1)
    while widths and widths[-1] > width:
        widths.pop()
    if not widths or widths[-1] < width:
        widths.append(width)
    return len(widths) - 1
