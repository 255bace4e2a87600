"""`ctxsieve read`: files in a mode."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ctxsieve.cli.options import (
    Argument,
    ConsumerOption,
    FormatOption,
    Option,
    PathOption,
    SessionOption,
    whole_number,
)
from ctxsieve.cli.output import OutputFormat, print_error, print_json, print_text
from ctxsieve.cli.recording import confirm, recorded_session, warn
from ctxsieve.fragments import one_line

if TYPE_CHECKING:
    from ctxsieve.pipeline import Reading

__all__ = ["read"]


def read(
    paths: Annotated[
        list[str], Argument("Paths below the root, absolute ones too; - reads one a line from standard input.")
    ],
    path: PathOption = Path("."),
    mode: Annotated[
        str | None,
        Option(
            "--mode",
            "full, raw, lines:N-M[,N-M], map, signatures, aggressive, entropy[:SHARE], task, diff, reference or "
            "auto; the setting read.mode by default.",
        ),
    ] = None,
    task: Annotated[str, Option("--task", "What the files are read for, in plain words.")] = "",
    budget: Annotated[
        int | None,
        Option(
            "--budget",
            "Bound on each file's tokens in the mode auto, which shows at least one line; an error in other modes.",
            reader=whole_number,
        ),
    ] = None,
    output: FormatOption = OutputFormat.TEXT,
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
) -> None:
    """Print files in a mode, from the whole text to a single line."""
    from ctxsieve.api import Project
    from ctxsieve.pipeline import Style, reading_mapping

    named = [line for line in sys.stdin.read().splitlines() if line] if paths == ["-"] else paths
    style = Style.TEXT if output is OutputFormat.JSON else Style(output.value)
    project = Project.open(path)
    mode = project.settings.read.mode if mode is None else mode
    is_framed = output is not OutputFormat.JSON and not (mode == "raw" and output is OutputFormat.TEXT)
    with recorded_session(project, session=session, consumer=consumer) as opened:
        answer = opened.read(
            named, mode=mode, task=task, budget_tokens=budget, style=style, is_framed=is_framed, confirm=False
        )
        warn(answer.problem)
        if not is_framed and output is OutputFormat.TEXT:
            _say_losses(answer.readings)
        if output is OutputFormat.JSON:
            print_json([reading_mapping(reading) for reading in answer.readings])
        else:
            print_text(answer.text)
        confirm(opened, answer.delivery)


def _say_losses(readings: "Sequence[Reading]") -> None:
    """Say on standard error what no header says."""
    for reading in readings:
        if reading.note:
            print_error(f"{one_line(reading.path)}: {reading.note}")
