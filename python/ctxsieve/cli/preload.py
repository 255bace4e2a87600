"""`ctxsieve preload`: the context for a task."""

import dataclasses
from pathlib import Path
from typing import Any

import typer

from ctxsieve.cli.options import BudgetOption, FormatOption, PathOption, TaskArgument, TimingsOption, text_of
from ctxsieve.cli.output import OutputFormat, print_json, print_text
from ctxsieve.cli.progress import show_progress

__all__ = ["preload"]


def preload(
    task: TaskArgument,
    path: PathOption = Path("."),
    budget: BudgetOption = None,
    output: FormatOption = OutputFormat.TEXT,
    timings: TimingsOption = False,
) -> None:
    """Print the context for a task: the right files, the right lines, within the token budget."""
    from ctxsieve.api import Project
    from ctxsieve.pipeline import Style

    style = Style.TEXT if output is OutputFormat.JSON else Style(output.value)
    answer = Project.open(path).preload(text_of(task), budget_tokens=budget, style=style, on_progress=show_progress())
    for notice in answer.notices:
        typer.echo(f"ctxsieve: {notice}", err=True)
    if output is not OutputFormat.JSON:
        print_text(answer.text)
        return
    print_json(_as_json(answer, timings=timings))


def _as_json(answer: Any, *, timings: bool) -> dict[str, Any]:
    from ctxsieve.pipeline import metrics_as_mapping

    return {
        "text": answer.text,
        "tokens": answer.tokens,
        "files": [
            {
                "path": file.path,
                "score": round(file.score, 6),
                "budget_tokens": file.budget_tokens,
                "sent_tokens": file.sent_tokens,
                "mode": file.mode,
                "lines": [[span.first, span.last] for span in file.lines],
            }
            for file in answer.files
        ],
        "intent": dataclasses.asdict(answer.intent),
        "omitted": [{"path": entry.path, "reason": entry.reason} for entry in answer.omitted],
        "metrics": metrics_as_mapping(answer.metrics, timings=timings),
    }
