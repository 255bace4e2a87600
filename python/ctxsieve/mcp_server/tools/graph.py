"""ctx_graph: the dependency graph."""

from typing import Annotated, Literal

from pydantic import Field

from ctxsieve.errors import InputError
from ctxsieve.graph import graph_statistics, neighbours_of
from ctxsieve.jail import check_path
from ctxsieve.mcp_server.answers import Answer, render_record, render_rows
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.tool import Call, Tool

__all__ = ["GRAPH"]


class GraphArguments(Arguments):
    """See the descriptions."""

    action: Literal["neighbors", "stats"] = "neighbors"
    path: Annotated[str | None, Field(min_length=1)] = None


def _run(call: Call, given: GraphArguments) -> Answer:
    graph = call.project.graph(on_progress=call.report)
    if given.action == "stats":
        record = dict(graph_statistics(graph))
        return Answer(text=render_record(record), record=record)
    if given.path is None:
        raise InputError("argument 'path' is missing: neighbors needs it")
    rows = neighbours_of(graph, check_path(given.path))
    return Answer(text=render_rows("neighbors", rows) or "The file stands alone.\n", record={"neighbors": rows})


GRAPH = Tool(
    name="ctx_graph",
    description="What a file depends on and what depends on it.",
    arguments=GraphArguments,
    run=_run,
)
