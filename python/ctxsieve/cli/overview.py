"""`ctxsieve overview`: the map of a project."""

from pathlib import Path
from typing import Annotated

import typer

from ctxsieve.cli.options import BudgetOption, FormatOption, PathOption, text_of
from ctxsieve.cli.output import OutputFormat, print_json, print_record, print_text
from ctxsieve.cli.progress import show_progress

__all__ = ["overview"]


def overview(
    task: Annotated[str, typer.Argument(help="What it is wanted for, in plain words; - reads it.")] = "",
    path: PathOption = Path("."),
    budget: BudgetOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the map of a project: languages, entry points, hubs, communities, and what is close to a task."""
    from ctxsieve.api import Project
    from ctxsieve.overview import overview_mapping

    found = Project.open(path).overview(text_of(task), budget_tokens=budget, on_progress=show_progress())
    if output is OutputFormat.JSON:
        print_json(overview_mapping(found))
    elif output is OutputFormat.XML:
        print_record(overview_mapping(found), output, name="overview")
    else:
        # The text has Markdown's headings already.
        print_text(found.text)
