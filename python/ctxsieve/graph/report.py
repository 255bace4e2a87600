"""Answers about a graph as text, and as records and tables for the other formats."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ctxsieve.fragments import one_line
from ctxsieve.graph.communities import Communities
from ctxsieve.graph.cycles import Cycle
from ctxsieve.graph.impact import DependencyPath, Impact

__all__ = [
    "Sections",
    "communities_sections",
    "communities_text",
    "cycles_sections",
    "cycles_text",
    "impact_sections",
    "impact_text",
    "path_sections",
    "path_text",
]

# One record, and tables of rows by title.
Sections = tuple[Mapping[str, Any], Mapping[str, Sequence[Mapping[str, Any]]]]

_SHOWN_HUBS = 3


def communities_text(found: Communities, *, limit: int = 0) -> str:
    """Return one line per community; `limit` bounds their number, 0 shows all."""
    shown = _limited(found.communities, limit)
    lines = [
        f"{len(found.communities)} communities, modularity {found.modularity:.3f}; "
        f"{found.files_outside} files in smaller groups, {found.files_alone} without edges"
    ]
    for community in shown:
        tests = f" + {len(community.tests)} tests" if community.tests else ""
        hubs = f"; hubs {', '.join(community.hubs[:_SHOWN_HUBS])}" if community.hubs else ""
        lines.append(
            f"{community.id} {community.name} ({len(community.paths)} files{tests}, "
            f"cohesion {community.cohesion:.2f}){hubs}"
        )
    return _text(lines, len(found.communities) - len(shown), "communities")


def communities_sections(found: Communities, *, limit: int = 0) -> Sections:
    """Return the totals and one row per community."""
    record = {
        "groups": len(found.communities),
        "modularity": round(found.modularity, 6),
        "files_outside": found.files_outside,
        "files_alone": found.files_alone,
    }
    rows = [
        {
            "id": community.id,
            "name": community.name,
            "folder": community.folder,
            "terms": list(community.terms),
            "files": len(community.paths),
            "tests": len(community.tests),
            "lines": community.lines,
            "cohesion": community.cohesion,
            "languages": list(community.languages),
            "hubs": list(community.hubs),
            "paths": list(community.paths),
        }
        for community in _limited(found.communities, limit)
    ]
    return record, {"community": rows}


def impact_text(impact: Impact, *, limit: int = 0) -> str:
    """Return the dependents by distance, then the tests; `limit` bounds each list, 0 shows all."""
    head = (
        f"{impact.path}: {len(impact.dependents)} files depend on it ({impact.direct} directly), "
        f"{len(impact.tests)} tests; blast radius {impact.blast_radius:.1f}"
    )
    lines = [head]
    for title, dependents in (("", impact.dependents), ("tests:", impact.tests)):
        shown = _limited(dependents, limit)
        if title and shown:
            lines.append(title)
        for dependent in shown:
            via = "" if dependent.distance == 1 else f" via {dependent.via}"
            lines.append(f"{dependent.distance} {dependent.weight:.2f} {dependent.path}{via}")
        if len(shown) < len(dependents):
            lines.append(f"... {len(dependents) - len(shown)} more")
    return _text(lines)


def impact_sections(impact: Impact, *, limit: int = 0) -> Sections:
    """Return the totals, the dependents and the tests."""
    record = {
        "path": impact.path,
        "files": len(impact.dependents),
        "direct_files": impact.direct,
        "test_files": len(impact.tests),
        "blast_radius": impact.blast_radius,
    }
    tables = {
        title: [
            {
                "path": dependent.path,
                "distance": dependent.distance,
                "weight": dependent.weight,
                "via": dependent.via,
            }
            for dependent in _limited(dependents, limit)
        ]
        for title, dependents in (("dependents", impact.dependents), ("tests", impact.tests))
    }
    return record, tables


def path_text(found: DependencyPath) -> str:
    """Return the chain, one file per line, with the kind of edge that leads to it."""
    if found.direction == "none":
        return _text([f"{found.start} and {found.end} do not depend on each other"])
    if not found.steps:
        return _text([f"{found.start} is the same file"])
    many = "dependency" if len(found.steps) == 1 else "dependencies"
    lines = [f"{found.start} {found.direction} {found.end}: {len(found.steps)} {many}", found.steps[0].source]
    lines += [f"-> {step.target} ({step.kind})" for step in found.steps]
    return _text(lines)


def path_sections(found: DependencyPath) -> Sections:
    """Return the ends and one row per edge."""
    record = {"start": found.start, "end": found.end, "direction": found.direction, "length": len(found.steps)}
    steps = [{"source": step.source, "target": step.target, "kind": step.kind} for step in found.steps]
    return record, {"steps": steps}


def cycles_text(cycles: Sequence[Cycle], *, limit: int = 0) -> str:
    """Return one line per group: its size and a shortest cycle through its first file."""
    if not cycles:
        return _text(["no files import each other in a circle"])
    shown = _limited(cycles, limit)
    groups = "1 group" if len(cycles) == 1 else f"{len(cycles)} groups"
    lines = [f"{groups} of files that import each other, each with a shortest cycle:"] + [
        f"{len(cycle.paths)} files, as {' -> '.join((*cycle.example, cycle.example[0]))}" for cycle in shown
    ]
    return _text(lines, len(cycles) - len(shown), "groups")


def cycles_sections(cycles: Sequence[Cycle], *, limit: int = 0) -> Sections:
    """Return one row per group."""
    rows = [
        {"files": len(cycle.paths), "example": list(cycle.example), "paths": list(cycle.paths)}
        for cycle in _limited(cycles, limit)
    ]
    return {"groups": len(cycles)}, {"cycles": rows}


def _limited(items: Sequence[Any], limit: int) -> Sequence[Any]:
    return items[:limit] if limit else items


def _text(lines: Iterable[str], left_out: int = 0, name: str = "") -> str:
    more = [f"... {left_out} more {name}"] if left_out else []
    # Names come from the repository: none may begin a line.
    return "".join(f"{one_line(line)}\n" for line in [*lines, *more])
