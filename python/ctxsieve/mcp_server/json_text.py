"""Changing one entry in JSON that people wrote: comments, order and layout of everything else stay.

Comments and trailing commas are read as editors read them (JSONC).
"""

import json
import re
from typing import Any

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass, field

__all__ = ["parse_json_text", "remove_entry", "set_entry"]

_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_SCALAR = re.compile(r"[-+.\w]+")
# From the end of a member to the end of what is written about it on the same line.
_REST_OF_LINE = re.compile(r"[ \t]*(,?)[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*(?=\r?\n))?")
_MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class _Member:
    key: str
    start: int
    value: "_Node"
    comma: int | None


@dataclass(frozen=True, slots=True)
class _Node:
    start: int
    end: int
    value: Any
    members: tuple[_Member, ...] = field(default=())


def parse_json_text(text: str) -> Any:
    """Return the value of a text.

    Raises:
        InputError: it is no JSON.
    """
    return _parse(text).value


def set_entry(text: str, container: str, key: str, value: dict[str, Any]) -> str:
    """Return the text with `value` under `key` in the object `container` of the outermost object.

    Raises:
        InputError: the text is no JSON, or has something else in that place.
    """
    if not text.strip("\ufeff \t\r\n"):
        return json.dumps({container: {key: value}}, indent=2, ensure_ascii=False) + "\n"
    root = _parse(text)
    unit = _indent_unit(text, root)
    outer = _object_of(root, "the file")
    found = next((member for member in outer.members if member.key == container), None)
    if found is None:
        return _insert(text, outer, container, {key: value}, unit, depth=1)
    inner = _object_of(found.value, repr(container))
    entry = next((member for member in inner.members if member.key == key), None)
    if entry is None:
        return _insert(text, inner, key, value, unit, depth=2)
    return text[: entry.value.start] + _written(text, value, unit, depth=2) + text[entry.value.end :]


def remove_entry(text: str, container: str, key: str) -> str:
    """Return the text without `key` in the object `container`; as it is where there is none."""
    outer = _object_of(_parse(text), "the file")
    found = next((member for member in outer.members if member.key == container), None)
    if found is None:
        return text
    members = _object_of(found.value, repr(container)).members
    place = next((index for index, member in enumerate(members) if member.key == key), None)
    if place is None:
        return text
    member = members[place]
    start, end = member.start, member.value.end if member.comma is None else member.comma + 1
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    if text[:start].endswith("\n"):
        start -= 2 if text[:start].endswith("\r\n") else 1
    shorter = text[:start] + text[end:]
    before = members[place - 1].comma if place else None
    if member.comma is None and before is not None:
        shorter = shorter[:before] + shorter[before + 1 :]
    return shorter


def _insert(text: str, place: _Node, key: str, value: dict[str, Any], unit: str, *, depth: int) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    entry = f"{unit * depth}{json.dumps(key)}: {_written(text, value, unit, depth=depth)}"
    closing = place.end - 1
    if place.members:
        last = place.members[-1]
        rest = _REST_OF_LINE.match(text, last.value.end)
        assert rest is not None
        comma = "" if last.comma is not None else ","
        middle = text[last.value.end : rest.end()]
        following = text[rest.end() : closing]
        end = newline + unit * (depth - 1) if not following.strip() and "\n" not in following else ""
        return f"{text[: last.value.end]}{comma}{middle}{newline}{entry}{end}{text[rest.end() :]}"
    inside = text[place.start + 1 : closing]
    kept = inside.rstrip(" \t\r\n")
    return f"{text[: place.start + 1]}{kept}{newline}{entry}{newline}{unit * (depth - 1)}{text[closing:]}"


def _written(text: str, value: Any, unit: str, *, depth: int) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = json.dumps(value, indent=unit, ensure_ascii=False).split("\n")
    return f"{newline}{unit * depth}".join(lines)


def _indent_unit(text: str, root: _Node) -> str:
    if root.members:
        start = root.members[0].start
        line = text[text.rfind("\n", 0, start) + 1 : start]
        if indent := line[: len(line) - len(line.lstrip(" \t"))]:
            return indent
    return "  "


def _object_of(node: _Node, name: str) -> _Node:
    if not isinstance(node.value, dict):
        raise InputError(f"{name} holds {json.dumps(node.value)[:40]}: it must be an object; edit it by hand")
    return node


def _parse(text: str) -> _Node:
    start = 1 if text.startswith("\ufeff") else 0
    node = _value(text, _skip(text, start), 0)
    if (end := _skip(text, node.end)) != len(text):
        raise _refusal(text, end)
    return node


def _value(text: str, position: int, depth: int) -> _Node:
    if depth > _MAX_DEPTH:
        raise _refusal(text, position)
    opening = text[position : position + 1]
    if opening == "{":
        return _object(text, position, depth)
    if opening == "[":
        return _array(text, position, depth)
    match = _STRING.match(text, position) or _SCALAR.match(text, position)
    if match is None:
        raise _refusal(text, position)
    return _Node(position, match.end(), _scalar(text, match))


def _object(text: str, start: int, depth: int) -> _Node:
    members: list[_Member] = []
    position = _skip(text, start + 1)
    while text[position : position + 1] != "}":
        match = _STRING.match(text, position)
        if match is None:
            raise _refusal(text, position)
        colon = _skip(text, match.end())
        if text[colon : colon + 1] != ":":
            raise _refusal(text, colon)
        value = _value(text, _skip(text, colon + 1), depth + 1)
        key = _scalar(text, match)
        position = _skip(text, value.end)
        comma = position if text[position : position + 1] == "," else None
        members.append(_Member(key, match.start(), value, comma))
        if comma is None and text[position : position + 1] != "}":
            raise _refusal(text, position)
        position = position if comma is None else _skip(text, comma + 1)
    return _Node(start, position + 1, {member.key: member.value.value for member in members}, tuple(members))


def _array(text: str, start: int, depth: int) -> _Node:
    items = []
    position = _skip(text, start + 1)
    while text[position : position + 1] != "]":
        item = _value(text, position, depth + 1)
        items.append(item.value)
        position = _skip(text, item.end)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
        elif text[position : position + 1] != "]":
            raise _refusal(text, position)
    return _Node(start, position + 1, items)


def _scalar(text: str, match: re.Match[str]) -> Any:
    try:
        return json.loads(match[0])
    except ValueError:
        raise _refusal(text, match.start()) from None


def _skip(text: str, position: int) -> int:
    match = _TRIVIA.match(text, position)
    assert match is not None
    return match.end()


def _refusal(text: str, position: int) -> InputError:
    line = text.count("\n", 0, position) + 1
    return InputError(f"line {line} is no JSON: correct it, or edit the file by hand")
