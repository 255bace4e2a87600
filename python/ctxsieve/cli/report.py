"""`ctxsieve report`: a page about the project."""

from pathlib import Path
from typing import Annotated

import typer

from ctxsieve.cli.options import BudgetOption, PathOption, text_of
from ctxsieve.cli.output import print_error, print_text
from ctxsieve.cli.progress import show_progress
from ctxsieve.errors import PathError

__all__ = ["report"]


def report(
    task: Annotated[str, typer.Argument(help="What the heat and the budget are about; - reads it.")] = "",
    path: PathOption = Path("."),
    output: Annotated[str, typer.Option("--output", help="The file to write; - is standard output.")] = "report.html",
    budget: BudgetOption = None,
    maximum_files: Annotated[
        int | None,
        typer.Option("--max-files", help="Draw at most so many files; report.maximum_files by default."),
    ] = None,
) -> None:
    """Write one self-contained page: graph with heat, budgets, ledger, smells and savings."""
    from ctxsieve.api import Project

    page = Project.open(path).report(
        text_of(task), budget_tokens=budget, maximum_files=maximum_files, on_progress=show_progress()
    )
    if output == "-":
        print_text(page)
        return
    try:
        Path(output).write_text(page, "utf-8", newline="\n")
    except OSError as error:
        raise PathError(
            f"{output} cannot be written ({error.strerror}): name a file in a folder that exists"
        ) from error
    print_error(f"wrote {output} ({len(page.encode()) // 1024:,} KiB)")
