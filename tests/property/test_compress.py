"""What compression leaves of code still parses, stands in source order, and says what it hides."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxsieve.compress import (
    CompressionOptions,
    Removal,
    SourceFile,
    read_source,
    render_aggressive,
    render_entropy,
    render_full,
    render_lines,
    render_task,
)
from ctxsieve.fragments import LineRange
from ctxsieve.languages import LANGUAGES, LanguageKind, language_of, parse
from ctxsieve.tokens import count_tokens

FIXTURES = Path(__file__).parents[1] / "fixtures"
CODE = sorted(name for name, language in LANGUAGES.items() if language.kind is LanguageKind.CODE)
relaxed = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _sources(name: str) -> list[bytes]:
    paths = [*(FIXTURES / "definitions").glob(f"{name}.*"), *(FIXTURES / "projects" / name).rglob("*")]
    found = ((path, language_of(path.name)) for path in sorted(paths) if path.is_file())
    return [path.read_bytes() for path, language in found if language is not None and language.name == name]


# Fixtures are short; several in one file give gaps that are worth their markers.
SAMPLES = {name: b"\n".join(_sources(name)) for name in CODE}


def renderings(source: SourceFile) -> list[tuple[str, Removal]]:
    everything = CompressionOptions(aggressive_share=0.0, aggressive_surprise=1.0, lost_identifiers=1.0, gap_tokens=0)
    some = [float(number % 3 == 0) for number in range(len(source.lines))]
    return [
        ("aggressive", render_aggressive(source)),
        ("aggressive without limits", render_aggressive(source, everything)),
        ("entropy", render_entropy(source)),
        ("entropy of a tenth", render_entropy(source, 0.1, everything)),
        ("task", render_task(source, some, has_error_lines_first=True, options=everything)),
        (
            "task about nothing",
            render_task(source, [0.0] * len(source.lines), has_error_lines_first=False, options=everything),
        ),
    ]


def check(source: SourceFile) -> None:
    language = source.language
    assert language is not None
    before = parse(source.data, language)
    for label, removal in renderings(source):
        rendering = removal.rendering
        if rendering is None:
            assert removal.reason, label
            continue
        data = rendering.content.encode("utf-8", "surrogatepass")
        assert parse(data, language).error_nodes <= before.error_nodes, label
        check_lines(source, removal, label)


def check_lines(source: SourceFile, removal: Removal, label: str) -> None:
    rendering = removal.rendering
    assert rendering is not None
    shown = [line for span in rendering.shown for line in range(span.first, span.last + 1)]
    hidden = [line for span in rendering.omitted for line in range(span.first, span.last + 1)]
    assert sorted(shown + hidden) == list(range(1, len(source.lines) + 1)), label
    content = rendering.content.split("\n")
    expected: list[str] = []
    markers = {}
    for span in rendering.omitted:
        markers[span.first] = span
    number = 1
    while number <= len(source.lines):
        if number in markers:
            span = markers[number]
            text = f"... {span.first}" if span.first == span.last else f"... {span.first}-{span.last}"
            expected.append(f"marker {text}")
            number = span.last + 1
        else:
            expected.append(source.lines[number - 1])
            number += 1
    if rendering.content.endswith("\n"):
        content.pop()
    assert len(content) == len(expected), label
    for got, wanted in zip(content, expected, strict=True):
        if wanted.startswith("marker "):
            assert wanted.removeprefix("marker ") in got, label
        else:
            assert got == wanted, label


def source_of(name: str, data: bytes) -> SourceFile:
    return read_source(f"sample.{name}", data, LANGUAGES[name])


@pytest.mark.parametrize("name", CODE)
def test_fixtures_still_parse_and_say_what_they_hide(name: str) -> None:
    for data in [*_sources(name), SAMPLES[name]]:
        check(source_of(name, data))


@pytest.mark.parametrize("name", CODE)
def test_something_is_left_out_in_every_language(name: str) -> None:
    found = dict(renderings(source_of(name, SAMPLES[name])))
    assert found["task about nothing"].rendering is not None


@pytest.mark.parametrize("name", CODE)
def test_definitions_are_all_found_again(name: str) -> None:
    source = source_of(name, SAMPLES[name])
    before = {(found.kind, found.qualified_name) for found in source.parsed.definitions}
    for label, removal in renderings(source):
        if removal.rendering is not None:
            after = parse(removal.rendering.content.encode(), LANGUAGES[name])
            assert before == {(found.kind, found.qualified_name) for found in after.definitions}, label


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_truncated_and_mutated_fixtures_parse_no_worse(name: str, data: st.DataObject) -> None:
    sample = SAMPLES[name]
    start = data.draw(st.integers(0, len(sample)))
    end = data.draw(st.integers(start, min(len(sample), start + 400)))
    noise = data.draw(st.sampled_from([b"", b"{", b"}", b'"', b"(", b"\n", b"/*", b"\r\n", b"\xc3\xa9", b"#", b"'''"]))
    check(source_of(name, sample[:start] + noise + sample[end:]))


@pytest.mark.parametrize("name", CODE)
def test_line_endings_are_kept(name: str) -> None:
    source = source_of(name, SAMPLES[name].replace(b"\r\n", b"\n").replace(b"\n", b"\r\n").rstrip())
    check(source)
    for label, removal in renderings(source):
        if removal.rendering is not None:
            content = removal.rendering.content
            assert content.count("\n") == content.count("\r\n"), label
            assert not content.endswith("\n"), label


@given(text=st.text(max_size=200), first=st.integers(1, 5))
def test_full_and_lines_are_verbatim(text: str, first: int) -> None:
    source = read_source("a.py", text.encode(), LANGUAGES["python"])
    assert render_full(source).content == source.text
    if first <= len(source.lines):
        assert render_lines(source, (LineRange(first, first),)).content in source.text


def test_blocks_that_may_not_be_empty_get_an_ellipsis() -> None:
    body = "".join(f"    value_{i} = compute(value_{i - 1}, {i})\n" for i in range(1, 12))
    source = read_source("a.py", f"def f():\n{body}\n\ndef g():\n{body}".encode(), LANGUAGES["python"])
    removal = render_task(source, [0.0] * len(source.lines), has_error_lines_first=False)
    assert removal.rendering is not None
    assert removal.rendering.content == "def f():\n    ...  # ... 2-12\n\n\ndef g():\n    ...  # ... 16-26\n"
    assert removal.reason.startswith("nothing in it is about the task")


def test_error_lines_stay_for_a_bug_fix_where_half_the_relevance_is_there() -> None:
    code = (
        "def load(path):\n"
        "    if path is None and not settings.allow_missing_paths_everywhere:\n"
        "        raise MissingPathError(path, settings.allow_missing_paths_everywhere)\n"
        "    first_unrelated_value = compute_something_long(path, settings, 1)\n"
        "    second_unrelated_value = compute_something_long(path, settings, 2)\n"
        "    return path\n"
    )
    source = read_source("a.py", code.encode(), LANGUAGES["python"])
    relevance = [1.0, 0.2, 0.2, 0.2, 0.2, 0.2]
    kept = {}
    for is_bug in (True, False):
        removal = render_task(source, relevance, has_error_lines_first=is_bug)
        assert removal.rendering is not None
        kept[is_bug] = removal.rendering.content
    assert "raise MissingPathError" in kept[True]
    assert "second_unrelated_value" not in kept[True]
    assert "raise MissingPathError" not in kept[False]


def test_names_are_kept_by_aggressive() -> None:
    path = Path(__file__)
    source = read_source(path.name, path.read_bytes(), LANGUAGES["python"])
    removal = render_aggressive(source, CompressionOptions(lost_identifiers=0.0))
    assert removal.rendering is not None
    assert count_tokens(removal.rendering.content) < count_tokens(source.text)
    for definition in source.parsed.definitions:
        assert definition.name in removal.rendering.content


def test_entropy_comes_near_the_share_that_is_asked_for() -> None:
    path = Path(__file__).parents[2] / "python/ctxsieve/pipeline/session.py"
    source = read_source(path.name, path.read_bytes(), LANGUAGES["python"])
    for share in (0.9, 0.7):
        removal = render_entropy(source, share)
        assert removal.rendering is not None
        assert abs(count_tokens(removal.rendering.content) / count_tokens(source.text) - share) < 0.06


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("python", b"(" * 3000 + b")" * 3000 + b"\n"),
        ("javascript", b"{" * 3000 + b"\n"),
        ("python", b"".join(b" " * depth + b"if x:\n" for depth in range(300)) + b" " * 300 + b"pass\n"),
        ("javascript", b"function f(){" + b"a=1;" * 20_000 + b"}"),
        ("python", b"if a:\n\tb = 1\n        c = 2\n\td = compute(a, b, c, d)\n"),
        ("c", b"int a;\0\nint b(){\n  return compute_something_long(a) + 1;\n}\n"),
        ("c", b"#define LONG(a) \\\n  do_something(a); \\\n  do_more(a)\nint f() {\n  LONG(1);\n}\n"),
        ("ruby", b"def f\n  x = <<~TEXT\n    words and more words here\n  TEXT\n  y = compute(x, 1, 2)\nend\n"),
        ("python", b""),
        ("python", b"\xff\xfe# caf\xe9\n"),
    ],
)
def test_bad_input_parses_no_worse(name: str, data: bytes) -> None:
    check(source_of(name, data))
