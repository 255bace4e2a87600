"""`ctxsieve run`: a command with its output compressed, its exit code passed on and nothing lost."""

import os
import re
from typing import Annotated

import typer

from ctxsieve.cli.output import OutputFormat, print_bytes, print_records
from ctxsieve.cli.terse import LevelOption, level_of
from ctxsieve.errors import InputError

__all__ = ["RUN_SETTINGS", "run"]

# Options behind the command's name belong to the command.
RUN_SETTINGS = {"allow_interspersed_args": False, "ignore_unknown_options": False}
_LINES = re.compile(r"(\d+)(?:-(\d+))?")


def run(
    command: Annotated[list[str] | None, typer.Argument(help="The command and its arguments, behind --.")] = None,
    level: LevelOption = None,
    flush_seconds: Annotated[
        float, typer.Option("--flush-seconds", min=0.1, help="Print what there is after so many seconds.")
    ] = 10.0,
    show: Annotated[
        str | None, typer.Option("--show", help="Print the full output of a kept run, or of `last`.")
    ] = None,
    lines: Annotated[str | None, typer.Option("--lines", help="With --show: only these lines, N or N-M.")] = None,
    listing: Annotated[bool, typer.Option("--list", help="Print the kept runs, newest first.")] = False,
) -> None:
    """Run a command and print its output compressed; `run --show ID` prints all of it."""
    from ctxsieve.cli.run_records import list_runs, run_directory

    directory = run_directory(os.environ)
    if show is not None or listing:
        if command:
            raise InputError(f"{' '.join(command)!r} is not run beside --show or --list: give one of them")
        if listing:
            print_records(list(list_runs(directory)), OutputFormat.TEXT, name="run")
        else:
            _show(directory, show or "", lines)
        return
    if lines is not None:
        raise InputError(f"--lines is {lines!r} without --show: name the run whose lines to print")
    if not command:
        raise InputError("there is no command to run: give it behind --, as in `ctxsieve run -- cargo test`")
    from ctxsieve.cli.run_child import run_command

    raise typer.Exit(run_command(command, level=level_of(level), flush_seconds=flush_seconds, directory=directory))


def _show(directory: "os.PathLike[str]", identifier: str, lines: str | None) -> None:
    from pathlib import Path

    from ctxsieve.cli.run_records import stored_output

    path = stored_output(Path(directory), identifier)
    if lines is None:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                print_bytes(block)
    else:
        first, last = _line_range(lines)
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if number > last:
                    break
                if number >= first:
                    print_bytes(line)


def _line_range(lines: str) -> tuple[int, int]:
    found = _LINES.fullmatch(lines)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last:
        raise InputError(f"--lines is {lines!r}: it must be N or N-M with 1 <= N <= M")
    return first, last
