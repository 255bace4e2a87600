"""ctx_compress: fewer tokens for command output, prompts and chat messages."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field

from ctxsieve.errors import InputError
from ctxsieve.mcp_server.answers import Answer
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.tool import Call, Tool
from ctxsieve.terse import CompressionLevel, compress_messages, compress_output, compress_prose
from ctxsieve.tokens import count_tokens

__all__ = ["COMPRESS"]


class CompressArguments(Arguments):
    """See the descriptions."""

    text: str | None = None
    messages: Annotated[
        list[dict[str, Any]] | None, Field(description="instead of text: a chat, its tool results are shortened")
    ] = None
    kind: Annotated[Literal["output", "prompt"], Field(description="of text: a command's, or prose")] = "output"
    level: Literal["off", "lite", "standard", "max"] | None = None
    command: Annotated[str | None, Field(description="what printed text")] = None


def _run(call: Call, given: CompressArguments) -> Answer:
    level = CompressionLevel(given.level) if given.level else call.project.settings.terse.compression_level
    if (given.text is None) == (given.messages is None):
        raise InputError("text and messages: give one of them")
    if given.command is not None and (given.text is None or given.kind == "prompt"):
        raise InputError(f"command is {given.command!r}: only a command's output has one; leave it out")
    if given.messages is not None:
        return _messages(given.messages, level)
    assert given.text is not None
    if given.kind == "prompt":
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


def _messages(messages: list[dict[str, Any]], level: CompressionLevel) -> Answer:
    shorter = compress_messages(messages, level=level)
    before, after = (json.dumps(chat, ensure_ascii=False, separators=(",", ":")) for chat in (messages, shorter))
    counts = {"tokens": count_tokens(after), "original_tokens": count_tokens(before)}
    return Answer(text=after, record={"messages": shorter, **counts})


def _answer(text: str, counts: dict[str, Any]) -> Answer:
    return Answer(text=text, record={"text": text, **counts})


COMPRESS = Tool(
    name="ctx_compress",
    description="Shorten command output, prose or a chat you are about to pass on; paths, errors and numbers stay.",
    arguments=CompressArguments,
    run=_run,
)
