"""Options that several commands share, and standard input as an argument.

They are declared without the command-line library, which takes long to load: `app` turns them into the library's own,
`direct` reads them as they stand.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from ctxsieve.cli.output import OutputFormat
from ctxsieve.errors import InputError, PathError

__all__ = [
    "AgentOption",
    "Argument",
    "BudgetOption",
    "ConsumerOption",
    "FormatOption",
    "Option",
    "PathOption",
    "RoleOption",
    "SessionOption",
    "TaskArgument",
    "TimingsOption",
    "file_text",
    "text_of",
    "whole_number",
]


class Argument(NamedTuple):
    """A positional parameter."""

    help: str


class Option(NamedTuple):
    """A parameter with a name, which is a flag where its type is bool.

    Attributes:
        name: with its dashes.
        help: one line for `--help`.
        variable: the environment variable that gives the value where the option is missing.
        reader: makes the value of its text; raises ValueError with what is wrong.
    """

    name: str
    help: str
    variable: str | None = None
    reader: Callable[[str], Any] | None = None


def whole_number(text: str) -> int:
    """Return the tokens that a budget's text says.

    Raises:
        ValueError: it is no whole number.
    """
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"budget is {text!r}: it must be a whole number of tokens") from None


TaskArgument = Annotated[str, Argument("The task in plain words; - reads it from standard input.")]
PathOption = Annotated[Path, Option("--path", "The project's root.")]
FormatOption = Annotated[OutputFormat, Option("--format", "How the answer is spelled.")]
TimingsOption = Annotated[bool, Option("--timings", "Print durations as well.")]
SessionOption = Annotated[str, Option("--session", "The session that is recorded.", "CTXSIEVE_SESSION")]
ConsumerOption = Annotated[
    str | None,
    Option("--consumer", "Who gets the answer; known text is not sent twice.", "CTXSIEVE_CONSUMER"),
]
RoleOption = Annotated[
    str | None, Option("--role", "coder, reviewer, planner, explorer, debugger, tester or orchestrator.")
]
BudgetOption = Annotated[int | None, Option("--budget", "Hard bound on the answer's tokens.", reader=whole_number)]
AgentOption = Annotated[str, Option("--agent", "Who says so.", "CTXSIEVE_CONSUMER")]


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
