"""ctx_overview: the map of the project."""

from typing import Annotated

from pydantic import Field

from ctxsieve.mcp_server.answers import Answer
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.tool import Call, Tool
from ctxsieve.overview import overview_mapping

__all__ = ["OVERVIEW"]


class OverviewArguments(Arguments):
    """See the descriptions."""

    task: Annotated[str, Field(description="also show what is close to it")] = ""
    budget: Annotated[int | None, Field(ge=1, description="tokens, 2000 by default")] = None


def _run(call: Call, given: OverviewArguments) -> Answer:
    found = call.project.overview(given.task, budget_tokens=given.budget, on_progress=call.report)
    return Answer(text=found.text, record=overview_mapping(found))


OVERVIEW = Tool(
    name="ctx_overview",
    description="The map of the project: languages, entry points, hubs, communities.",
    arguments=OverviewArguments,
    run=_run,
)
