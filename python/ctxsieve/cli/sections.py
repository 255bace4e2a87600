"""Answers of a record and several tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from ctxsieve.cli.output import OutputFormat, print_record, print_records, print_text

__all__ = ["print_sections"]


def print_sections(
    record: Mapping[str, Any],
    tables: Mapping[str, Sequence[Mapping[str, Any]]],
    output: OutputFormat,
    *,
    name: str,
) -> None:
    """Write one object in JSON and XML; in text and Markdown the record, then each table that has rows."""
    if output in (OutputFormat.JSON, OutputFormat.XML):
        print_record({**record, **tables}, output, name=name)
        return
    is_first = not record
    if record:
        print_record(record, output, name=name)
    for title, rows in tables.items():
        if rows:
            print_text("" if is_first else "\n")
            print_text(f"## {title}\n\n" if output is OutputFormat.MARKDOWN else f"{title}:\n")
            print_records(rows, output, name=title)
            is_first = False
