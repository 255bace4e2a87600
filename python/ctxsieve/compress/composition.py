"""A file's text put together from the lines that are shown and the marks of those that are not."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from itertools import pairwise
from operator import itemgetter

from ctxsieve.chunking import BRIDGE
from ctxsieve.compress.modes import complement, merge_ranges
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.values import dataclass

__all__ = [
    "Piece",
    "compose",
    "hide_lines",
    "indentation_of",
    "mark_text",
    "omission_mark",
    "pieces_of_rendering",
    "pieces_of_spans",
    "present_pieces",
    "shown_lines",
    "text_without",
]


@dataclass(frozen=True, slots=True)
class Piece:
    """Source lines that are shown, or one mark that stands for them; `text` ends with a newline."""

    span: LineRange
    text: str
    is_shown: bool


def compose(pieces: Sequence[Piece], sections: Sequence[LineRange] = ()) -> str:
    """Return the text of the pieces, in source order or section by section with a bridge line between them."""
    if len(sections) < 2:
        return "".join([piece.text for piece in pieces])
    starts = [piece.span.first for piece in pieces]
    texts = [
        "".join([piece.text for piece in pieces[bisect_left(starts, s.first) : bisect_right(starts, s.last)]])
        for s in sections
    ]
    return BRIDGE.join([text for text in texts if text])


def present_pieces(source: SourceFile, pieces: Sequence[Piece], sections: Sequence[LineRange]) -> str:
    """Return the pieces section by section: a bridge line where the file does not go on, and where it goes on then."""
    parts: list[str] = []
    following = 1
    cut = [part for piece in pieces for part in _split(piece, sections)]
    for section in sections:
        own = [piece for piece in cut if section.first <= piece.span.first <= section.last]
        if not own:
            continue
        if section.first != following:
            parts.append(BRIDGE if parts else "")
            if own[0].is_shown and section.first > 1:
                parts.append(_comment(source, f"lines {section.first}-{section.last}") + "\n")
        parts.append(compose(own))
        following = section.last + 1
    return "".join(parts)


def _split(piece: Piece, sections: Sequence[LineRange]) -> list[Piece]:
    """Return a shown piece cut where sections begin; a mark is never cut."""
    if not piece.is_shown:
        return [piece]
    starts = sorted({s.first for s in sections if piece.span.first < s.first <= piece.span.last})
    if not starts:
        return [piece]
    lines = piece.text.split("\n")[:-1]
    bounds = [piece.span.first, *starts, piece.span.last + 1]
    return [
        Piece(
            LineRange(first, end - 1),
            "".join(f"{line}\n" for line in lines[first - piece.span.first : end - piece.span.first]),
            True,
        )
        for first, end in pairwise(bounds)
    ]


def pieces_of_spans(source: SourceFile, shown: Sequence[LineRange], sections: Sequence[LineRange] = ()) -> list[Piece]:
    """Return the shown lines and a comment for each gap between them; `shown` is merged and ascending.

    A gap that a section ends in becomes two.
    """
    ends = sorted([section.last for section in sections])
    pieces, following = [], 1
    for span in shown:
        for end in ends[bisect_left(ends, following) : bisect_left(ends, span.first - 1)]:
            pieces.append(_gap(source, LineRange(following, end), max(1, following - 1)))
            following = end + 1
        if following < span.first:
            pieces.append(_gap(source, LineRange(following, span.first - 1), span.first))
        text = source.text_of(span)
        pieces.append(Piece(span, text if text.endswith("\n") else text + "\n", True))
        following = span.last + 1
    if shown and following <= len(source.lines):
        pieces.append(_gap(source, LineRange(following, len(source.lines)), following - 1))
    return pieces


def pieces_of_rendering(content: str, shown: Sequence[LineRange], omitted: Sequence[LineRange]) -> list[Piece] | None:
    """Return the pieces of a text in source order in which every gap is one line; None where it is no such text."""
    lines = content.split("\n")
    if lines[-1] == "":
        lines.pop()
    spans = [*((span.first, span, True) for span in shown), *((span.first, span, False) for span in omitted)]
    # No two of them begin with the same line.
    spans.sort(key=itemgetter(0))
    pieces, at = [], 0
    for _, span, is_shown in spans:
        end = at + (span.last - span.first + 1 if is_shown else 1)
        part = lines[at:end]
        pieces.append(Piece(span, "\n".join(part) + "\n" if part else "", is_shown))
        at = end
    return pieces if at == len(lines) else None


def hide_lines(pieces: Sequence[Piece], hidden: LineRange, mark: str) -> list[Piece]:
    """Return the pieces with a mark in place of shown lines of one piece."""
    result: list[Piece] = []
    for piece in pieces:
        if not (piece.is_shown and piece.span.first <= hidden.first and hidden.last <= piece.span.last):
            result.append(piece)
            continue
        lines = piece.text.split("\n")
        start, end = hidden.first - piece.span.first, hidden.last - piece.span.first + 1
        if start:
            before = LineRange(piece.span.first, hidden.first - 1)
            result.append(Piece(before, "\n".join(lines[:start]) + "\n", True))
        result.append(Piece(hidden, mark, False))
        if hidden.last < piece.span.last:
            result.append(Piece(LineRange(hidden.last + 1, piece.span.last), "\n".join(lines[end:]), True))
    return result


def shown_lines(pieces: Sequence[Piece], line_count: int) -> tuple[tuple[LineRange, ...], tuple[LineRange, ...]]:
    """Return the lines that the pieces show, and those of the file that they do not."""
    shown = merge_ranges([piece.span for piece in pieces if piece.is_shown])
    return shown, complement(shown, line_count)


def omission_mark(source: SourceFile, hidden: LineRange, *, near: int, note: str = "", filler: str = "") -> str:
    """Return the comment that stands for hidden lines, indented and ended like the line `near`.

    `note` follows the numbers of the lines, `filler` is code that stands before the comment.
    """
    return mark_text(source, hidden, source.spelled_lines[near - 1], note=note, filler=filler)


def mark_text(source: SourceFile, hidden: LineRange, row: str, *, note: str = "", filler: str = "") -> str:
    """Return the comment that stands for hidden lines, indented and ended like a row of the text."""
    row = row.removesuffix("\n")
    indent = row[: len(row) - len(row.lstrip())]
    ending = "\r\n" if row.endswith("\r") else "\n"
    return f"{indent}{filler}{_comment(source, f'... {hidden.numbers}{note}')}{ending}"


def text_without(
    source: SourceFile,
    gaps: Sequence[LineRange],
    *,
    emptied: Collection[LineRange] = (),
    is_nested_by_indentation: bool = False,
) -> str:
    """Return the file with a mark in place of each gap; `emptied` are those that need the language's own filler.

    Marks are indented like the first line that they hide or, by indentation, like the shallowest one.
    """
    ellipsis = source.language.ellipsis if source.language else None
    parts, following = [], 1
    for gap in gaps:
        if following < gap.first:
            parts.append(source.text_of(LineRange(following, gap.first - 1)))
        filler = f"{ellipsis}  " if gap in emptied and ellipsis else ""
        near = _shallowest_line(source, gap) if is_nested_by_indentation else gap.first
        mark = omission_mark(source, gap, near=near, filler=filler)
        is_end = gap.last == len(source.lines) and not source.text.endswith("\n")
        parts.append(mark.rstrip("\r\n") if is_end else mark)
        following = gap.last + 1
    if following <= len(source.lines):
        parts.append(source.text_of(LineRange(following, len(source.lines))))
    return "".join(parts)


def _shallowest_line(source: SourceFile, span: LineRange) -> int:
    with_text = [line for line in range(span.first, span.last + 1) if source.lines[line - 1].strip()]
    return min(with_text, key=lambda line: indentation_of(source.lines[line - 1]), default=span.first)


def indentation_of(line: str) -> int:
    """Return the width of the white space that a line begins with, tabs up to the next multiple of eight."""
    wide = line.expandtabs()
    return len(wide) - len(wide.lstrip())


def _comment(source: SourceFile, words: str) -> str:
    return words if source.language is None else source.language.comment(words)


def _gap(source: SourceFile, hidden: LineRange, near: int) -> Piece:
    return Piece(hidden, omission_mark(source, hidden, near=near), False)
