"""The sections of the page, each from what the project says to markup."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from ctxsieve.fragments import one_line
from ctxsieve.graph import ProjectGraph
from ctxsieve.report.markup import Cell, bar, figure, number_cell, table, text_cell
from ctxsieve.report.picture import Picture

if TYPE_CHECKING:
    from ctxsieve.ledger import DeliveryRecord
    from ctxsieve.pipeline import Preload
    from ctxsieve.smells import SmellReport
    from ctxsieve.store import MetricTotals

__all__ = ["budget_section", "files_table", "ledger_section", "savings_section", "smells_section"]

_CHART_WIDTH, _CHART_HEIGHT, _LEFT, _BOTTOM = 960, 260, 64, 28
_LISTED_DELIVERIES = 100


def files_table(picture: Picture, *, heat_name: str) -> str:
    """Return all drawn files as a table: the graph for who cannot see it, and for who would rather read."""
    rows = [
        [
            text_cell(path, code=True),
            text_cell(picture.group_names[picture.group_of[node]]),
            number_cell(float(picture.heat[node]), 3),
            number_cell(picture.imports[node]),
            number_cell(picture.importers[node]),
            number_cell(picture.lines[node]),
        ]
        for node, path in enumerate(picture.paths)
    ]
    columns = ("file", "community", heat_name, "imports", "imported by", "lines")
    return table("files-table", "All drawn files", columns, rows)


def budget_section(preload: "Preload | None", task: str, budget_tokens: int) -> str:
    """Return the shares of a task's files: what each was given, and what it took."""
    title = "Budget of the task"
    if preload is None:
        note = 'No task was given: ctxsieve report "what is to be done" shows how its budget is divided.'
        return figure("budget", title, note, "")
    scale = max((max(file.budget_tokens, file.sent_tokens) for file in preload.files), default=1) or 1
    rows = []
    for file in preload.files:
        label = f"{file.sent_tokens:,} tokens sent of {file.budget_tokens:,} given"
        spans = ", ".join(span.numbers for span in file.lines[:6])
        rows.append(
            [
                text_cell(one_line(file.path), code=True),
                number_cell(file.score, 3),
                Cell(bar(file.sent_tokens / scale, label, outline=file.budget_tokens / scale), file.sent_tokens),
                number_cell(file.budget_tokens),
                number_cell(file.sent_tokens),
                text_cell(file.mode),
                text_cell(spans + (", ..." if len(file.lines) > 6 else "")),
            ]
        )
    columns = ("file", "score", "sent, before given", "given", "sent", "mode", "lines")
    note = f"{preload.tokens:,} of {budget_tokens:,} tokens, framing included: {one_line(task)}"
    return figure("budget", title, note, table("budget-table", "Files of the task", columns, rows))


def smells_section(report: "SmellReport", graph: ProjectGraph, *, limit: int) -> str:
    """Return the smells, those first on whose file most other files rest."""
    blast = _BlastRadius(graph)
    smells = sorted(report.smells, key=lambda smell: (-blast.of(smell.place.path), -smell.severity))[:limit]
    largest = max((blast.of(smell.place.path) for smell in smells), default=1) or 1
    rows = []
    for smell in smells:
        reach = blast.of(smell.place.path)
        where = f"{one_line(smell.place.path)}:{smell.place.first_line}"
        rows.append(
            [
                Cell(bar(reach / largest, f"{reach:,} files", kind="fill blast") + f"<span>{reach:,}</span>", reach),
                Cell(f'<span class="level {smell.level.value}">{smell.level.value}</span>', smell.severity),
                number_cell(smell.severity, 1),
                text_cell(where, code=True),
                text_cell(one_line(smell.message)),
            ]
        )
    columns = ("files that rest on it", "level", "severity", "where", "what")
    note = (
        f"{len(report.smells):,} findings in {report.files:,} files; the {len(rows):,} with the largest blast radius: "
        "the number of files that depend on the file, through any number of imports."
    )
    return figure("smells", "Smells by blast radius", note, table("smells-table", "Smells", columns, rows))


class _BlastRadius:
    """Counts the files that depend on a file, directly or not."""

    def __init__(self, graph: ProjectGraph) -> None:
        order = np.argsort(graph.edges.target, kind="stable")
        self._index = graph.index
        self._sources = graph.edges.source[order].tolist()
        counts = np.bincount(graph.edges.target, minlength=len(graph.index))
        self._starts = np.concatenate(([0], np.cumsum(counts))).tolist()
        self._known: dict[str, int] = {}

    def of(self, path: str) -> int:
        if path not in self._known:
            document = self._index.document(path)
            self._known[path] = 0 if document is None else self._reach(document)
        return self._known[path]

    def _reach(self, document: int) -> int:
        seen = {document}
        pending = [document]
        while pending:
            node = pending.pop()
            for source in self._sources[self._starts[node] : self._starts[node + 1]]:
                if source not in seen:
                    seen.add(source)
                    pending.append(source)
        return len(seen) - 1


