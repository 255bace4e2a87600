"""Tool results in lists of chat messages, in the shapes of OpenAI and Anthropic."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from ctxsieve.errors import InputError
from ctxsieve.terse.engine import compress_output
from ctxsieve.terse.levels import CompressionLevel

__all__ = ["compress_messages"]

# Where the arguments of a call hold a command line.
_COMMAND_ARGUMENTS = ("command", "cmd")
_TEXT_TYPES = ("text", "input_text", "output_text")


def compress_messages(
    messages: Iterable[Any], *, level: CompressionLevel | str = CompressionLevel.STANDARD
) -> list[Any]:
    """Return the messages with the text of their tool results shortened, and with nothing else changed.

    Tool results are messages of the role `tool` or `function` and items `function_call_output` (OpenAI), and blocks
    `tool_result` (Anthropic). Their text is compressed as by `compress_output`, with the command line of the call that
    they answer where it has one; every omission is marked. What users, systems and models wrote, images, ids, flags and
    the order of the messages stay; a message without a shorter text is the same object as before. The messages given
    are not changed. Compressing the result again changes nothing.

    Raises:
        InputError: `messages` is no list of messages, or there is no such level.
    """
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Iterable):
        raise InputError(f"messages is {type(messages).__name__}: it must be a list of messages")
    if level not in list(CompressionLevel):
        raise InputError(f"level is {level!r}: it must be one of {', '.join(CompressionLevel)}")
    given = list(messages)
    compressor = _Compressor(CompressionLevel(level), _commands_of(given))
    return [compressor.message(message) for message in given]


class _Compressor:
    """Shortens the results of tools; `commands` are the command lines by the id of their call."""

    def __init__(self, level: CompressionLevel, commands: Mapping[str, str]) -> None:
        self.level = level
        self.commands = commands

    def message(self, message: Any) -> Any:
        """Return the message with its tool results shortened."""
        if not isinstance(message, Mapping):
            return message
        if message.get("role") in ("tool", "function"):
            return self._with_content(message, "content", message.get("tool_call_id"))
        if message.get("type") == "function_call_output":
            return self._with_content(message, "output", message.get("call_id"))
        content = message.get("content")
        if message.get("role") != "user" or not _is_list(content):
            return message
        blocks = [self._block(block) for block in content]
        return _replaced(message, "content", content, blocks)

    def _block(self, block: Any) -> Any:
        if not isinstance(block, Mapping) or block.get("type") != "tool_result":
            return block
        return self._with_content(block, "content", block.get("tool_use_id"))

    def _with_content(self, holder: Mapping[str, Any], key: str, call: Any) -> Any:
        command = self.commands.get(call) if isinstance(call, str) else None
        content = holder.get(key)
        if isinstance(content, str):
            text = self._text(content, command)
            return holder if text == content else {**holder, key: text}
        if not _is_list(content):
            return holder
        return _replaced(holder, key, content, [self._part(part, command) for part in content])

    def _part(self, part: Any, command: str | None) -> Any:
        if isinstance(part, str):
            return self._text(part, command)
        if isinstance(part, Mapping) and part.get("type") in _TEXT_TYPES and isinstance(part.get("text"), str):
            text = self._text(part["text"], command)
            return part if text == part["text"] else {**part, "text": text}
        return part

    def _text(self, text: str, command: str | None) -> str:
        return compress_output(text, level=self.level, command=command).text


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray))


def _replaced(holder: Mapping[str, Any], key: str, before: Sequence[Any], after: list[Any]) -> Any:
    """Return the holder, with `after` where a part of it is another object than in `before`."""
    if all(old is new or (isinstance(old, str) and old == new) for old, new in zip(before, after, strict=True)):
        return holder
    return {**holder, key: after}


def _commands_of(messages: Iterable[Any]) -> dict[str, str]:
    """Return the command lines of the calls in the messages by the id of the call."""
    found: dict[str, str] = {}
    for message in messages:
        if not isinstance(message, Mapping):
            continue
        calls = [call for key in ("tool_calls", "content") if _is_list(message.get(key)) for call in message[key]]
        for call in (message, *calls):
            if isinstance(call, Mapping):
                _note_command(call, found)
    return found


def _note_command(call: Mapping[str, Any], found: dict[str, str]) -> None:
    kind, number = call.get("type"), call.get("id")
    if kind == "function_call":
        number, arguments = call.get("call_id"), call.get("arguments")
    elif kind == "function" and isinstance(call.get("function"), Mapping):
        arguments = call["function"].get("arguments")
    elif kind == "tool_use":
        arguments = call.get("input")
    else:
        return
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return
    if not isinstance(arguments, Mapping) or not isinstance(number, str):
        return
    for name in _COMMAND_ARGUMENTS:
        command = arguments.get(name)
        if isinstance(command, str):
            found[number] = command
            return
