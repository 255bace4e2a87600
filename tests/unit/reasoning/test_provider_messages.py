import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from ctxsieve.errors import InputError
from ctxsieve.reasoning.coordinator import ToolCoordinator
from ctxsieve.reasoning.loop import ModelReply, ModelTurn, ReasoningLoopRunner, ReplyCall
from ctxsieve.reasoning.progress import StepIterationConfig
from ctxsieve.reasoning.provider_messages import (
    read_anthropic_reply,
    read_openai_reply,
    to_anthropic_messages,
    to_openai_messages,
)
from ctxsieve.reasoning.run_state import Message

TOOLS = [{"name": "read"}, {"name": "write"}]


def conversation() -> tuple[Message, ...]:
    """A run with context, two calls at once of which the first stops its step, and an answer."""
    replies = [
        ModelReply("", (ReplyCall("write", {"é": 1}), ReplyCall("read", {}))),
        ModelReply("done"),
    ]

    def execute(name: str, arguments: Any) -> str:
        if name == "write":
            raise ValueError("no")
        return "content"

    coordinator = ToolCoordinator(StepIterationConfig(max_reattempts_per_step=1))
    runner = ReasoningLoopRunner(lambda turn: replies[turn.step - 1], execute, TOOLS, coordinator=coordinator)
    return asyncio.run(runner.run("task", context=["[KNOWLEDGE_CONTEXT]"])).messages


def test_openai_messages_keep_answers_next_to_their_calls() -> None:
    messages = to_openai_messages(conversation())
    assert [message["role"] for message in messages] == [
        "user",
        "user",
        "assistant",
        "tool",
        "tool",
        "user",
        "assistant",
    ]
    assert [call["id"] for call in messages[2]["tool_calls"]] == [message["tool_call_id"] for message in messages[3:5]]
    assert json.loads(messages[2]["tool_calls"][0]["function"]["arguments"]) == {"é": 1}
    assert "tool_calls" not in messages[-1]


def test_anthropic_roles_take_turns_and_results_come_first() -> None:
    messages = to_anthropic_messages(conversation())
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert [block["type"] for block in messages[0]["content"]] == ["text", "text"]
    assert [block["type"] for block in messages[1]["content"]] == ["tool_use", "tool_use"]
    assert [block["type"] for block in messages[2]["content"]] == ["tool_result", "tool_result", "text"]
    assert [block.get("is_error", False) for block in messages[2]["content"]] == [True, False, False]


OPENAI_REPLY = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "x", "type": "function", "function": {"name": "read", "arguments": '{"path": "a"}'}}],
}
ANTHROPIC_REPLY = {
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "I read."},
        {"type": "tool_use", "id": "x", "name": "read", "input": {"path": "a"}},
    ],
}


def as_objects(value: Any) -> Any:
    if isinstance(value, dict):
        return SimpleNamespace(**{name: as_objects(item) if name != "input" else item for name, item in value.items()})
    return [as_objects(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("shape", [lambda reply: reply, as_objects])
def test_replies_are_read_from_dicts_and_objects(shape: Any) -> None:
    calls = (ReplyCall("read", {"path": "a"}),)
    assert read_openai_reply(shape(OPENAI_REPLY)) == ModelReply("", calls)
    assert read_anthropic_reply(shape(ANTHROPIC_REPLY)) == ModelReply("I read.", calls)


def test_plain_answers_have_no_calls() -> None:
    assert read_openai_reply({"content": "done", "tool_calls": None}) == ModelReply("done")
    assert read_anthropic_reply({"content": [{"type": "text", "text": "done"}]}) == ModelReply("done")


@pytest.mark.parametrize("arguments", ["{", "[]", "3", None, ""])
def test_arguments_that_are_no_object_are_an_error(arguments: Any) -> None:
    reply = {"tool_calls": [{"function": {"name": "read", "arguments": arguments}}]}
    with pytest.raises(InputError, match="the arguments of 'read'"):
        read_openai_reply(reply)


def test_loop_runs_through_a_provider_shape() -> None:
    replies = iter([OPENAI_REPLY, {"content": "done"}])
    sent: list[list[dict[str, Any]]] = []

    def model(turn: ModelTurn) -> ModelReply:
        sent.append(to_openai_messages(turn.messages))
        return read_openai_reply(next(replies))

    runner = ReasoningLoopRunner(model, lambda name, arguments: "content", TOOLS)
    assert asyncio.run(runner.run("task")).answer == "done"
    assert sent[1][-1] == {"role": "tool", "tool_call_id": "call-1-1", "content": "content"}
