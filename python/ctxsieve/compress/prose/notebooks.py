"""Jupyter notebooks: the cells without what they put out."""

import json
from typing import Any

from ctxsieve.compress.modes import Mode, Rendering, complement
from ctxsieve.compress.prose.entries import Entry, short
from ctxsieve.compress.source import SourceFile

__all__ = ["outline_notebook", "render_cells"]


def outline_notebook(source: SourceFile) -> list[Entry]:
    """Return the cells: number, kind and first line; none where the file is no notebook."""
    entries = []
    for number, (kind, text, outputs) in enumerate(_cells(source), start=1):
        first = next((line for line in text.splitlines() if line.strip()), "")
        dropped = f" ({outputs} outputs)" if outputs else ""
        entries.append(Entry(0, f"cell {number} {kind}{dropped}: {short(first)}"))
    return entries


def render_cells(source: SourceFile, mode: Mode) -> Rendering | None:
    """Return the text of the cells, each under a line that names it and counts the outputs that were dropped.

    None of its lines are lines of the file, which is JSON: `shown` is empty.
    """
    blocks = []
    for number, (kind, text, outputs) in enumerate(_cells(source), start=1):
        dropped = f", {outputs} outputs dropped" if outputs else ""
        blocks.append(f"[cell {number}: {kind}{dropped}]\n{text}\n")
    if not blocks:
        return None
    return Rendering(mode, "\n".join(blocks), (), complement((), len(source.lines)))


def _cells(source: SourceFile) -> list[tuple[str, str, int]]:
    try:
        notebook: Any = json.loads(source.text)
        sheets = notebook.get("worksheets") or [notebook]
        cells = [cell for sheet in sheets for cell in sheet["cells"]]
        return [
            (str(cell["cell_type"]), _joined(cell.get("source", cell.get("input", ""))), len(cell.get("outputs", ())))
            for cell in cells
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def _joined(text: Any) -> str:
    return "".join(map(str, text)) if isinstance(text, list) else str(text)
