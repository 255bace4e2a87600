"""Chat messages keep everything but the text of tool results, in the shapes of OpenAI and Anthropic."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve import compress_messages
from ctxsieve.errors import InputError
from ctxsieve.terse import CompressionLevel, compress_output
from ctxsieve.tokens import count_tokens
from terse_inputs import COMMANDS, FIXTURES, outputs, read_fixture

IDS = st.sampled_from(["call_1", "call_2", "toolu_3"])
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
IMAGE_URL = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
LEVELS = st.sampled_from(list(CompressionLevel))


def text_parts(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    return outputs().map(lambda text: {"type": kind, "text": text})


def openai_messages() -> st.SearchStrategy[dict[str, Any]]:
    content = st.one_of(outputs(), st.lists(st.one_of(text_parts("text"), st.just(IMAGE_URL)), max_size=3))
    call = st.builds(
        lambda number, command: {
            "type": "function",
            "id": number,
            "function": {"name": "shell", "arguments": json.dumps({"command": command})},
        },
        IDS,
        COMMANDS,
    )
    return st.one_of(
        st.builds(lambda c: {"role": "system", "content": c}, content),
        st.builds(lambda c: {"role": "user", "content": c}, content),
        st.builds(lambda c: {"role": "assistant", "content": None, "tool_calls": c}, st.lists(call, max_size=2)),
        st.builds(lambda c, n: {"role": "tool", "tool_call_id": n, "content": c}, content, IDS),
        st.builds(lambda c, n: {"type": "function_call_output", "call_id": n, "output": c}, content, IDS),
        st.builds(lambda c: {"role": "function", "name": "old", "content": c}, outputs()),
        st.builds(
            lambda n, c: {"type": "function_call", "call_id": n, "name": "x", "arguments": c}, IDS, st.text(max_size=5)
        ),
    )


def anthropic_messages() -> st.SearchStrategy[dict[str, Any]]:
    inner = st.one_of(outputs(), st.lists(st.one_of(text_parts("text"), st.just(IMAGE)), max_size=3))
    result = st.builds(
        lambda n, c, failed: {"type": "tool_result", "tool_use_id": n, "content": c, "is_error": failed},
        IDS,
        inner,
        st.booleans(),
    )
    use = st.builds(lambda n, c: {"type": "tool_use", "id": n, "name": "bash", "input": {"cmd": c}}, IDS, COMMANDS)
    blocks = st.lists(st.one_of(result, text_parts("text"), st.just(IMAGE)), max_size=4)
    return st.one_of(
        st.builds(lambda c: {"role": "user", "content": c}, st.one_of(outputs(), blocks)),
        st.builds(lambda c: {"role": "assistant", "content": c}, st.lists(use, max_size=2)),
        st.just({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1"}]}),
    )


MESSAGES = st.lists(st.one_of(openai_messages(), anthropic_messages(), st.sampled_from([None, 3, "text"])), max_size=6)


def result_texts(message: Any) -> list[str]:
    """The texts of tool results in a message, in order; they are blanked in it."""
    if not isinstance(message, dict):
        return []
    found: list[str] = []
    if message.get("role") in ("tool", "function"):
        _take(message, "content", found)
    elif message.get("type") == "function_call_output":
        _take(message, "output", found)
    elif message.get("role") == "user" and isinstance(message.get("content"), list):
        for block in message["content"]:
            if block["type"] == "tool_result":
                _take(block, "content", found)
    return found


def _take(holder: dict[str, Any], key: str, found: list[str]) -> None:
    if isinstance(holder.get(key), str):
        found.append(holder[key])
        holder[key] = ""
    for part in holder.get(key) or []:
        if part["type"] == "text":
            found.append(part["text"])
            part["text"] = ""


@settings(max_examples=40)
@given(MESSAGES, LEVELS)
def test_only_the_text_of_tool_results_changes(messages: list[Any], level: CompressionLevel) -> None:
    before = copy.deepcopy(messages)
    shorter = compress_messages(messages, level=level)
    assert messages == before
    copied = copy.deepcopy(shorter)
    texts = [text for message in before for text in result_texts(message)]
    short_texts = [text for message in copied for text in result_texts(message)]
    assert copied == before
    for old, new in zip(texts, short_texts, strict=True):
        assert count_tokens(new) <= count_tokens(old)
    for old_message, new_message in zip(messages, shorter, strict=True):
        assert new_message is old_message or new_message != old_message


@settings(max_examples=40)
@given(MESSAGES, LEVELS)
def test_compressing_again_changes_nothing(messages: list[Any], level: CompressionLevel) -> None:
    shorter = compress_messages(messages, level=level)
    again = compress_messages(shorter, level=level)
    assert all(old is new for old, new in zip(shorter, again, strict=True))


@settings(max_examples=40)
@given(MESSAGES)
def test_off_is_the_identity(messages: list[Any]) -> None:
    assert all(old is new for old, new in zip(messages, compress_messages(messages, level="off"), strict=True))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_results_are_compressed_by_the_command_of_their_call(path: Any) -> None:
    command, output = read_fixture(path)
    expected = compress_output(output, command=command).text
    arguments = json.dumps({"command": command})
    openai = [
        {"role": "assistant", "tool_calls": [{"type": "function", "id": "a", "function": {"arguments": arguments}}]},
        {"role": "tool", "tool_call_id": "a", "content": output},
        {"type": "function_call", "call_id": "b", "arguments": arguments},
        {"type": "function_call_output", "call_id": "b", "output": output},
    ]
    anthropic = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "input": {"command": command}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": output}, IMAGE]},
    ]
    shorter = compress_messages(openai)
    assert [shorter[1]["content"], shorter[3]["output"]] == [expected, expected]
    assert compress_messages(anthropic)[1]["content"][0]["content"] == expected


@pytest.mark.parametrize(
    ("messages", "level", "said"),
    [
        ("text", "standard", "messages is str: it must be a list of messages"),
        ({"messages": []}, "standard", "messages is dict: it must be a list of messages"),
        (None, "standard", "messages is NoneType: it must be a list of messages"),
        ([], "most", "level is 'most': it must be one of off, lite, standard, max"),
    ],
)
def test_wrong_arguments_are_named(messages: Any, level: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        compress_messages(messages, level=level)
    assert str(raised.value) == said
