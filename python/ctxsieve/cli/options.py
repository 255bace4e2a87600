"""Options that several commands share, and standard input as an argument."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ctxsieve.cli.output import OutputFormat
from ctxsieve.errors import InputError, PathError

__all__ = [
    "AgentOption",
    "BudgetOption",
    "ConsumerOption",
    "FormatOption",
    "PathOption",
    "RoleOption",
    "SessionOption",
    "TaskArgument",
    "TimingsOption",
    "file_text",
    "text_of",
]

TaskArgument = Annotated[str, typer.Argument(help="The task in plain words; - reads it from standard input.")]
PathOption = Annotated[Path, typer.Option("--path", help="The project's root.")]
FormatOption = Annotated[OutputFormat, typer.Option("--format", help="How the answer is spelled.")]
TimingsOption = Annotated[bool, typer.Option("--timings", help="Print durations as well.")]
SessionOption = Annotated[
    str, typer.Option("--session", envvar="CTXSIEVE_SESSION", help="The session that is recorded.")
]
ConsumerOption = Annotated[
    str | None,
    typer.Option("--consumer", envvar="CTXSIEVE_CONSUMER", help="Who gets the answer; known text is not sent twice."),
]
RoleOption = Annotated[
    str | None,
    typer.Option("--role", help="coder, reviewer, planner, explorer, debugger, tester or orchestrator."),
]
AgentOption = Annotated[str, typer.Option("--agent", envvar="CTXSIEVE_CONSUMER", help="Who says so.")]


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


def file_text(argument: str) -> str:
    """Return the text of a file, or all of standard input where the argument is `-`."""
    if argument == "-":
        return text_of(argument)
    try:
        return Path(argument).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{argument} is not UTF-8 text: give a text file") from error
    except OSError as error:
        raise PathError(f"{argument} cannot be read ({error.strerror}): check the path") from error
