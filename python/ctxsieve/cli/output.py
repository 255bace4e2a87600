"""Answers to standard output, in the format that was asked for."""

import contextlib
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from ctxsieve.cli.progress import clear_progress
from ctxsieve.fragments import one_line

__all__ = [
    "OutputFormat",
    "discard_output",
    "print_bytes",
    "print_error",
    "print_json",
    "print_record",
    "print_records",
    "print_text",
]


class OutputFormat(StrEnum):
    """How an answer is spelled."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    XML = "xml"


def print_text(text: str) -> None:
    """Write the text as UTF-8 and nothing else; what cannot be encoded is escaped."""
    print_bytes(text.encode("utf-8", "backslashreplace"))


def print_bytes(data: bytes) -> None:
    """Write the bytes as they are.

    Raises:
        OSError: Standard output is closed, or what is behind it takes no more.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    clear_progress()
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def discard_output(error: OSError) -> None:
    """Say why nothing more can be written, unless the reader went away, and let the rest of it go nowhere."""
    if not isinstance(error, BrokenPipeError):
        with contextlib.suppress(OSError):
            # An error of a file names it; one of the output has no name.
            print_error(str(error) if error.filename else f"cannot write the answer: {error.strerror or error}")
    # The interpreter must not fail again when it flushes at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def print_error(message: str) -> None:
    """Write one line to standard error that says who speaks; what cannot be encoded is escaped."""
    clear_progress()
    sys.stderr.write(f"ctxsieve: {message}\n")
    sys.stderr.flush()


def print_json(value: Any) -> None:
    """Write the value as one line-broken JSON text."""
    import json

    print_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def print_record(record: Mapping[str, Any], output: OutputFormat, *, name: str) -> None:
    """Write one record: a line per field, or as JSON, a Markdown table or XML."""
    if output is OutputFormat.JSON:
        print_json(record)
    elif output is OutputFormat.XML:
        print_text(_xml_record(record, name, ""))
    elif output is OutputFormat.MARKDOWN:
        print_text(_markdown_table([{"field": key, "value": value} for key, value in record.items()]))
    else:
        width = max((len(key) for key in record), default=0)
        print_text("".join(f"{key:<{width}}  {_cell(value)}\n" for key, value in record.items()))


def print_records(records: Sequence[Mapping[str, Any]], output: OutputFormat, *, name: str) -> None:
    """Write rows of equal fields: aligned columns, or as JSON, a Markdown table or XML; `name` is one row's name."""
    if output is OutputFormat.JSON:
        print_json(list(records))
    elif output is OutputFormat.XML:
        rows = "".join(_xml_record(record, name, "  ") for record in records)
        print_text(f"<{name}s>\n{rows}</{name}s>\n")
    elif output is OutputFormat.MARKDOWN:
        print_text(_markdown_table(records))
    else:
        print_text(_columns(records))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_cell(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_cell(item) for item in value)
    # File names may hold line ends and escape sequences; they must not shape the table or the terminal.
    return one_line(str(value))


def _columns(records: Sequence[Mapping[str, Any]]) -> str:
    if not records:
        return ""
    fields = list(records[0])
    rows = [fields, *([_cell(record[field]) for field in fields] for record in records)]
    numeric = [all(isinstance(record[field], int | float) for record in records) for field in fields]
    widths = [max(len(row[i]) for row in rows) for i in range(len(fields))]
    lines = []
    for row in rows:
        cells = [f"{c:>{w}}" if n else f"{c:<{w}}" for c, w, n in zip(row, widths, numeric, strict=True)]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def _markdown_table(records: Sequence[Mapping[str, Any]]) -> str:
    if not records:
        return ""
    fields = list(records[0])
    cells = [[_cell(record[field]).replace("|", "\\|") for field in fields] for record in records]
    rows = [fields, ["---"] * len(fields), *cells]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _escape(text: str) -> str:
    # Loaded where it is needed: its table of entities is large.
    from html import escape

    return escape(text)


def _xml_record(record: Mapping[str, Any], name: str, indent: str) -> str:
    fields = "".join(f"{indent}  <{key}>{_xml_value(value)}</{key}>\n" for key, value in record.items())
    return f"{indent}<{name}>\n{fields}{indent}</{name}>\n"


def _xml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "".join(f'<entry key="{_escape(str(key))}">{_xml_value(item)}</entry>' for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "".join(f"<item>{_xml_value(item)}</item>" for item in value)
    text = "" if value is None else str(value)
    # Characters that XML 1.0 has no spelling for.
    return _escape(
        "".join(
            c if c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff") else "\N{REPLACEMENT CHARACTER}" for c in text
        )
    )
