"""Pieces of the page that need no script: tables, bars and charts, with every text escaped."""

from collections.abc import Sequence
from html import escape

from ctxsieve.values import dataclass

__all__ = ["Cell", "bar", "figure", "table", "tile"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: `markup` is ours and final, `sort` what its column is sorted by."""

    markup: str
    sort: float | str
    is_number: bool = False


def text_cell(text: str, *, code: bool = False) -> Cell:
    """Return a cell with a text of any origin."""
    inner = escape(text)
    return Cell(f"<code>{inner}</code>" if code else inner, text)


def number_cell(value: float, digits: int = 0) -> Cell:
    """Return a cell with a number."""
    return Cell(f"{value:,.{digits}f}", value, is_number=True)


def table(identity: str, caption: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return a table that the script can sort; it reads well without it."""
    numeric = [bool(rows) and rows[0][place].is_number for place in range(len(columns))]
    head = "".join(
        f'<th scope="col"{" class=number" if is_number else ""}><button type="button">{escape(name)}</button></th>'
        for name, is_number in zip(columns, numeric, strict=True)
    )
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f'<table id="{identity}" class="sortable"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>"
    )


def _cell(cell: Cell) -> str:
    kind = ' class="number"' if cell.is_number else ""
    return f'<td{kind} data-sort="{escape(str(cell.sort))}">{cell.markup}</td>'


def bar(share: float, label: str, *, outline: float | None = None, kind: str = "fill") -> str:
    """Return a bar of a share of 1, before an outline of another share; `label` is read aloud."""
    inner = f'<rect class="{kind}" y="1" height="8" width="{100 * _clamped(share):.2f}"/>'
    if outline is not None:
        inner = f'<rect class="track" width="{100 * _clamped(outline):.2f}" height="10"/>{inner}'
    return (
        f'<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(label)}">{inner}</svg>'
    )


def _clamped(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def tile(value: str, label: str) -> str:
    """Return one figure of the head of the page."""
    return f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>"


def figure(identity: str, title: str, note: str, content: str) -> str:
    """Return a section of the page."""
    return (
        f'<section id="{identity}" aria-labelledby="{identity}-title"><h2 id="{identity}-title">{escape(title)}</h2>'
        f'<p class="note">{escape(note)}</p>{content}</section>\n'
    )
