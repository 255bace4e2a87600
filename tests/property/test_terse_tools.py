"""Layer 4 alone: tool descriptions, on generated schemas and on the shapes of three protocols."""

import copy
import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.errors import InputError
from ctxsieve.terse import CompressionLevel, compress_tools, describe_tool
from ctxsieve.terse.protect import protected_words
from ctxsieve.terse.tools import shorten_description
from ctxsieve.tokens import count_tokens

LEVELS = list(CompressionLevel)
_SENTENCES = st.sampled_from(
    [
        "Reads the file at the given path.",
        "This tool allows you to read a file.",
        "Please note that the path must be inside the root.",
        "The path.",
        "For example, use src/main.rs or `lib.rs`.",
        "Never returns more than 200 KB.",
        "It is very useful for reading files, e.g. large ones.",
        "Lit le fichier donné.",
        "ファイルを読む。",
        "- first item\n- second item",
        "Defaults to the current directory",
    ]
)
_DESCRIPTIONS = st.lists(_SENTENCES, max_size=5).map(" ".join)
_NAMES = st.sampled_from(["path", "description", "title", "maxBytes", "line_range", "items"])
_LEAVES = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer", "boolean"]), "description": _DESCRIPTIONS},
    optional={"title": st.just("Title"), "enum": st.just(["the", "a"]), "default": st.just("please note that")},
)
_SCHEMAS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "properties": st.dictionaries(_NAMES, inner, max_size=3),
                "description": _DESCRIPTIONS,
            }
        ),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=2)}),
    ),
    max_leaves=6,
)
_OBJECTS = st.dictionaries(_NAMES, _SCHEMAS, max_size=4).map(lambda found: {"type": "object", "properties": found})


@st.composite
def tools(draw):
    name, text, schema = draw(_NAMES), draw(_DESCRIPTIONS), draw(_OBJECTS)
    return draw(
        st.sampled_from(
            [
                {"name": name, "description": text, "inputSchema": schema, "annotations": {"title": "The title"}},
                {"name": name, "description": text, "input_schema": schema},
                {"type": "function", "function": {"name": name, "description": text, "parameters": schema}},
                {"type": "function", "name": name, "description": text, "parameters": schema, "strict": True},
            ]
        )
    )


def without_annotations(schema, *, is_schema=True):
    """What a schema accepts: everything but descriptions and titles; property names are no annotations."""
    if isinstance(schema, list):
        return [without_annotations(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: without_annotations(value, is_schema=key != "properties")
        for key, value in schema.items()
        if not (is_schema and key in ("description", "title") and isinstance(value, str))
    }


def schema_of(tool):
    body = tool.get("function", tool)
    return next(body[key] for key in ("inputSchema", "input_schema", "parameters") if key in body)


def cost(found):
    return count_tokens(json.dumps(found, ensure_ascii=False, separators=(",", ":")))


@given(st.lists(tools(), max_size=3))
def test_off_is_the_identity_and_the_input_is_not_changed(given_tools):
    before = copy.deepcopy(given_tools)
    for level in LEVELS:
        compress_tools(given_tools, level=level)
    assert given_tools == before
    assert compress_tools(given_tools, level=CompressionLevel.OFF) == before


@given(tools(), st.sampled_from(LEVELS))
def test_schemas_stay_valid_and_accept_the_same(tool, level):
    (shorter,) = compress_tools([tool], level=level)
    jsonschema.Draft202012Validator.check_schema(schema_of(shorter))
    assert without_annotations(schema_of(shorter)) == without_annotations(schema_of(tool))
    assert shorter.get("name") == tool.get("name")
    assert shorter.get("annotations") == tool.get("annotations")


@given(tools(), st.sampled_from(LEVELS))
def test_compressing_twice_changes_nothing(tool, level):
    once = compress_tools([tool], level=level)
    assert compress_tools(once, level=level) == once


@given(tools())
def test_a_higher_level_never_has_more_tokens(tool):
    costs = [cost(compress_tools([tool], level=level)) for level in LEVELS]
    assert costs == sorted(costs, reverse=True)


@given(_DESCRIPTIONS, st.sampled_from(LEVELS))
def test_words_are_words_of_the_original_in_order(text, level):
    words = iter(text.split())
    assert all(word in words for word in shorten_description(text, level=level).split())


@given(_DESCRIPTIONS, st.sampled_from(LEVELS[:3]))
def test_paths_quantities_and_identifiers_survive_up_to_standard(text, level):
    assert protected_words(text) <= protected_words(shorten_description(text, level=level))


@given(_DESCRIPTIONS, st.sampled_from(LEVELS))
def test_constraints_survive_at_every_level(text, level):
    shorter = shorten_description(text, level=level)
    for constraint in ("must be inside", "Never returns more than 200 KB."):
        assert text.count(constraint) == 0 or constraint in shorter


@given(tools())
def test_full_text_is_there_on_demand(tool):
    body = tool.get("function", tool)
    described = describe_tool([tool], body["name"])
    assert body["description"].strip() in described


def test_unknown_tools_and_nameless_tools_are_refused():
    with pytest.raises(InputError, match="tool 'x' is unknown: it must be one of read"):
        describe_tool([{"name": "read"}], "x")
    with pytest.raises(InputError, match="tool 0 has no name"):
        compress_tools([{"description": "d"}])
