"""ctx_smells: what is hard to change."""

from typing import Annotated

from pydantic import Field

from ctxsieve.mcp_server.answers import Answer
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.tool import Call, Tool
from ctxsieve.smells import smells_mapping, smells_text

__all__ = ["SMELLS"]


class SmellsArguments(Arguments):
    """See the descriptions."""

    paths: Annotated[
        list[str], Field(default_factory=list, max_length=100, description="files, folders or globs; all by default")
    ]
    limit: Annotated[int, Field(ge=0, description="places; 0: all")] = 30
    tests: Annotated[bool, Field(description="also tests, examples, generated and vendored files")] = False


def _run(call: Call, given: SmellsArguments) -> Answer:
    report = call.project.smells(given.paths, with_everything=given.tests, on_progress=call.report)
    return Answer(text=smells_text(report, limit=given.limit), record=smells_mapping(report, limit=given.limit))


SMELLS = Tool(
    name="ctx_smells",
    description="Code that is hard to change, the widest blast radius first.",
    arguments=SmellsArguments,
    run=_run,
)
