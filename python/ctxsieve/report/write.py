"""Assembles the page: markup, style, script and data in one file that needs nothing else."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from ctxsieve.fragments import one_line
from ctxsieve.graph import Communities, ProjectGraph
from ctxsieve.relevance import Ranking
from ctxsieve.report.markup import tile
from ctxsieve.report.options import ReportOptions
from ctxsieve.report.picture import draw_graph
from ctxsieve.report.sections import budget_section, files_table, ledger_section, savings_section, smells_section
from ctxsieve.values import dataclass, field

if TYPE_CHECKING:
    from ctxsieve.ledger import DeliveryRecord
    from ctxsieve.pipeline import Preload
    from ctxsieve.smells import SmellReport
    from ctxsieve.store import MetricTotals

__all__ = ["ReportInputs", "write_report"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInputs:
    """What the page shows.

    Attributes:
        name: the project's.
        task: what the heat and the budget are about; `ranking` and `preload` answer it, None without a task.
        metrics: totals by "layer", "mode" and "language".
        deliveries: of all consumers, oldest first.
    """

    name: str
    version: str
    graph: ProjectGraph
    communities: Communities
    smells: "SmellReport"
    task: str = ""
    ranking: Ranking | None = None
    preload: "Preload | None" = None
    budget_tokens: int = 0
    metrics: "Mapping[str, Sequence[MetricTotals]]" = field(default_factory=dict)
    deliveries: "Sequence[DeliveryRecord]" = ()


def write_report(inputs: ReportInputs, options: ReportOptions | None = None) -> str:
    """Return the page; the same inputs give the same text."""
    options = options or ReportOptions()
    picture = draw_graph(inputs.graph, inputs.communities, inputs.ranking, maximum_files=options.maximum_files)
    heat_name = "relevance" if inputs.ranking is not None else "importance"
    style, script = _part("report.css"), _part("report.js")
    sections = (
        budget_section(inputs.preload, inputs.task, inputs.budget_tokens),
        ledger_section(inputs.deliveries),
        smells_section(inputs.smells, inputs.graph, limit=options.smells),
        savings_section(inputs.metrics),
    )
    drawn = f"{len(picture.paths):,} files and {len(picture.sources):,} dependencies"
    if picture.left_out:
        lesser = "relevant" if inputs.ranking is not None else "important"
        drawn += f"; {picture.left_out:,} less {lesser} files are left out"
    return Template(_part("page.html")).substitute(
        policy=escape(_policy(style, script)),
        title=escape(f"{inputs.name}: ctxsieve report"),
        name=escape(inputs.name),
        task=escape(one_line(inputs.task)) if inputs.task.strip() else "without a task",
        tiles=_tiles(inputs),
        drawn=escape(drawn),
        heat_name=heat_name,
        files=files_table(picture, heat_name=heat_name),
        sections="".join(sections),
        version=escape(inputs.version),
        style=style,
        script=script,
        data=_embedded({"heatName": heat_name, **picture.as_mapping()}),
    )


def _part(name: str) -> str:
    return (files("ctxsieve.report") / "page" / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Return a policy under which nothing is loaded and only our style and script count."""
    ours = f"style-src {_hashed(style)}; script-src {_hashed(script)}"
    return f"default-src 'none'; {ours}; base-uri 'none'; form-action 'none'"


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _embedded(value: Mapping[str, Any]) -> str:
    """Return JSON that no text inside it can end."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _tiles(inputs: ReportInputs) -> str:
    index = inputs.graph.index
    known = {language for language in index.languages if language is not None}
    figures = [
        (f"{len(index):,}", "files"),
        (f"{int(index.line_counts.sum()):,}", "lines"),
        (f"{len(inputs.graph.edges.source):,}", "dependencies"),
        (f"{len(inputs.communities.communities):,}", "communities"),
        (f"{len(known):,}", "languages"),
        (f"{len(inputs.smells.smells):,}", "smells"),
    ]
    return "".join(tile(value, label) for value, label in figures)
