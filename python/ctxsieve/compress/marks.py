"""Lines left out of a text that was put together already, with one mark for all that is missing in one place."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.compress.composition import Piece, mark_text
from ctxsieve.compress.nodes import NodeClass, block_bounds, lines_of_classes
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.values import dataclass

__all__ = ["leave_out"]


@dataclass(frozen=True, slots=True)
class _Hidden:
    """Lines that one mark names, what it says of them, and the row that stood for the first of them before."""

    span: LineRange
    note: str
    row: str


# Consecutive hidden lines with the text that stood for them before, if nothing was added.
_Gap = tuple[list[_Hidden], str]


def leave_out(source: SourceFile, pieces: Sequence[Piece], hidden: Sequence[tuple[LineRange, str]]) -> list[Piece]:
    """Return the pieces, in source order, without the hidden lines; each comes with the note of its mark.

    Marks between which nothing with text is shown become one, `... 5-13 = a.py:3, 14-20`. A block of which no
    statement is left gets the language's own filler.
    """
    parts = _joined(_cut(source, pieces, sorted(hidden, key=lambda item: item[0])))
    shown = np.zeros(len(source.lines) + 2, dtype=bool)
    for part in parts:
        if isinstance(part, Piece):
            shown[part.span.first : part.span.last + 1] = True
    openings = _openings(source, shown)
    return [part if isinstance(part, Piece) else _mark(source, part, openings) for part in parts]


def _cut(source: SourceFile, pieces: Sequence[Piece], hidden: Sequence[tuple[LineRange, str]]) -> list[Piece | _Gap]:
    """Return what is left of the pieces, and the hidden lines between them."""
    result: list[Piece | _Gap] = []
    at = 0
    for piece in pieces:
        lines = piece.text.split("\n") if piece.is_shown else []
        first = piece.span.first
        while first <= piece.span.last:
            while at < len(hidden) and hidden[at][0].last < first:
                at += 1
            span, note = hidden[at] if at < len(hidden) else (LineRange(len(source.lines) + 1, 0), "")
            if span.first <= first:
                if span.first == first or not result:
                    result.append(([_Hidden(span, note, _row(lines, piece, first))], ""))
                first = span.last + 1
                continue
            last = min(piece.span.last, span.first - 1)
            kept = LineRange(first, last)
            if piece.is_shown:
                rows = lines[first - piece.span.first : last - piece.span.first + 1]
                result.append(Piece(kept, "".join([f"{row}\n" for row in rows]), True))
            else:
                result.append(([_Hidden(kept, "", piece.text)], piece.text if kept == piece.span else ""))
            first = last + 1
    return result


def _row(lines: Sequence[str], piece: Piece, line: int) -> str:
    return lines[line - piece.span.first] if piece.is_shown else piece.text


def _joined(parts: Sequence[Piece | _Gap]) -> list[Piece | _Gap]:
    """Return the parts with gaps that follow each other, blank lines between them included, as one."""
    result: list[Piece | _Gap] = []
    for part in parts:
        if isinstance(part, Piece):
            result.append(part)
            continue
        blank = 0
        while blank < len(result) and _is_blank(result[-1 - blank]):
            blank += 1
        before = result[-1 - blank] if blank < len(result) else None
        if before is None or isinstance(before, Piece):
            result.append(part)
            continue
        del result[len(result) - 1 - blank :]
        result.append((_in_sequence([*before[0], *part[0]]), ""))
    return result


def _is_blank(part: Piece | _Gap) -> bool:
    return isinstance(part, Piece) and not part.text.strip()


def _in_sequence(hidden: Sequence[_Hidden]) -> list[_Hidden]:
    """Return the same lines, those without a note as few ranges, and every line between the ranges in one of them."""
    result = [hidden[0]]
    for item in hidden[1:]:
        before = result[-1]
        if not before.note and not item.note:
            result[-1] = _Hidden(LineRange(before.span.first, item.span.last), "", before.row)
        elif item.note:
            result[-1] = _Hidden(LineRange(before.span.first, item.span.first - 1), before.note, before.row)
            result.append(item)
        else:
            result.append(_Hidden(LineRange(before.span.last + 1, item.span.last), "", item.row))
    return result


def _mark(source: SourceFile, gap: _Gap, openings: npt.NDArray[np.int64]) -> Piece:
    hidden, text = gap
    span = LineRange(hidden[0].span.first, hidden[-1].span.last)
    if not text:
        at = int(np.searchsorted(openings, span.first))
        ellipsis = source.language.ellipsis if source.language else None
        is_emptied = at < len(openings) and openings[at] <= span.last
        filler = f"{ellipsis}  " if is_emptied and ellipsis else ""
        first, *others = hidden
        note = first.note + "".join([f", {item.span.numbers}{item.note}" for item in others])
        text = mark_text(source, first.span, first.row, note=note, filler=filler)
    return Piece(span, text, False)


def _openings(source: SourceFile, shown: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return, rising, the first statement of each block that would be empty below a head that is shown."""
    if source.language is None or source.language.ellipsis is None:
        return np.zeros(0, dtype=np.int64)
    is_statement = np.append(source.has_text, False) & ~lines_of_classes(source, [NodeClass.COMMENT])
    statements = np.flatnonzero(is_statement)
    firsts, lasts = block_bounds(source).T
    at = np.searchsorted(statements, firsts)
    # A block stands below a statement, and has one.
    is_block = (at > 0) & (at < len(statements))
    firsts, lasts, at = firsts[is_block], lasts[is_block], at[is_block]
    visible = np.cumsum(is_statement & shown)
    is_emptied = (statements[at] <= lasts) & shown[statements[at - 1]] & (visible[lasts] == visible[firsts - 1])
    return np.unique(statements[at][is_emptied])
