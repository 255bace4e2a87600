"""`ctxsieve graph` and `ctxsieve communities`: the dependency graph of a project."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ctxsieve.cli.options import FormatOption, PathOption
from ctxsieve.cli.output import OutputFormat, print_record, print_records, print_text
from ctxsieve.cli.progress import show_progress
from ctxsieve.cli.sections import print_sections

if TYPE_CHECKING:
    from ctxsieve.graph import Sections

__all__ = ["LimitOption", "app", "communities"]

app = typer.Typer(help="The dependency graph: build it, count it, walk it, export it.", no_args_is_help=True)

FileArgument = Annotated[str, typer.Argument(help="A path below the root, absolute or relative to it.")]
LimitOption = Annotated[
    int | None,
    typer.Option("--limit", min=0, help="Show at most so many, 0 for all; by default 40 where people read."),
]
_READABLE_ROWS = 40


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
def neighbors(file: FileArgument, path: PathOption = Path("."), output: FormatOption = OutputFormat.TEXT) -> None:
    """Print what a file imports and what imports it."""
    from ctxsieve.api import Project
    from ctxsieve.graph import neighbours_of
    from ctxsieve.jail import path_below

    project = Project.open(path)
    rows = neighbours_of(project.graph(on_progress=show_progress()), path_below(project.root, file))
    print_records(rows, output, name="neighbor")


@app.command("impact")
def impact(
    file: FileArgument,
    path: PathOption = Path("."),
    limit: LimitOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print what depends on a file, directly and through others, nearest first; tests apart."""
    from ctxsieve.api import Project
    from ctxsieve.graph import impact_sections, impact_text

    found = Project.open(path).impact(file, on_progress=show_progress())
    rows = _rows(limit, output)
    _print(impact_text(found, limit=rows), impact_sections(found, limit=rows), output, name="impact")


@app.command("path")
def path_between(
    start: FileArgument,
    end: FileArgument,
    path: PathOption = Path("."),
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the shortest chain of dependencies from one file to another."""
    from ctxsieve.api import Project
    from ctxsieve.graph import path_sections, path_text

    found = Project.open(path).path_between(start, end, on_progress=show_progress())
    _print(path_text(found), path_sections(found), output, name="path")


@app.command("cycles")
def cycles(path: PathOption = Path("."), limit: LimitOption = None, output: FormatOption = OutputFormat.TEXT) -> None:
    """Print the groups of files that import each other, with one example each."""
    from ctxsieve.api import Project
    from ctxsieve.graph import cycles_sections, cycles_text

    found = Project.open(path).cycles(on_progress=show_progress())
    rows = _rows(limit, output)
    _print(cycles_text(found, limit=rows), cycles_sections(found, limit=rows), output, name="cycles")


@app.command("export")
def export(
    path: PathOption = Path("."),
    graph_format: Annotated[str, typer.Option("--format", help="dot, graphml, json or mermaid.")] = "dot",
    maximum_files: Annotated[
        int | None,
        typer.Option("--max-files", help="Of more files the most important are taken; 0 is all."),
    ] = None,
) -> None:
    """Print the graph for other tools; by default at most 2,000 files as DOT and 60 as Mermaid."""
    from ctxsieve.api import Project

    found = Project.open(path).export_graph(graph_format, maximum_files=maximum_files, on_progress=show_progress())
    print_text(found.text)
    if found.omitted_files or found.omitted_edges:
        typer.echo(
            f"ctxsieve: left out {found.omitted_files:,} files and {found.omitted_edges:,} edges; "
            "--max-files 0 writes all files",
            err=True,
        )


def communities(
    path: PathOption = Path("."), limit: LimitOption = None, output: FormatOption = OutputFormat.TEXT
) -> None:
    """Print the groups of files that depend on each other more than on the rest."""
    from ctxsieve.api import Project
    from ctxsieve.graph import communities_sections, communities_text

    found = Project.open(path).communities(on_progress=show_progress())
    rows = _rows(limit, output)
    sections = communities_sections(found, limit=rows)
    _print(communities_text(found, limit=rows), sections, output, name="communities")


def _rows(limit: int | None, output: OutputFormat) -> int:
    if limit is not None:
        return limit
    return _READABLE_ROWS if output in (OutputFormat.TEXT, OutputFormat.MARKDOWN) else 0


def _print(text: str, sections: "Sections", output: OutputFormat, *, name: str) -> None:
    if output is OutputFormat.TEXT:
        print_text(text)
    else:
        print_sections(*sections, output, name=name)
