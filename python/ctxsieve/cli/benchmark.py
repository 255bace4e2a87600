"""`ctxsieve benchmark`: what compression saves and preserves on a tree."""

from pathlib import Path
from typing import Annotated

import typer

from ctxsieve.cli.options import FormatOption
from ctxsieve.cli.output import OutputFormat, print_record, print_text
from ctxsieve.cli.progress import show_progress

__all__ = ["app"]

app = typer.Typer(help="Measure what the reading modes save and preserve.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command("run")
def run(
    path: Annotated[Path, typer.Argument(help="The project's root.")] = Path("."),
    modes: Annotated[str | None, typer.Option("--modes", help="Modes, parted by commas.")] = None,
    maximum_files: Annotated[
        int | None,
        typer.Option("--max-files", help="Of more files so many are taken, evenly over the paths; 0 is all."),
    ] = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Read every file in every mode and print tokens, preservation and validity, by mode, language and algorithm."""
    from ctxsieve.api import Project
    from ctxsieve.benchmark import as_mapping, as_markdown, as_text

    project = Project.open(path)
    report = project.benchmark(
        modes=None if modes is None else tuple(mode.strip() for mode in modes.split(",")),
        maximum_files=maximum_files,
        on_progress=show_progress(),
    )
    if output in (OutputFormat.JSON, OutputFormat.XML):
        print_record(as_mapping(report), output, name="benchmark")
    else:
        print_text(as_markdown(report) if output is OutputFormat.MARKDOWN else as_text(report))
