"""Layer 4: tool descriptions shortened, schemas kept."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ctxsieve.errors import InputError
from ctxsieve.terse.levels import CompressionLevel, levels_up_to
from ctxsieve.terse.prose import compress_prose
from ctxsieve.terse.protect import protected_words
from ctxsieve.tokens import count_tokens

__all__ = ["compress_tools", "describe_tool", "shorten_description"]

_SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters", "outputSchema")
_NAMED_SCHEMAS = frozenset(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])
_SCHEMA = frozenset(
    ["items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains"]
) | frozenset(["propertyNames", "not", "if", "then", "else"])
_SCHEMAS = frozenset(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)(\s+)(?=[^a-z\s])|(\n+)")
_CONSTRAINT = re.compile(
    r"\b(?:must|never|not|n't|only|always|required?|requires|cannot|defaults?|at (?:most|least)|up to|maximum|minimum"
    r"|limit|limited|before|after|unless|except|warning|deprecated|irreversible|destructive|errors?|fails?|one of"
    r"|between)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+")
_NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_EMPTY_WORDS = frozenset(
    ["a", "an", "the", "of", "to", "for", "in", "on", "this", "that", "is", "are", "be", "and", "or", "with", "your"]
) | frozenset(["value", "parameter", "argument", "string", "number", "boolean", "integer", "object", "array"])


def compress_tools(
    tools: Sequence[Mapping[str, Any]], *, level: CompressionLevel = CompressionLevel.STANDARD
) -> list[dict[str, Any]]:
    """Tool definitions with shorter descriptions, in the shape they came in: MCP, Anthropic or OpenAI.

    Only `description`, and from `standard` on `title`, inside a schema change; what a schema accepts stays the same.
    lite: fillers go. standard: also articles, and sentences that say nothing beyond names and sentences before them;
    every path, number with a unit and identifier stays. max: of each description its first sentence and those that
    state a constraint. `describe_tool` gives the full text back.

    Raises:
        InputError: A tool is not a mapping or has no name.
    """
    checked = _checked(tools)
    if level is CompressionLevel.OFF:
        return [dict(tool) for tool in checked]
    return [_compress_tool(tool, level) for tool in checked]


def describe_tool(tools: Sequence[Mapping[str, Any]], name: str) -> str:
    """The full description of one tool and of its parameters, from the definitions before compression.

    Raises:
        InputError: No tool has that name.
    """
    for tool in _checked(tools):
        if _name(tool) == name:
            return "\n".join(_described(tool))
    names = ", ".join(sorted(_name(tool) for tool in tools))
    raise InputError(f"tool {name!r} is unknown: it must be one of {names}")


def shorten_description(text: str, *, level: CompressionLevel, names: Sequence[str] = ()) -> str:
    """One description at a level; `names` are those that the reader sees beside it. Never more tokens than before."""
    for step in levels_up_to(level):
        shorter = " ".join(text.split(" ")).strip()
        if step is not CompressionLevel.LITE:
            shorter = _without_sentences(shorter, step, names)
        shorter = compress_prose(shorter, level=step)
        if count_tokens(shorter) < count_tokens(text):
            text = shorter
    return text


def _compress_tool(tool: Mapping[str, Any], level: CompressionLevel) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in tool.items():
        if key == "description" and isinstance(value, str):
            result[key] = _fixed_point(value, level, (_name(tool),))
        elif key == "function" and isinstance(value, Mapping):
            result[key] = _compress_tool(value, level)
        elif key in _SCHEMA_KEYS and isinstance(value, Mapping):
            result[key] = _compress_schema(value, level, ())
        else:
            result[key] = value
    return result


def _compress_schema(schema: Mapping[str, Any], level: CompressionLevel, names: tuple[str, ...]) -> dict[str, Any]:
    """The same schema; keys that hold schemas are followed, all others (enum, const, default, ...) are copied."""
    result: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "description" and isinstance(value, str):
            if shorter := _fixed_point(value, level, names):
                result[key] = shorter
        elif key == "title" and isinstance(value, str) and level in (CompressionLevel.STANDARD, CompressionLevel.MAX):
            continue
        elif key in _NAMED_SCHEMAS and isinstance(value, Mapping):
            result[key] = {name: _followed(sub, level, (name,)) for name, sub in value.items()}
        elif key in _SCHEMAS and isinstance(value, list):
            result[key] = [_followed(sub, level, names) for sub in value]
        elif key in _SCHEMA:
            result[key] = _followed(value, level, names)
        else:
            result[key] = value
    return result


def _followed(value: Any, level: CompressionLevel, names: tuple[str, ...]) -> Any:
    return _compress_schema(value, level, names) if isinstance(value, Mapping) else value


def _fixed_point(text: str, level: CompressionLevel, names: tuple[str, ...]) -> str:
    while (shorter := shorten_description(text, level=level, names=names)) != text:
        text = shorter
    return text


def _without_sentences(text: str, level: CompressionLevel, names: Sequence[str]) -> str:
    pieces = [piece for piece in _SENTENCE_END.split(text) if piece is not None]
    seen = {part.lower() for name in names for part in _NAME_PART.findall(name)} | _EMPTY_WORDS
    protected: set[str] = set()
    kept: list[str] = []
    for index in range(0, len(pieces), 2):
        sentence, separator = pieces[index], pieces[index + 1] if index + 1 < len(pieces) else ""
        words = {word.lower() for word in _WORD.findall(sentence)}
        is_constraint = _CONSTRAINT.search(sentence) is not None
        says_nothing_new = words <= seen and protected_words(sentence) <= protected
        if level is CompressionLevel.MAX and kept and not is_constraint:
            continue
        if says_nothing_new and not is_constraint:
            continue
        seen |= words
        protected |= protected_words(sentence)
        kept.append(sentence + separator)
    return "".join(kept).strip()


def _checked(tools: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    for position, tool in enumerate(tools):
        if not isinstance(tool, Mapping):
            raise InputError(f"tool {position} is a {type(tool).__name__}: it must be an object with a name")
        if not _name(tool):
            raise InputError(f"tool {position} has no name: MCP, Anthropic and OpenAI definitions need one")
    return tools


def _name(tool: Mapping[str, Any]) -> str:
    inner = tool.get("function")
    name = tool.get("name") or (inner.get("name") if isinstance(inner, Mapping) else None)
    return name if isinstance(name, str) else ""


def _described(tool: Mapping[str, Any]) -> list[str]:
    inner = tool.get("function")
    body = inner if isinstance(inner, Mapping) else tool
    lines = [f"{_name(tool)}: {body.get('description', '')}".rstrip(": ")]
    for key in _SCHEMA_KEYS:
        schema = body.get(key)
        if isinstance(schema, Mapping):
            lines.extend(_described_schema(schema, ""))
    return lines


def _described_schema(schema: Mapping[str, Any], prefix: str) -> list[str]:
    lines: list[str] = []
    properties = schema.get("properties")
    for name, sub in properties.items() if isinstance(properties, Mapping) else ():
        if isinstance(sub, Mapping):
            if text := sub.get("description"):
                lines.append(f"  {prefix}{name}: {text}")
            lines.extend(_described_schema(sub, f"{prefix}{name}."))
    items = schema.get("items")
    if isinstance(items, Mapping):
        lines.extend(_described_schema(items, f"{prefix}[]."))
    return lines
