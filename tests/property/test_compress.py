"""What compression leaves of code still parses, stands in source order, and says what it hides."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compression_rules import CODE, broken_rules, fixture_sources, problem_of, renderings, source_of
from ctxsieve.compress import (
    CompressionOptions,
    Mode,
    Rendering,
    read_source,
    render_aggressive,
    render_entropy,
    render_full,
    render_lines,
    render_task,
)
from ctxsieve.fragments import LineRange
from ctxsieve.languages import LANGUAGES, language_of, parse
from ctxsieve.tokens import count_tokens
from fuzz.compression_corpus import files_of_code, problems_of, sample
from strategies.programs import programs

relaxed = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Fixtures are short; several in one file give gaps that are worth their markers.
SAMPLES = {name: b"\n".join(fixture_sources(name)) for name in CODE}


@pytest.mark.parametrize("name", CODE)
def test_fixtures_still_parse_and_say_what_they_hide(name: str) -> None:
    for data in [*fixture_sources(name), SAMPLES[name]]:
        assert broken_rules(source_of(name, data)) == []


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
    assert broken_rules(source_of(name, sample[:start] + noise + sample[end:])) == []


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_generated_programs_still_parse(name: str, data: st.DataObject) -> None:
    assert broken_rules(source_of(name, data.draw(programs(name)))) == []


@pytest.mark.parametrize(
    ("name", "program"),
    [
        # A library's name that stands behind imports is a declaration to the parser, and a name without them.
        ("dart", b"export 'src/price.dart' show Price;\nlibrary shop;\n"),
        ("dart", b"import 'a.dart';\nimport 'b.dart';\nexport 'c.dart';\n// shop\nlibrary shop;\nfinal a = 1;\n"),
    ],
)
def test_what_follows_is_parsed_as_before(name: str, program: bytes) -> None:
    assert broken_rules(source_of(name, program)) == []


def test_real_files_still_parse() -> None:
    project = Path(__file__).parents[2]
    chosen = sample(files_of_code([project / "python", project / "rust"]), 24)
    assert {language_of(path.name) for path in chosen} >= {LANGUAGES["python"], LANGUAGES["rust"]}
    assert [problems_of(path)[2] for path in chosen] == [[]] * len(chosen)


@pytest.mark.parametrize(
    ("name", "lines", "hidden", "problem"),
    [
        ("python", ["def f(a):", "    if a:", "        a = compute(a)", "    return b"], 0, "line 4 is '    return b'"),
        ("python", ["def f(a):", "    if a:", "        # ... 3", "    return a"], 3, "Python refuses it"),
        ("javascript", ["a = b", "// ... 2", "(c)"], 2, "what is shown is parsed as something else"),
        ("javascript", ["a = b", "// ... 2", "(c"], 2, "1 error nodes, the source has 0"),
    ],
)
def test_a_broken_rendering_is_noticed(name: str, lines: list[str], hidden: int, problem: str) -> None:
    sources = {
        "python": b"def f(a):\n    if a:\n        a = compute(a)\n    return a\n",
        "javascript": b"a = b\nd;\n(c)\n",
    }
    omitted = (LineRange(hidden, hidden),) if hidden else ()
    shown = tuple(LineRange(line, line) for line in range(1, len(lines) + 1) if line != hidden)
    rendering = Rendering(Mode.AGGRESSIVE, "\n".join(lines) + "\n", shown, omitted)
    assert problem_of(source_of(name, sources[name]), rendering) == problem


@pytest.mark.parametrize("name", CODE)
def test_line_endings_are_kept(name: str) -> None:
    source = source_of(name, SAMPLES[name].replace(b"\r\n", b"\n").replace(b"\n", b"\r\n").rstrip())
    assert broken_rules(source) == []
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
        (
            "perl",
            b"for ($x) {\n  # one\n  # two\n  /a/ && do {\n    $label = start_something($x);\n    last;\n  };\n}\n",
        ),
        ("c", b"void f(int a){" + b"if(a){" * 10_000 + b"a=1;" + b"}" * 10_000 + b"}\n"),
        ("python", b""),
        ("python", b"\xff\xfe# caf\xe9\n"),
    ],
)
def test_bad_input_parses_no_worse(name: str, data: bytes) -> None:
    assert broken_rules(source_of(name, data)) == []
