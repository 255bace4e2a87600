"""ctx_preload: the context for a task."""

from typing import Annotated, Literal

from pydantic import Field

from ctxsieve.mcp_server.answers import Answer
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.tool import Call, Tool
from ctxsieve.pipeline import preload_mapping

__all__ = ["PRELOAD", "RoleName"]

RoleName = Literal["coder", "reviewer", "planner", "explorer", "debugger", "tester", "orchestrator"]


class PreloadArguments(Arguments):
    """See the descriptions."""

    task: Annotated[str, Field(min_length=1, description="plain words, or a pasted log or stack trace")]
    budget: Annotated[int | None, Field(ge=1, description="tokens of the whole answer, 8000 by default")] = None
    role: RoleName | None = None
    fresh: Annotated[bool, Field(description="you hold nothing any more")] = False


def _run(call: Call, given: PreloadArguments) -> Answer:
    if given.fresh:
        call.session.ledger.reset(now_seconds=call.session.clock())
    answer = call.session.preload(
        given.task, budget_tokens=given.budget, role=given.role, on_progress=call.report, confirm=False
    )
    preload = answer.preload
    record = preload_mapping(preload, timings=False) | {"notices": list(preload.notices)}
    return Answer(
        text=preload.text or "Nothing in the project matches the task.\n", record=record, delivery=answer.delivery
    )


PRELOAD = Tool(
    name="ctx_preload",
    description="Start here: the files and lines that matter for a task, within a token budget.",
    arguments=PreloadArguments,
    run=_run,
)
