"""`ctxsieve preload`: the context for a task."""

from pathlib import Path

from ctxsieve.cli.options import (
    BudgetOption,
    ConsumerOption,
    FormatOption,
    PathOption,
    RoleOption,
    SessionOption,
    TaskArgument,
    TimingsOption,
    text_of,
)
from ctxsieve.cli.output import OutputFormat, print_error, print_json, print_text
from ctxsieve.cli.progress import show_progress
from ctxsieve.cli.recording import confirm, recorded_session, warn

__all__ = ["preload"]


def preload(
    task: TaskArgument,
    path: PathOption = Path("."),
    budget: BudgetOption = None,
    output: FormatOption = OutputFormat.TEXT,
    timings: TimingsOption = False,
    role: RoleOption = None,
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
) -> None:
    """Print the context for a task: the right files, the right lines, within the token budget."""
    from ctxsieve.api import Project
    from ctxsieve.pipeline import Style, preload_mapping

    style = Style.TEXT if output is OutputFormat.JSON else Style(output.value)
    with recorded_session(Project.open(path).walk_ahead(), session=session, consumer=consumer) as opened:
        answer = opened.preload(
            text_of(task), budget_tokens=budget, style=style, role=role, on_progress=show_progress(), confirm=False
        )
        for notice in answer.preload.notices:
            print_error(notice)
        warn(answer.problem)
        if output is OutputFormat.JSON:
            print_json(preload_mapping(answer.preload, timings=timings))
        else:
            print_text(answer.preload.text)
        confirm(opened, answer.delivery)
