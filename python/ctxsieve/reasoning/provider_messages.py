"""The conversation of a run in the shapes that providers of models take, and their answers as replies."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ctxsieve.errors import InputError
from ctxsieve.reasoning.loop import ModelReply, ReplyCall
from ctxsieve.reasoning.run_state import Message, Role
from ctxsieve.reasoning.tool_results import member_of

__all__ = ["read_anthropic_reply", "read_openai_reply", "to_anthropic_messages", "to_openai_messages"]


def to_openai_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return messages for OpenAI's chat completions; task, contexts and notices are messages of the user."""
    made: list[dict[str, Any]] = []
    for message in _answers_first(messages):
        if message.role is Role.TOOL:
            made.append({"role": "tool", "tool_call_id": message.call_id, "content": message.text})
        elif message.role is Role.MODEL:
            calls = [
                {
                    "id": call.call_id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
                }
                for call in message.calls
            ]
            made.append({"role": "assistant", "content": message.text, **({"tool_calls": calls} if calls else {})})
        else:
            made.append({"role": "user", "content": message.text})
    return made


def to_anthropic_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return messages for Anthropic's API, whose roles take turns: neighbours of one role become one message."""
    made: list[dict[str, Any]] = []
    for message in _answers_first(messages):
        role = "assistant" if message.role is Role.MODEL else "user"
        if not made or made[-1]["role"] != role:
            made.append({"role": role, "content": []})
        made[-1]["content"] += _anthropic_blocks(message)
    return made


def read_openai_reply(message: Any) -> ModelReply:
    """Return the reply in an assistant message of OpenAI's chat completions, an object or a dict.

    Raises:
        InputError: The arguments of a call are no JSON object.
    """
    calls = []
    for call in member_of(message, "tool_calls") or ():
        function = member_of(call, "function")
        name, arguments = member_of(function, "name"), member_of(function, "arguments")
        calls.append(ReplyCall(name, _read_arguments(name, arguments)))
    return ModelReply(member_of(message, "content") or "", tuple(calls))


def read_anthropic_reply(message: Any) -> ModelReply:
    """Return the reply in a message of Anthropic's API, an object or a dict: its text blocks and its calls."""
    blocks: Sequence[Any] = member_of(message, "content") or ()
    text = "\n".join(member_of(block, "text") for block in blocks if member_of(block, "type") == "text")
    calls = [
        ReplyCall(member_of(block, "name"), member_of(block, "input"))
        for block in blocks
        if member_of(block, "type") == "tool_use"
    ]
    return ModelReply(text, tuple(calls))


def _answers_first(messages: Iterable[Message]) -> list[Message]:
    """Return the messages with notices after the answers of all calls made together: providers want those at once."""
    ordered: list[Message] = []
    held: list[Message] = []
    open_calls: set[str] = set()
    for message in messages:
        if message.role is Role.NOTICE and open_calls:
            held.append(message)
            continue
        ordered.append(message)
        open_calls |= {call.call_id for call in message.calls}
        open_calls.discard(message.call_id)
        if not open_calls:
            ordered += held
            held = []
    return [*ordered, *held]


def _anthropic_blocks(message: Message) -> list[dict[str, Any]]:
    if message.role is Role.TOOL:
        block = {"type": "tool_result", "tool_use_id": message.call_id, "content": message.text}
        return [{**block, "is_error": True} if message.is_error else block]
    # Empty text blocks are refused.
    texts = [{"type": "text", "text": message.text}] if message.text else []
    calls = [
        {"type": "tool_use", "id": call.call_id, "name": call.name, "input": dict(call.arguments)}
        for call in message.calls
    ]
    return [*texts, *calls]


def _read_arguments(name: str, arguments: Any) -> Mapping[str, Any]:
    try:
        read = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError) as error:
        raise InputError(f"the arguments of {name!r} are no JSON: {error}") from None
    if not isinstance(read, Mapping):
        raise InputError(f"the arguments of {name!r} are {type(read).__name__}: they must be an object")
    return read
