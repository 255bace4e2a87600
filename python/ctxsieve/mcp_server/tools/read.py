"""ctx_read: files in a mode."""

from typing import Annotated

from pydantic import Field

from ctxsieve.mcp_server.answers import Answer
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.paths import file_path
from ctxsieve.mcp_server.tools.tool import Call, Tool
from ctxsieve.pipeline import reading_mapping

__all__ = ["READ"]


class ReadArguments(Arguments):
    """See the descriptions."""

    paths: list[str] = Field(min_length=1, max_length=100)
    mode: Annotated[
        str,
        Field(
            description="full, raw, lines:10-40,60, map (outline), signatures, aggressive, entropy[:SHARE], "
            "task (needs task), diff (since you last saw it), reference, auto"
        ),
    ] = "full"
    task: str = ""
    budget: Annotated[int | None, Field(ge=1, description="tokens per file, auto only")] = None
    fresh: Annotated[bool, Field(description="send again what you no longer hold")] = False


def _run(call: Call, given: ReadArguments) -> Answer:
    paths = [file_path(call.project.root, path) for path in given.paths]
    if given.fresh:
        call.session.ledger.evict(paths, now_seconds=call.session.clock())
    is_json = given.format == "json"
    answer = call.session.read(
        paths,
        mode=given.mode,
        task=given.task,
        budget_tokens=given.budget,
        is_framed=not is_json and not (given.mode == "raw" and len(given.paths) == 1),
        frames_loss=not is_json,
        confirm=False,
    )
    record = {"tokens": answer.tokens, "files": [reading_mapping(reading) for reading in answer.readings]}
    return Answer(text=answer.text, record=record, delivery=answer.delivery)


READ = Tool(
    name="ctx_read",
    description="Read files of the project, whole or compressed; what you already hold comes as one line.",
    arguments=ReadArguments,
    run=_run,
)
