"""`ctxsieve read`: files in a mode."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ctxsieve.cli.options import FormatOption, PathOption
from ctxsieve.cli.output import OutputFormat, print_json, print_text

__all__ = ["read"]


def read(
    paths: Annotated[list[str], typer.Argument(help="Paths below the root; - reads one a line from standard input.")],
    path: PathOption = Path("."),
    mode: Annotated[
        str, typer.Option("--mode", help="full, raw, lines:N-M[,N-M], map, signatures or reference.")
    ] = "full",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print files in a mode, from the whole text to a single line."""
    from ctxsieve.api import Project
    from ctxsieve.pipeline import Style, frame

    named = [line for line in sys.stdin.read().splitlines() if line] if paths == ["-"] else paths
    readings = Project.open(path).read(named, mode=mode)
    if output is OutputFormat.JSON:
        print_json([_as_json(reading) for reading in readings])
        return
    if mode == "raw" and output is OutputFormat.TEXT:
        print_text("".join(reading.content for reading in readings))
        return
    from ctxsieve.languages import language_of

    for reading in readings:
        language = language_of(reading.path)
        label = reading.mode if reading.reason == "as asked" else f"{reading.mode}: {reading.reason}"
        name = language.name if language else None
        text = frame(Style(output.value), path=reading.path, mode=label, language=name, content=reading.content)
        print_text(text)


def _as_json(reading: Any) -> dict[str, Any]:
    entry = {
        "path": reading.path,
        "mode": reading.mode,
        "reason": reading.reason,
        "content": reading.content,
        "tokens": reading.tokens,
        "original_tokens": reading.original_tokens,
        "lines": [[span.first, span.last] for span in reading.lines],
        "omitted_lines": [[span.first, span.last] for span in reading.omitted_lines],
    }
    if not reading.lossless:
        entry |= {"encoding": reading.encoding, "lossless": False}
    return entry
