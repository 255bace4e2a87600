"""Arguments of the tools: checked strictly, described in as few tokens as JSON Schema allows."""

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ctxsieve.errors import InputError

__all__ = ["Arguments", "Format", "input_schema", "parse_arguments"]

Format = Literal["text", "json"]

_ArgumentsT = TypeVar("_ArgumentsT", bound="Arguments")

_TYPE_NAMES = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "finite_number": "a finite number",
}
_LIMITS = {
    "greater_than_equal": ("ge", "it must be {} or more"),
    "less_than_equal": ("le", "it must be {} or less"),
    "too_short": ("min_length", "it needs at least {}"),
    "too_long": ("max_length", "at most {} are allowed"),
    "string_too_short": ("min_length", "it needs at least {} character"),
    "string_too_long": ("max_length", "it may have at most {} characters"),
    "literal_error": ("expected", "it must be {}"),
}


class Arguments(BaseModel):
    """What a tool takes. Nothing is converted and nothing unknown is ignored; null stands for "not given"."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    format: Format = "text"


def parse_arguments(model: type[_ArgumentsT], tool: str, given: Mapping[str, Any] | None) -> _ArgumentsT:
    """Return the checked arguments.

    Raises:
        InputError: one is unknown, missing or wrong; the message names all of them and what is allowed.
    """
    present = {name: value for name, value in (given or {}).items() if value is not None}
    try:
        return model.model_validate(present)
    except ValidationError as error:
        allowed = ", ".join(model.model_fields)
        problems = [_explain(dict(problem), tool, allowed) for problem in error.errors(include_url=False)]
        raise InputError("; ".join(problems)) from None


def input_schema(model: type[Arguments]) -> dict[str, Any]:
    """Return the JSON Schema of a tool's arguments without what a reader can do without: titles, defaults, null."""
    schema: dict[str, Any] = _compact(model.model_json_schema())
    schema["properties"] = {name: value for name, value in schema["properties"].items() if name != "format"} | {
        "format": {"type": "string", "enum": ["text", "json"]}
    }
    return {key: schema[key] for key in ("type", "properties", "required", "additionalProperties") if key in schema}


def _compact(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_compact(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    choices = schema.get("anyOf")
    if isinstance(choices, list):
        rest = [choice for choice in choices if choice != {"type": "null"}]
        if len(rest) == 1:
            schema = {key: value for key, value in schema.items() if key != "anyOf"} | rest[0]
    kept = {
        key: value
        for key, value in schema.items()
        if key not in ("default", "title", "minLength", "maxLength", "maxItems", "minItems", "minimum", "maximum")
    }
    if isinstance(kept.get("properties"), dict):
        properties = {name: _compact(value) for name, value in kept["properties"].items()}
        return {key: _compact(value) for key, value in kept.items() if key != "properties"} | {"properties": properties}
    return {key: _compact(value) for key, value in kept.items()}


def _explain(problem: dict[str, Any], tool: str, allowed: str) -> str:
    """Say one problem in a sentence of the form: what was wrong, the value, what to do."""
    name = ".".join(str(part) for part in problem["loc"]) or "arguments"
    kind = problem["type"]
    if kind == "extra_forbidden":
        return f"unknown argument {name!r}: {tool} takes {allowed}"
    if kind == "missing":
        return f"argument {name!r} is missing: {tool} needs it"
    shown = _shown(problem["input"])
    if kind in _TYPE_NAMES:
        return f"{name} is {shown}: it must be {_TYPE_NAMES[kind]}"
    if kind in _LIMITS:
        key, sentence = _LIMITS[kind]
        return f"{name} is {shown}: {sentence.format(problem['ctx'][key])}"
    return f"{name} is {shown}: {problem['msg']}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:80] + "..."
