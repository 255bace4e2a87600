"""A benchmark as text, Markdown or plain values."""

from collections.abc import Mapping, Sequence
from typing import Any

from ctxsieve.benchmark.run import BenchmarkReport, Group

__all__ = ["as_mapping", "as_markdown", "as_text"]

_COLUMNS = ("files", "tokens before", "after", "per file", "saved", "AST", "identifiers", "lines", "valid", "whole")
Table = tuple[str, Sequence[Sequence[str]]]


def as_text(report: BenchmarkReport) -> str:
    """Return aligned tables."""
    parts = [_headline(report)]
    for title, rows in _tables(report):
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = [
            "  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
            for row in rows
        ]
        parts.append(f"{title}\n" + "".join(f"{line.rstrip()}\n" for line in lines))
    parts.append("".join(f"{name}: {why}\n" for name, why in report.unmeasured.items()))
    return "\n".join(parts)


def as_markdown(report: BenchmarkReport) -> str:
    """Return Markdown tables."""
    parts = [_headline(report)]
    for title, rows in _tables(report):
        alignment = ["---", *["---:"] * (len(rows[0]) - 1)]
        parts.append(
            f"### {title}\n\n" + "".join(f"| {' | '.join(row)} |\n" for row in (rows[0], alignment, *rows[1:]))
        )
    parts.append("".join(f"- {name}: {why}\n" for name, why in report.unmeasured.items()))
    return "\n".join(parts)


def as_mapping(report: BenchmarkReport) -> dict[str, Any]:
    """Return the values as they are; shares that do not exist are None."""
    return {
        "root": report.root_name,
        "files": report.files,
        "skipped": report.skipped,
        "original_tokens": report.original_tokens,
        "modes": _groups(report.modes),
        "languages": {name: _groups(modes) for name, modes in report.languages.items()},
        "algorithms": {name: {"on": _group(on), "off": _group(off)} for name, (on, off) in report.algorithms.items()},
        "unmeasured": dict(report.unmeasured),
    }


def _groups(groups: Mapping[str, Group]) -> dict[str, Any]:
    return {name: _group(group) for name, group in groups.items()}


def _group(group: Group) -> dict[str, Any]:
    return {
        "files": group.files,
        "original_tokens": group.original_tokens,
        "tokens": group.tokens,
        "tokens_per_file": group.tokens_per_file,
        "saved": group.saved,
        "definitions": group.definitions,
        "identifiers": group.identifiers,
        "lines": group.lines,
        "checked": group.checked,
        "invalid": list(group.invalid),
        "whole": group.whole,
    }


def _headline(report: BenchmarkReport) -> str:
    skipped = f", {report.skipped} could not be read" if report.skipped else ""
    return f"{report.root_name}: {report.files} files, {report.original_tokens} tokens{skipped}\n"


def _tables(report: BenchmarkReport) -> list[Table]:
    by_mode = [_row(mode, group) for mode, group in report.modes.items()]
    by_language = [
        _row(f"{language} {mode}", group)
        for language, groups in report.languages.items()
        for mode, group in groups.items()
    ]
    by_algorithm = [
        _row(f"{name} {state}", group)
        for name, pair in report.algorithms.items()
        for state, group in zip(("on", "off"), pair, strict=True)
    ]
    return [
        ("By mode", [("mode", *_COLUMNS), *by_mode]),
        ("By language", [("language", *_COLUMNS), *by_language]),
        ("By algorithm", [("algorithm", *_COLUMNS), *by_algorithm]),
    ]


def _row(name: str, group: Group) -> tuple[str, ...]:
    valid = f"{group.checked - len(group.invalid)}/{group.checked}" if group.checked else "n/a"
    per_file = group.tokens_per_file
    return (
        name,
        str(group.files),
        str(group.original_tokens),
        str(group.tokens),
        "n/a" if per_file is None else f"{per_file:.0f}",
        *(_percent(share) for share in (group.saved, group.definitions, group.identifiers, group.lines)),
        valid,
        str(group.whole),
    )


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{share:.1%}"