def savings_section(totals: "Mapping[str, Sequence[MetricTotals]]") -> str:
    """Return what each layer, mode and language took in and gave out, over all recorded sessions."""
    title = "Savings by layer"
    if not any(totals.values()):
        return figure("savings", title, "Nothing is recorded yet: preload and read record what they save.", "")
    rows = []
    scale = max((max(row.input_tokens, row.output_tokens) for rows in totals.values() for row in rows), default=1) or 1
    for group, members in totals.items():
        for row in members:
            label = f"{row.output_tokens:,} tokens out of {row.input_tokens:,}"
            saved = 1 - row.ratio
            rows.append(
                [
                    text_cell(group),
                    text_cell(row.name),
                    Cell(bar(row.output_tokens / scale, label, outline=row.input_tokens / scale), row.output_tokens),
                    number_cell(row.input_tokens),
                    number_cell(row.output_tokens),
                    _share_cell(saved if row.input_tokens and row.output_tokens else None),
                    number_cell(row.duration_ms / max(row.count, 1), 1),
                ]
            )
    columns = ("of", "name", "out, before in", "tokens in", "tokens out", "saved", "ms a run")
    note = "Over all recorded sessions. Rows of different layers describe the same tokens: they do not add up."
    return figure("savings", title, note, table("savings-table", "Savings", columns, rows))


def _share_cell(share: float | None) -> Cell:
    """Return a share in whole per cent; None where a layer gives out no text."""
    if share is None:
        return Cell("", -1.0, is_number=True)
    return Cell(f"{round(100 * share):,} %", share, is_number=True)


def ledger_section(deliveries: "Sequence[DeliveryRecord]") -> str:
    """Return what was sent over time, against what the same files cost in full."""
    title = "Ledger over time"
    if not deliveries:
        note = "Nothing is recorded yet: what a consumer is sent appears here (ctxsieve preload --consumer NAME)."
        return figure("ledger", title, note, "")
    sent = sum(one.sent_tokens for one in deliveries)
    original = sum(one.original_tokens for one in deliveries)
    rows = [
        [
            Cell(escape(_time_text(one.recorded_at)), one.recorded_at),
            text_cell(one_line(one.consumer)),
            text_cell(one.kind),
            number_cell(one.sent_tokens),
            number_cell(one.original_tokens),
        ]
        for one in reversed(deliveries[-_LISTED_DELIVERIES:])
    ]
    columns = ("when (UTC)", "consumer", "kind", "sent", "in full")
    listed = table("ledger-table", "Latest deliveries", columns, rows)
    note = f"{len(deliveries):,} deliveries: {sent:,} tokens sent; the same files in full cost {original:,}."
    return figure(
        "ledger", title, note, _chart(deliveries) + f"<details><summary>As a table</summary>{listed}</details>"
    )


def _chart(deliveries: "Sequence[DeliveryRecord]") -> str:
    """Return two rising lines: tokens in full and tokens sent, added up, by the number of the delivery."""
    sent = np.cumsum([one.sent_tokens for one in deliveries])
    original = np.cumsum([one.original_tokens for one in deliveries])
    top = _round_up(max(int(sent[-1]), int(original[-1]), 1))
    lines = "".join(
        f'<path class="line {name}" d="{_steps(values.tolist(), top)}"/>'
        for name, values in (("original", original), ("sent", sent))
    )
    marks = "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_CHART_WIDTH}" y1="{_height(value, top):.1f}" '
        f'y2="{_height(value, top):.1f}"/><text class="tick" x="{_LEFT - 8}" y="{_height(value, top) + 4:.1f}" '
        f'text-anchor="end">{_short(value)}</text>'
        for value in (0, top // 4, top // 2, 3 * top // 4, top)
    )
    first, last = _time_text(deliveries[0].recorded_at), _time_text(deliveries[-1].recorded_at)
    baseline = _CHART_HEIGHT - 6
    ends = (
        f'<text class="tick" x="{_LEFT}" y="{baseline}">{escape(first)}</text>'
        f'<text class="tick" x="{_CHART_WIDTH}" y="{baseline}" text-anchor="end">{escape(last)}</text>'
    )
    legend = '<p class="legend"><span class="key original"></span> in full <span class="key sent"></span> sent</p>'
    label = f"Tokens added up over {len(deliveries)} deliveries: {original[-1]:,} in full, {sent[-1]:,} sent"
    return (
        f'{legend}<svg class="chart" viewBox="0 0 {_CHART_WIDTH} {_CHART_HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{marks}{lines}{ends}</svg>'
    )


def _height(value: float, top: int) -> float:
    return 8 + (_CHART_HEIGHT - _BOTTOM - 8) * (1 - value / top)


def _steps(values: Sequence[float], top: int) -> str:
    width = (_CHART_WIDTH - _LEFT) / max(len(values), 1)
    parts = [f"M{_LEFT} {_height(0, top):.1f}"]
    for number, value in enumerate(values):
        parts.append(f"V{_height(value, top):.1f}H{_LEFT + width * (number + 1):.1f}")
    return "".join(parts)


def _round_up(value: int) -> int:
    """Return the next number that divides well by four."""
    step = 4 * int(10 ** max(len(str(value)) - 2, 0))
    return -(-value // step) * step


def _short(value: int) -> str:
    if value >= 1_000_000:
        return f"{value / 1_000_000:g} M"
    return f"{value / 1000:g} k" if value >= 1000 else str(value)


def _time_text(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return str(seconds)
