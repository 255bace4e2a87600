"""Options that several commands share, and standard input as an argument."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ctxsieve.cli.output import OutputFormat

__all__ = ["BudgetOption", "FormatOption", "PathOption", "TaskArgument", "TimingsOption", "text_of"]

TaskArgument = Annotated[str, typer.Argument(help="The task in plain words; - reads it from standard input.")]
PathOption = Annotated[Path, typer.Option("--path", help="The project's root.")]
FormatOption = Annotated[OutputFormat, typer.Option("--format", help="How the answer is spelled.")]
TimingsOption = Annotated[bool, typer.Option("--timings", help="Print durations as well.")]


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"budget is {text!r}: it must be a whole number of tokens") from None


BudgetOption = Annotated[
    int | None, typer.Option("--budget", parser=_whole_number, help="Hard bound on the answer's tokens.")
]


def text_of(argument: str) -> str:
    """Return the argument, or all of standard input where it is `-`."""
    if argument != "-":
        return argument
    return sys.stdin.buffer.read().decode("utf-8", "replace")
