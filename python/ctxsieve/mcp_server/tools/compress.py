"""ctx_compress: fewer tokens for command output, prompts and chat messages."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ctxsieve.errors import InputError
from ctxsieve.mcp_server.answers import Answer
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.tool import Call, Tool
from ctxsieve.terse import CompressionLevel, compress_output, compress_prose
from ctxsieve.tokens import count_tokens

__all__ = ["COMPRESS"]


class CompressArguments(Arguments):
    """See the descriptions."""

    text: str
    kind: Annotated[Literal["output", "prompt"], Field(description="of a command, or prose")] = "output"
    level: Literal["off", "lite", "standard", "max"] | None = None
    command: Annotated[str | None, Field(description="what printed it")] = None


def _run(call: Call, given: CompressArguments) -> Answer:
    level = CompressionLevel(given.level) if given.level else call.project.settings.terse.compression_level
    if given.kind == "prompt":
        if given.command is not None:
            raise InputError(f"command is {given.command!r}: only output has one; leave it out for a prompt")
        text = compress_prose(given.text, level=level)
        return _answer(text, {"tokens": count_tokens(text), "original_tokens": count_tokens(given.text)})
    result = compress_output(given.text, level=level, command=given.command)
    return _answer(
        result.text,
        {
            "tokens": result.tokens,
            "original_tokens": result.original_tokens,
            "families": list(result.families),
            "omitted_lines": [list(lines) for lines in result.omitted],
        },
    )


def _answer(text: str, counts: dict[str, Any]) -> Answer:
    return Answer(text=text, record={"text": text, **counts})


COMPRESS = Tool(
    name="ctx_compress",
    description="Shorten command output or prose you are about to pass on; paths, errors and numbers stay.",
    arguments=CompressArguments,
    run=_run,
)
