import json
from typing import Annotated, Any

import pytest
from pydantic import Field

from ctxsieve.errors import InputError
from ctxsieve.mcp_server.schemas import Arguments, input_schema, parse_arguments
from ctxsieve.mcp_server.tools import TOOLS
from ctxsieve.tokens import count_tokens

MAX_TOKENS = 2_000


class Sample(Arguments):
    name: str
    count: Annotated[int | None, Field(ge=1)] = None
    share: Annotated[float, Field(le=1, allow_inf_nan=False)] = 0.5
    names: Annotated[list[str], Field(default_factory=list, max_length=2)]


def test_all_tools_together_are_within_the_limit() -> None:
    listed = [tool.definition.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in TOOLS.values()]
    text = json.dumps({"tools": listed}, separators=(",", ":"), ensure_ascii=False)
    assert count_tokens(text) <= MAX_TOKENS


@pytest.mark.parametrize("name", TOOLS)
def test_schemas_are_valid_and_strict(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = TOOLS[name].definition.input_schema
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(TOOLS[name].arguments.model_fields)


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_says_what_it_touches(name: str) -> None:
    hints = TOOLS[name].definition.annotations
    assert hints is not None
    assert hints.open_world_hint is False
    assert hints.read_only_hint is True or hints.destructive_hint is False


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "argument 'name' is missing: t needs it"),
        ({"name": 3}, "name is 3: it must be text"),
        ({"name": "a", "nme": 1}, "unknown argument 'nme': t takes format, name, count, share, names"),
        ({"name": "a", "count": 0}, "count is 0: it must be 1 or more"),
        ({"name": "a", "count": True}, "count is True: it must be a whole number"),
        ({"name": "a", "count": "3"}, "count is '3': it must be a whole number"),
        ({"name": "a", "count": 1.5}, "count is 1.5: it must be a whole number"),
        ({"name": "a", "share": float("nan")}, "share is nan: it must be a finite number"),
        ({"name": "a", "names": "b"}, "names is 'b': it must be a list"),
        ({"name": "a", "names": ["b", 1]}, "names.1 is 1: it must be text"),
        ({"name": "a", "names": ["b", "c", "d"]}, "names is ['b', 'c', 'd']: at most 2 are allowed"),
        ({"name": "a", "format": "xml"}, "format is 'xml': it must be 'text' or 'json'"),
    ],
)
def test_wrong_arguments_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_arguments(Sample, "t", given)
    assert str(caught.value) == message


def test_all_wrong_arguments_are_named_at_once() -> None:
    with pytest.raises(InputError, match=r"name is 1: .*; unknown argument 'b'"):
        parse_arguments(Sample, "t", {"name": 1, "b": 2})


def test_null_means_not_given() -> None:
    assert parse_arguments(Sample, "t", {"name": "a", "count": None, "names": None}) == Sample(name="a", names=[])


def test_schema_keeps_what_a_caller_needs() -> None:
    assert input_schema(Sample) == {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "count": {"type": "integer"},
            "share": {"type": "number"},
            "names": {"type": "array", "items": {"type": "string"}},
            "format": {"type": "string", "enum": ["text", "json"]},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
