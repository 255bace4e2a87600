"""`ctxsieve graph`: the dependency graph of a project."""

from pathlib import Path
from typing import Annotated

import typer

from ctxsieve.cli.options import FormatOption, PathOption
from ctxsieve.cli.output import OutputFormat, print_record, print_records
from ctxsieve.cli.progress import show_progress

__all__ = ["app"]

app = typer.Typer(help="The dependency graph: build it, count it, walk it.", no_args_is_help=True)


@app.command("build")
def build(path: PathOption = Path("."), output: FormatOption = OutputFormat.TEXT) -> None:
    """Build the index and the graph, or bring them up to date."""
    from ctxsieve.api import Project
    from ctxsieve.graph import graph_statistics

    print_record(graph_statistics(Project.open(path).graph(on_progress=show_progress())), output, name="graph")


@app.command("stats")
def stats(path: PathOption = Path("."), output: FormatOption = OutputFormat.TEXT) -> None:
    """Print how many files, edges and definitions there are, by language."""
    from ctxsieve.api import Project
    from ctxsieve.graph import language_statistics

    print_records(language_statistics(Project.open(path).graph(on_progress=show_progress())), output, name="language")


@app.command("neighbors")
def neighbors(
    file: Annotated[str, typer.Argument(help="A path below the root.")],
    path: PathOption = Path("."),
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print what a file imports and what imports it."""
    from ctxsieve.api import Project
    from ctxsieve.graph import neighbours_of

    print_records(neighbours_of(Project.open(path).graph(on_progress=show_progress()), file), output, name="neighbor")
