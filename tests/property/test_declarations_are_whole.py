"""Declarations in `signatures` are cut where the syntax ends them, never inside a pair of brackets."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compression_rules import fixture_sources
from ctxsieve.compress import declaration_of, parse_outline, read_source, render_signatures
from ctxsieve.languages import LANGUAGES, LanguageKind
from strategies.programs import programs

CODE = sorted(name for name, language in LANGUAGES.items() if language.kind is LanguageKind.CODE)
PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
LITERAL = re.compile(r""""(?:\\.|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\])'|'[^'\s,;<>()\[\]{}]*'|[=-]>|[<>]=""")


def is_balanced(text: str, opening: str) -> bool:
    opened: list[str] = []
    for sign in LITERAL.sub("", text):
        if sign in opening:
            opened.append(sign)
        elif PAIRS.get(sign, " ") in opening and (not opened or opened.pop() != PAIRS[sign]):
            return False
    return not opened


def cut_declarations(name: str, data: bytes) -> list[str]:
    source = read_source(f"sample.{name}", data, LANGUAGES[name])
    found: list[str] = []
    for number, definition in enumerate(source.parsed.definitions):
        written = source.data[definition.head_byte : definition.signature_end_byte].decode("utf-8", "replace")
        text = declaration_of(source, number)
        found += [
            text for opening in ("([{", "([{<") if is_balanced(written, opening) and not is_balanced(text, opening)
        ]
    return found


@pytest.mark.parametrize("name", CODE)
def test_brackets_of_fixtures_are_balanced(name: str) -> None:
    for data in fixture_sources(name):
        assert cut_declarations(name, data) == []


@pytest.mark.parametrize("name", CODE)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_brackets_of_generated_programs_are_balanced(name: str, data: st.DataObject) -> None:
    assert cut_declarations(name, data.draw(programs(name))) == []


RUST_TYPES = st.recursive(
    st.sampled_from(["u8", "&'a str", "[u8; 3]", "()"]),
    lambda inner: st.one_of(
        inner.map("Vec<{}>".format),
        inner.map("&'a mut (dyn Iterator<Item = {}>)".format),
        st.tuples(inner, inner).map(lambda both: f"Box<dyn Fn({both[0]}) -> {both[1]} + Send>"),
    ),
)
TYPESCRIPT_TYPES = st.recursive(
    st.sampled_from(["number", "'='", '"{"', "unknown[]", "`a${string}`"]),
    lambda inner: st.one_of(
        inner.map("{{ a: {} }}".format),
        st.tuples(inner, inner).map(lambda both: f"Map<{both[0]}, {both[1]}>"),
        st.tuples(inner, inner).map(lambda both: f"(<T = {both[0]}>(a: T) => {both[1]})"),
        st.tuples(inner, inner).map(lambda both: f"(T extends {both[0]} ? {both[1]} : never)"),
    ),
)


@given(written=RUST_TYPES)
@settings(deadline=None)
def test_a_rust_type_is_shown_whole(written: str) -> None:
    code = f"pub struct Next<'a> {{\n    pub field: {written},\n}}\npub static VALUE: {written} = (1 as u8);\n"
    source = read_source("sample.rs", code.encode(), LANGUAGES["rust"])
    shown = [declaration_of(source, number) for number in range(len(source.parsed.definitions))]
    assert shown[1:] == [
        text if len(text) <= 160 else "" for text in (f"pub field: {written}", f"pub static VALUE: {written}")
    ]


@given(written=TYPESCRIPT_TYPES)
@settings(deadline=None)
def test_a_typescript_type_is_shown_whole_or_without_what_its_braces_hold(written: str) -> None:
    code = f"export const value: {written} = null;\nexport type Kind<T = {{ a: 1 }}> = {written};\n"
    source = read_source("sample.ts", code.encode(), LANGUAGES["typescript"])
    shown = {
        definition.name: declaration_of(source, number)
        for number, definition in enumerate(source.parsed.definitions)
        if definition.parent is None
    }
    value, kind = f"export const value: {written}", f"export type Kind<T = {{ a: 1 }}> = {written}"
    assert shown["value"] == (value if len(value) <= 160 else "")
    if len(kind) < 160:
        assert shown["Kind"] == kind
    assert shown["Kind"].startswith("export type Kind<T = {")
    assert is_balanced(shown["Kind"], "([{<")


def test_a_long_type_shows_what_it_is_made_of() -> None:
    fields = " ".join(f"field{number}: {{ a: number }};" for number in range(20))
    code = f"export type Kind<T> = T & {{ {fields} }};\n"
    source = read_source("sample.ts", code.encode(), LANGUAGES["typescript"])
    assert declaration_of(source, 0) == "export type Kind<T> = T & {...}"


def test_a_member_is_named_once_where_its_declaration_begins_with_its_name() -> None:
    code = (
        "export class Registry<M> {\n  _meta!: M;\n  size?: number = 3;\n  add<S>(schema: S): this { return this }\n}\n"
    )
    source = read_source("sample.ts", code.encode(), LANGUAGES["typescript"])
    content = render_signatures(source).content
    assert content.split("\n")[1:4] == [" field _meta!: M 2", " size?: number 3", " method add<S>(schema: S): this 4"]
    assert [(entry.kind.value, entry.qualified_name) for entry in parse_outline(content, ".")] == [
        ("class", "Registry"),
        ("field", "Registry._meta"),
        ("field", "Registry.size"),
        ("method", "Registry.add"),
    ]
