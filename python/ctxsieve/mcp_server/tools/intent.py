"""ctx_intent: what a task asks for."""

from typing import Annotated

from pydantic import Field

from ctxsieve.errors import PathError
from ctxsieve.intent import describe_intent
from ctxsieve.jail import open_inside
from ctxsieve.mcp_server.answers import Answer, render_record
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.tool import Call, Tool

__all__ = ["INTENT"]


class IntentArguments(Arguments):
    """See the descriptions."""

    task: Annotated[str, Field(min_length=1)]


def _run(call: Call, given: IntentArguments) -> Answer:
    def exists(name: str) -> bool:
        try:
            open_inside(call.project.root, name).close()
        except PathError:
            return False
        return True

    record = describe_intent(given.task, exists=exists)
    # A task of several parts is told by their types; the record has them whole.
    kinds = [part["task_type"] for part in record["parts"]]
    return Answer(text=render_record({**record, "parts": kinds if len(kinds) > 1 else ()}), record=record)


INTENT = Tool(
    name="ctx_intent",
    description="What a task asks for: type, targets, scope, urgency, the reading mode and tests that fit.",
    arguments=IntentArguments,
    run=_run,
)
