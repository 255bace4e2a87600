"""Findings as text, as Markdown, and as records."""

from collections.abc import Mapping, Sequence
from typing import Any

from ctxsieve.fragments import one_line
from ctxsieve.smells.find import SmellReport
from ctxsieve.smells.findings import Place, Smell

__all__ = ["smells_mapping", "smells_markdown", "smells_text"]


def smells_text(report: SmellReport, *, limit: int = 0) -> str:
    """Return one line per place, all that is wrong there in one; `limit` bounds the places, 0 shows all."""
    groups = _by_place(report.smells)
    shown = groups[:limit] if limit else groups
    lines = [_summary(report)]
    lines += [f"{group[0].severity:.1f} {group[0].level} {_where(group[0])}: {_reasons(group)}" for group in shown]
    if len(shown) < len(groups):
        lines.append(f"... {len(groups) - len(shown)} more places")
    return "".join(f"{one_line(line)}\n" for line in lines)


def smells_markdown(report: SmellReport, *, limit: int = 0) -> str:
    """Return a table with one row per place."""
    groups = _by_place(report.smells)
    shown = groups[:limit] if limit else groups
    rows = ["| severity | level | place | symbol | what |", "| ---: | --- | --- | --- | --- |"]
    for group in shown:
        first = group[0]
        cells = (f"{first.severity:.1f}", first.level.value, _lines(first.place), first.symbol, _reasons(group))
        rows.append("| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |")
    more = [f"\n{len(groups) - len(shown)} more places."] if len(shown) < len(groups) else []
    return "\n".join([_summary(report), "", *rows, *more]) + "\n"


def smells_mapping(report: SmellReport, *, limit: int = 0) -> Mapping[str, Any]:
    """Return the totals and one record per finding."""
    shown = report.smells[:limit] if limit else report.smells
    return {
        "smells": [
            {
                "kind": smell.kind.value,
                "level": smell.level.value,
                "severity": smell.severity,
                "path": smell.place.path,
                "lines": [smell.place.first_line, smell.place.last_line],
                "symbol": smell.symbol,
                "value": smell.value,
                "threshold": smell.threshold,
                "message": smell.message,
                "confidence": smell.confidence.value,
                "related": [{"path": one.path, "lines": [one.first_line, one.last_line]} for one in smell.related],
            }
            for smell in shown
        ],
        "found": len(report.smells),
        "files": report.files,
        "functions": report.functions,
        "code_lines": report.code_lines,
        "held_back": dict(report.held_back),
        "unmeasured": list(report.unmeasured),
    }


def _by_place(smells: Sequence[Smell]) -> list[list[Smell]]:
    """Return the findings in groups of one function or file each, in the order of their worst one."""
    groups: dict[tuple[Place, str], list[Smell]] = {}
    for smell in smells:
        groups.setdefault((smell.place, smell.symbol), []).append(smell)
    return list(groups.values())


def _summary(report: SmellReport) -> str:
    held = ", ".join(f"{count} {role}" for role, count in report.held_back.items())
    text = (
        f"{len(report.smells)} smells at {len(_by_place(report.smells))} places; {report.files} files measured "
        f"({report.functions:,} functions, {report.code_lines:,} code lines)"
    )
    return text + (f"; held back: {held}" if held else "")


def _where(smell: Smell) -> str:
    return f"{_lines(smell.place)} {smell.symbol}" if smell.symbol else _lines(smell.place)


def _lines(place: Place) -> str:
    if place.first_line == place.last_line:
        return f"{place.path}:{place.first_line}"
    return f"{place.path}:{place.first_line}-{place.last_line}"


def _reasons(group: Sequence[Smell]) -> str:
    reasons = []
    for smell in group:
        others = ", ".join(_lines(place) for place in smell.related) if smell.kind == "duplicated-block" else ""
        reasons.append(f"{smell.message}: also {others}" if others else smell.message)
    return "; ".join(reasons)
