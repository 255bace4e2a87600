"""`ctxsieve smells`: what is hard to change, the most severe first."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ctxsieve.cli.options import PathOption
from ctxsieve.cli.output import OutputFormat, print_error, print_json, print_record, print_text
from ctxsieve.cli.progress import show_progress

__all__ = ["smells"]

_READABLE_PLACES = 30


class SmellFormat(StrEnum):
    """How findings are spelled."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    XML = "xml"
    SARIF = "sarif"


def smells(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files, folders or globs below the root; all of it.")
    ] = None,
    path: PathOption = Path("."),
    limit: Annotated[
        int | None, typer.Option("--limit", min=0, help="Show at most so many, 0 for all; 30 where people read.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Look at tests, examples, generated and vendored files as well.")
    ] = False,
    output: Annotated[SmellFormat, typer.Option("--format", help="How the answer is spelled.")] = SmellFormat.TEXT,
) -> None:
    """Print long, deep and complex functions, god files, import cycles, copies and unused exports."""
    from ctxsieve import __version__
    from ctxsieve.api import Project
    from ctxsieve.smells import smells_mapping, smells_markdown, smells_sarif, smells_text

    report = Project.open(path).smells(paths or (), with_everything=everything, on_progress=show_progress())
    for name in report.unmeasured:
        print_error(f"{name} could not be measured")
    is_readable = output in (SmellFormat.TEXT, SmellFormat.MARKDOWN)
    most = limit if limit is not None else (_READABLE_PLACES if is_readable else 0)
    if output is SmellFormat.SARIF:
        print_text(smells_sarif(report, version=__version__, limit=most))
    elif output is SmellFormat.JSON:
        print_json(smells_mapping(report, limit=most))
    elif output is SmellFormat.XML:
        print_record(smells_mapping(report, limit=most), OutputFormat.XML, name="report")
    elif output is SmellFormat.MARKDOWN:
        print_text(smells_markdown(report, limit=most))
    else:
        print_text(smells_text(report, limit=most))
