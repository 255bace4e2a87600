"""Whatever the bytes, parsing answers, and its spans fit the text."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxsieve.fragments import ParsedFile
from ctxsieve.languages import LANGUAGES, Language, LanguageKind, candidate_test_paths, language_of, parse, role_of

CODE = sorted(name for name, language in LANGUAGES.items() if language.kind is LanguageKind.CODE)
SAMPLES = {
    path.stem: path.read_bytes()
    for path in sorted((Path(__file__).parents[1] / "fixtures" / "definitions").iterdir())
    if path.suffix != ".outline"
}
relaxed = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check_spans(parsed: ParsedFile, source: bytes, language: Language) -> None:
    starts = [(definition.start_byte, -definition.end_byte) for definition in parsed.definitions]
    assert starts == sorted(starts) or language.clauses_are_one
    for index, definition in enumerate(parsed.definitions):
        assert 0 <= definition.start_byte <= definition.head_byte <= definition.signature_end_byte
        assert definition.signature_end_byte <= definition.end_byte <= len(source)
        assert definition.first_line == source.count(b"\n", 0, definition.start_byte) + 1
        assert definition.first_line <= definition.last_line <= source.count(b"\n") + 1
        assert definition.name in definition.qualified_name
        text = source[definition.start_byte : definition.end_byte].decode("utf-8", "replace")
        assert definition.name.split()[0] in " ".join(text.split())
        if definition.body_start_byte is not None:
            assert definition.head_byte <= definition.body_start_byte <= definition.end_byte
        if definition.parent is not None:
            assert definition.parent < index
            parent = parsed.definitions[definition.parent]
            assert parent.start_byte <= definition.start_byte
            assert definition.end_byte <= parent.end_byte
            assert definition.qualified_name.startswith(parent.qualified_name)


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_truncated_and_damaged_samples_parse(name: str, data: st.DataObject) -> None:
    source = SAMPLES[name]
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    noise = data.draw(st.binary(max_size=12))
    damaged = source[:start] + noise + source[end:]
    check_spans(parse(damaged, LANGUAGES[name]), damaged, LANGUAGES[name])


@pytest.mark.parametrize("name", CODE)
@settings(relaxed, max_examples=10)
@given(source=st.binary(max_size=300))
def test_random_bytes_parse(name: str, source: bytes) -> None:
    check_spans(parse(source, LANGUAGES[name]), source, LANGUAGES[name])


def test_a_clause_inside_the_attribute_of_another_does_not_end_both() -> None:
    source = b"@ def f(a) do a end\n  def f(c), do: c\n"
    parsed = parse(source, LANGUAGES["elixir"])
    check_spans(parsed, source, LANGUAGES["elixir"])
    assert [(one.start_byte, one.end_byte, one.last_line) for one in parsed.definitions] == [(0, len(source) - 1, 2)]


@pytest.mark.parametrize("name", CODE)
def test_carriage_returns_change_no_definition(name: str) -> None:
    language = LANGUAGES[name]
    source = SAMPLES[name]
    expected = [(d.kind, d.qualified_name, d.first_line) for d in parse(source, language).definitions]
    converted = source.replace(b"\n", b"\r\n")
    assert [(d.kind, d.qualified_name, d.first_line) for d in parse(converted, language).definitions] == expected


@given(path=st.text(alphabet="abc/._-Test", max_size=30))
def test_paths_of_any_form_have_a_role_and_candidates(path: str) -> None:
    language_of(path)
    role_of(path)
    assert all(candidate and not candidate.startswith("/") for candidate in candidate_test_paths(path))
