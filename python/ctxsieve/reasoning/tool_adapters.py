"""One view of tool definitions: MCP, OpenAI (both shapes), Anthropic and plain dicts, none of which it changes."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ctxsieve.errors import InputError

__all__ = ["ToolFacts", "describe_tool", "describe_tools", "hash_definition"]


class ToolFacts(NamedTuple):
    """What the profile needs of one tool; `definition` is the caller's own object."""

    name: str
    description: str
    definition: Any


def describe_tools(tools: Iterable[Any]) -> list[ToolFacts]:
    """Return the facts of every tool, in order; a tool without a name is an InputError that gives its position."""
    facts = []
    for position, tool in enumerate(tools):
        try:
            facts.append(describe_tool(tool))
        except InputError as error:
            raise InputError(f"tool {position}: {error}") from None
    return facts


def describe_tool(tool: Any) -> ToolFacts:
    """Return name and description of one definition.

    Known are MCP tools (objects or dicts with `inputSchema`), OpenAI tools (`{"type": "function", "function":
    {...}}` and the flat form), Anthropic tools (`input_schema`), provider tools that have a type instead of a name,
    and any mapping or object with `name`.
    """
    if isinstance(tool, Mapping):
        inner = tool.get("function")
        source = inner if isinstance(inner, Mapping) else tool
        name, description = source.get("name"), source.get("description")
        if name is None and tool.get("type") != "function":
            name = tool.get("type")
    else:
        name, description = getattr(tool, "name", None), getattr(tool, "description", None)
    if not isinstance(name, str) or not name:
        raise InputError(f"its name is {name!r}: a tool needs a name that is text")
    if description is not None and not isinstance(description, str):
        raise InputError(f"the description of {name!r} is {description!r}: it must be text")
    return ToolFacts(name, description or "", tool)


def hash_definition(tool: Any) -> str:
    """Return `sha256:` and the hex digest of the whole definition as canonical JSON (keys sorted, no spaces, UTF-8).

    The hash covers everything the model sees: descriptions of parameters, annotations, and what else a server may
    change later. The same tool in another provider's shape has another hash.
    """
    try:
        canonical = json.dumps(
            _plain_definition(tool), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        digest = hashlib.sha256(canonical.encode()).hexdigest()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"a tool definition is no plain JSON: {error}") from None
    return f"sha256:{digest}"


def _plain_definition(tool: Any) -> Any:
    if isinstance(tool, Mapping):
        return dict(tool)
    dump = getattr(tool, "model_dump", None)
    if callable(dump):
        return dump(mode="json", by_alias=True, exclude_none=True)
    return {name: value for name, value in vars(tool).items() if not name.startswith("_")}
