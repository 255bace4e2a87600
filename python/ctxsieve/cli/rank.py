"""`ctxsieve rank`: the files that matter for a task, and why."""

from pathlib import Path
from typing import Annotated

from ctxsieve.cli.options import FormatOption, Option, PathOption, TaskArgument, text_of
from ctxsieve.cli.output import OutputFormat, print_error, print_records
from ctxsieve.cli.progress import show_progress

__all__ = ["rank"]


def rank(
    task: TaskArgument,
    path: PathOption = Path("."),
    explain: Annotated[bool, Option("--explain", "Show what each signal gave.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the files that matter for a task, by falling score."""
    from ctxsieve.api import Project

    ranking = Project.open(path).walk_ahead().rank(text_of(task), on_progress=show_progress())
    if not ranking.has_match:
        hubs = "; these are the hubs of the project" if ranking.files else ""
        print_error(f"no file matches the task{hubs}")
    rows = []
    for file in ranking.files:
        row: dict[str, object] = {"score": round(file.score, 4), "path": file.path}
        if explain:
            reasons = ranking.explain(file.document)
            row |= {"heat": round(reasons.heat, 4), "pagerank": round(reasons.pagerank, 4)}
            row["signals"] = {name: round(value, 4) for name, value in reasons.signals.items() if value}
            row["terms"] = {term: round(value, 2) for term, value in reasons.terms}
        rows.append(row)
    print_records(rows, output, name="file")
