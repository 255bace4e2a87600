"""ctx_graph: the dependency graph."""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from ctxsieve.errors import InputError
from ctxsieve.graph import (
    Sections,
    communities_sections,
    communities_text,
    cycles_sections,
    cycles_text,
    graph_statistics,
    impact_sections,
    impact_text,
    neighbours_of,
    path_sections,
    path_text,
)
from ctxsieve.mcp_server.answers import Answer, render_record, render_rows
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.paths import file_path
from ctxsieve.mcp_server.tools.tool import Call, Tool

__all__ = ["GRAPH"]


class GraphArguments(Arguments):
    """See the descriptions."""

    action: Annotated[
        Literal["neighbors", "impact", "path", "cycles", "communities", "export", "stats"],
        Field(description="impact: all that depends on path; path: chain from path to to"),
    ] = "neighbors"
    path: Annotated[str | None, Field(min_length=1, description="of neighbors, impact and path")] = None
    to: Annotated[str | None, Field(min_length=1)] = None
    limit: Annotated[int, Field(ge=0, description="rows, or files of export; 0: all")] = 40
    style: Annotated[Literal["dot", "graphml", "json", "mermaid"], Field(description="of export")] = "mermaid"


def _run(call: Call, given: GraphArguments) -> Answer:
    return _ACTIONS[given.action](call, given)


def _neighbors(call: Call, given: GraphArguments) -> Answer:
    path = _needed(call, given.path, "path", given)
    rows = neighbours_of(call.project.graph(on_progress=call.report), path)
    shown = rows[: given.limit or len(rows)]
    text = render_rows("neighbors", shown) or "The file stands alone.\n"
    if len(shown) < len(rows):
        text += f"{len(rows) - len(shown)} more: raise limit\n"
    return Answer(text=text, record={"neighbors": rows})


def _impact(call: Call, given: GraphArguments) -> Answer:
    found = call.project.impact(_needed(call, given.path, "path", given), on_progress=call.report)
    return _answer(impact_text(found, limit=given.limit), impact_sections(found, limit=given.limit))


def _path(call: Call, given: GraphArguments) -> Answer:
    start, end = _needed(call, given.path, "path", given), _needed(call, given.to, "to", given)
    found = call.project.path_between(start, end, on_progress=call.report)
    return _answer(path_text(found), path_sections(found))


def _cycles(call: Call, given: GraphArguments) -> Answer:
    found = call.project.cycles(on_progress=call.report)
    return _answer(cycles_text(found, limit=given.limit), cycles_sections(found, limit=given.limit))


def _communities(call: Call, given: GraphArguments) -> Answer:
    found = call.project.communities(on_progress=call.report)
    return _answer(communities_text(found, limit=given.limit), communities_sections(found, limit=given.limit))


def _export(call: Call, given: GraphArguments) -> Answer:
    found = call.project.export_graph(given.style, maximum_files=given.limit, on_progress=call.report)
    counts = {
        "files": found.files,
        "edges": found.edges,
        "omitted_files": found.omitted_files,
        "omitted_edges": found.omitted_edges,
    }
    return Answer(text=found.text, record={"style": given.style, "text": found.text, **counts})


def _stats(call: Call, _: GraphArguments) -> Answer:
    record = dict(graph_statistics(call.project.graph(on_progress=call.report)))
    return Answer(text=render_record(record), record=record)


_ACTIONS: Mapping[str, Callable[[Call, GraphArguments], Answer]] = {
    "neighbors": _neighbors,
    "impact": _impact,
    "path": _path,
    "cycles": _cycles,
    "communities": _communities,
    "export": _export,
    "stats": _stats,
}


def _needed(call: Call, path: str | None, name: str, given: GraphArguments) -> str:
    if path is None:
        raise InputError(f"argument {name!r} is missing: {given.action} needs it")
    return file_path(call.project.root, path)


def _answer(text: str, sections: Sections) -> Answer:
    record, tables = sections
    return Answer(text=text, record={**record, **tables})


GRAPH = Tool(
    name="ctx_graph",
    description="What a file depends on, what depends on it, and how the project hangs together.",
    arguments=GraphArguments,
    run=_run,
)
