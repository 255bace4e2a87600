"""Prose and data: what the outline names, what compression hides, and that no line is lost silently."""

import json
import re
import tomllib
from itertools import groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve.compress import Mode, SourceFile, find_lines, read_source, render_prose, render_prose_outline
from ctxsieve.compress.prose.nesting import without_structure
from ctxsieve.fragments import LineRange
from ctxsieve.languages import language_of

MARKDOWN = """# Guide

Intro paragraph.

A second paragraph with more words than anybody needs to know.

## Install

```sh
# not a heading
pip install thing
```

## Use

Say it.

And then say a great deal more about it, at length.
"""
RST = """Guide
=====

Intro.

Usage
-----

First.

Second paragraph, which is somewhat longer than the first.
"""
JSON = json.dumps({"name": "thing", "items": [{"id": i, "value": "x" * 8} for i in range(9)]}, indent=2)
YAML = "# a long comment about nothing much\non:\n  push:\n    branches: [main]\njobs:\n" + "".join(
    f"  - name: step {i} of the long build\n    run: make target-{i}\n" for i in range(9)
)
TOML = '[project]\nname = "thing"\n\n[tool.ruff]\nline-length = 120\n'
XML = "<root>\n" + "".join(f'  <item id="{i}">value number {i}</item>\n' for i in range(9)) + "</root>\n"
HTML = (
    "<html>\n<body>\n<ul>\n" + "".join(f"  <li>entry number {i}</li>\n" for i in range(9)) + "</ul>\n</body>\n</html>\n"
)
CSS = "/* the colours of the whole page */\na { color: red }\n@media print {\n  p { margin: 0 }\n}\n"
SQL = "CREATE TABLE t (id INT);\n" + "".join(f"INSERT INTO t VALUES ({i}, 'some value');\n" for i in range(9))
CSV = "id,name\n" + "".join(f"{i},somebody number {i}\n" for i in range(40))
LOG = "".join(f"2026-01-01 12:00:{i:02} INFO request {i} served\n" for i in range(30)) + "2026-01-01 ERROR disk full\n"
LOG += "".join(f"2026-01-01 12:01:{i:02} INFO request {i} served\n" for i in range(30))
CARGO = "version = 3\n" + "".join(
    f'\n[[package]]\nname = "crate-{i}"\nversion = "1.0.{i}"\nsource = "registry"\nchecksum = "{i:064x}"\n'
    for i in range(5)
)
GO_SUM = "example.org/a v1.2.3 h1:abc=\nexample.org/a v1.2.3/go.mod h1:def=\n"
DIFF = """diff --git a/src/a.py b/src/a.py
--- a/src/a.py
+++ b/src/a.py
@@ -1,7 +1,7 @@ def f():
 context line that says nothing about the change
 another context line that says nothing
-old
+new
+newer
 a last context line that says nothing at all
"""
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# Title\n", "text"]},
            {"cell_type": "code", "source": "print(1)", "outputs": [{"text": ["1\n"]}, {"data": "x" * 500}]},
        ]
    },
    indent=1,
)
INI = "; comment about the server section\n[server]\nport = 80\nhost = a\n"
SAMPLES = {
    "guide.md": (MARKDOWN, ["Guide 1-18", "  Install 7-13", "  Use 14-18"], "And then say a great deal more"),
    "guide.rst": (RST, ["Guide 1-11", "  Usage 6-11"], "Second paragraph"),
    "data.json": (JSON, ['"name": "thing" 2', "  ... 6 more alike 16-39"], '"id": 7'),
    "ci.yml": (YAML, ["on: 2-4", "  push: 3-4", "jobs: 5-23"], "make target-7"),
    "pyproject.toml": (TOML, ["[project] 1-2", "[tool.ruff] 4-5"], None),
    "data.xml": (XML, ["<root> 1-11"], "value number 7"),
    "page.html": (HTML, ["<html> 1-15", "      ... 6 more alike 7-12"], "entry number 7"),
    "style.css": (CSS, ["a { color: red } 2", "@media print { 3-5"], "the colours"),
    "schema.sql": (SQL, ["CREATE TABLE t (id INT) 1"], "(7, 'some value')"),
    "people.csv": (CSV, ["2 columns: id, name 1", "40 rows 2-41"], "somebody number 20"),
    "server.log": (LOG, ["61 lines: INFO 60, ERROR 1", "2026-01-01 ERROR disk full 31"], "request 20 served"),
    "Cargo.lock": (CARGO, ["5 packages", "  crate-3 1.0.3 22"], "checksum"),
    "go.sum": (GO_SUM, ["1 packages", "  example.org/a 1.2.3 1"], None),
    "fix.patch": (DIFF, ["src/a.py +2 -1 3-10", "  @@ def f(): 4"], "context line"),
    "work.ipynb": (NOTEBOOK, ["cell 1 markdown: # Title", "cell 2 code (2 outputs): print(1)"], "xxxx"),
    "server.ini": (INI, ["[server] 2", "  port 3", "  host 4"], "comment about"),
}


def source_of(name: str, text: str) -> SourceFile:
    data = text.encode("utf-8", "surrogatepass")
    return read_source(name, data, language_of(name, data[:512]))


@pytest.mark.parametrize("name", SAMPLES)
def test_outline_names_what_the_format_holds(name: str) -> None:
    text, rows, _ = SAMPLES[name]
    outline = render_prose_outline(source_of(name, text), Mode.MAP).content.splitlines()
    for row in rows:
        assert row in outline, outline


@pytest.mark.parametrize("name", [name for name, sample in SAMPLES.items() if sample[2]])
def test_compression_hides_what_tells_least(name: str) -> None:
    text, _, hidden = SAMPLES[name]
    assert hidden is not None
    removal = render_prose(source_of(name, text), Mode.AGGRESSIVE)
    assert removal.rendering is not None, removal
    assert hidden not in removal.rendering.content
    assert hidden in text


def test_trouble_in_a_log_stays() -> None:
    removal = render_prose(source_of("server.log", LOG), Mode.AGGRESSIVE)
    assert removal.rendering is not None
    assert "ERROR disk full" in removal.rendering.content


def test_dropped_outputs_are_counted() -> None:
    removal = render_prose(source_of("work.ipynb", NOTEBOOK), Mode.AGGRESSIVE)
    assert removal.rendering is not None
    assert "[cell 2: code, 2 outputs dropped]\nprint(1)\n" in removal.rendering.content
    assert removal.reason == "outputs are dropped"


def test_headings_all_stay() -> None:
    removal = render_prose(source_of("guide.md", MARKDOWN), Mode.AGGRESSIVE)
    assert removal.rendering is not None
    for heading in ("# Guide", "## Install", "## Use"):
        assert heading in removal.rendering.content


def test_long_outlines_say_how_much_they_leave_out() -> None:
    text = "".join(f"# heading {i}\n\ntext\n\n" for i in range(200))
    rows = render_prose_outline(source_of("long.md", text), Mode.MAP).content.splitlines()
    assert rows[-1] == "... 80 more"
    assert len(rows) == 121


@pytest.mark.parametrize("name", [*SAMPLES, "unknown.zzz"])
@given(text=st.one_of(st.text(max_size=300), st.sampled_from([sample[0] for sample in SAMPLES.values()])))
def test_every_line_is_shown_or_marked(name: str, text: str) -> None:
    source = source_of(name, text.replace("\r", ""))
    count = len(source.lines)
    render_prose_outline(source, Mode.MAP)
    relevance = [float(number % 2) for number in range(count)]
    for mode in (Mode.AGGRESSIVE, Mode.ENTROPY, Mode.TASK):
        rendering = render_prose(source, mode, relevance=relevance).rendering
        if rendering is None:
            continue
        shown = [line for span in rendering.shown for line in range(span.first, span.last + 1)]
        omitted = [line for span in rendering.omitted for line in range(span.first, span.last + 1)]
        assert sorted(shown + omitted) == list(range(1, count + 1))
        for number in shown:
            assert source.lines[number - 1] in rendering.content
        if name != "work.ipynb":
            for span in rendering.omitted:
                assert f"... {span.first}" in rendering.content


NAMES = st.sampled_from(["name", "path", "line-length", "select", "version", "depends", "marker"])
WORDS = st.sampled_from(["short", "a somewhat longer value that tells more", "pytest>=8.3", "E501", "x"])


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    """Tables of single values and of arrays over several lines, blank lines between some of them."""
    parts: list[str] = []
    for number in range(draw(st.integers(1, 6))):
        parts.append(f"[table{number}.part]\n")
        for place, name in enumerate(draw(st.lists(NAMES, max_size=12))):
            values = draw(st.lists(WORDS, min_size=1, max_size=14))
            if len(values) < 3:
                parts.append(f'{name}{place} = "{values[0]}"\n')
            else:
                rows = "".join(f'    "{value}",\n' for value in values)
                parts.append(f"{name}{place} = [\n{rows}]\n")
            parts.append("\n" * draw(st.booleans()))
    return "".join(parts)


def flat(tree: object, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], object]:
    if not isinstance(tree, dict):
        return {path: tree}
    return {key: value for name, part in tree.items() for key, value in flat(part, (*path, name)).items()}


def hidden_in(source: SourceFile, mode: Mode, relevance: list[float], share: float) -> str:
    rendering = render_prose(source, mode, share=share, relevance=relevance).rendering
    return source.text if rendering is None else rendering.content


MODES_OF_BLOCKS = st.sampled_from([Mode.ENTROPY, Mode.TASK])


@settings(max_examples=40)
@given(text=toml_texts(), mode=MODES_OF_BLOCKS, share=st.sampled_from([0.1, 0.3, 0.6]), data=st.data())
def test_what_is_left_of_tables_is_what_the_file_says(text: str, mode: Mode, share: float, data: st.DataObject) -> None:
    source = read_source("pyproject.toml", text.encode(), language_of("pyproject.toml"))
    relevance = data.draw(st.lists(st.sampled_from([0.0, 0.0, 0.1, 1.0]), min_size=len(source.lines)))
    left = flat(tomllib.loads(hidden_in(source, mode, relevance[: len(source.lines)], share)))
    whole = flat(tomllib.loads(text))
    for path, value in left.items():
        assert path in whole
        if isinstance(value, list):
            assert set(value) <= set(whole[path])
        else:
            assert value == whole[path]


STATEMENTS = st.sampled_from(
    [
        'key{} = "a [ value # of one line" # and {{ a comment\n',
        'key{} = """\n[no table]\n\nmore \\""" [\n  and more"""\n',
        "key{} = '''one\n# no comment\\''' # a comment [\n",
        "key{} = [\n[1, 2],\n\n    [3, 4]\n]\n",
        'key{} = [\n"a",\n"]", # ]\n  ["b", """\nc\n\n"""],\n]\n',
        "[table{}]\n",
        "  [table{}.inner]\n",
        "[[many]]\nvalue = {}\n",
        "[[many]]\n\n[many.part]\nvalue = {}\n[[many.parts]]\n",
        "# [a comment]\n\n",
    ]
)


@given(statements=st.lists(STATEMENTS, min_size=1, max_size=8), data=st.data())
def test_toml_says_the_same_whatever_lines_are_to_go(statements: list[str], data: st.DataObject) -> None:
    text = "".join(statement.format(number) for number, statement in enumerate(statements))
    source = read_source("a.toml", text.encode(), language_of("a.toml"))
    hidden = data.draw(st.sets(st.integers(1, len(source.lines))))
    left = without_structure(source, [LineRange(line, line) for line in sorted(hidden)])
    gone = {line for span in left for line in range(span.first, span.last + 1)}
    shown = "".join(f"{own}\n" for line, own in enumerate(source.lines, start=1) if line not in gone)
    assert is_part_of(tomllib.loads(shown), tomllib.loads(text))


def test_an_ini_value_that_goes_on_in_brackets_is_no_section() -> None:
    text = "[paths]\nmatrix =\n    [one, two]\n    three\n  [indented]\nkey = 1\n\n[last]\nkey = 2\n"
    source = read_source("a.ini", text.encode(), language_of("a.ini"))
    for shown, needed in [(4, [1, 2]), (3, [1, 2]), (6, [1]), (9, [8])]:
        rest = [LineRange(line, line) for line in range(1, 10) if line != shown and source.lines[line - 1]]
        hidden = {line for span in without_structure(source, rest) for line in range(span.first, span.last + 1)}
        assert [line for line in range(1, 10) if line not in {7, *hidden}] == sorted([shown, *needed])


def is_part_of(part: object, whole: object) -> bool:
    """Say whether a value is the other one without some of what its tables and arrays hold."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and is_part_of(value, whole[name]) for name, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        rest = iter(whole)
        return all(any(is_part_of(value, other) for other in rest) for value in part)
    return part == whole


TREES = st.recursive(
    WORDS, lambda inner: st.lists(inner, max_size=9) | st.dictionaries(NAMES, inner, max_size=6), max_leaves=60
)


@settings(max_examples=40)
@given(tree=TREES, mode=MODES_OF_BLOCKS, share=st.sampled_from([0.1, 0.3, 0.6]), data=st.data())
def test_brackets_are_shown_with_their_ends(tree: object, mode: Mode, share: float, data: st.DataObject) -> None:
    source = read_source("a.json", json.dumps(tree, indent=2).encode(), language_of("a.json"))
    relevance = data.draw(st.lists(st.sampled_from([0.0, 0.0, 0.1, 1.0]), min_size=len(source.lines)))
    left = hidden_in(source, mode, relevance[: len(source.lines)], share)
    opened: list[str] = []
    for character in "".join(character for character in left if character in "[]{}"):
        if character in "[{":
            opened.append(character)
        else:
            assert opened.pop() + character in ("[]", "{}")
    assert not opened


@settings(max_examples=40)
@given(tree=TREES, mode=MODES_OF_BLOCKS, share=st.sampled_from([0.1, 0.3, 0.6]), data=st.data())
def test_every_line_stands_below_the_keys_that_it_is_nested_in(
    tree: object, mode: Mode, share: float, data: st.DataObject
) -> None:
    text = "\n".join(yaml_lines({"root": tree}, 0)) + "\n"
    source = read_source("a.yaml", text.encode(), language_of("a.yaml"))
    relevance = data.draw(st.lists(st.sampled_from([0.0, 0.0, 0.1, 1.0]), min_size=len(source.lines)))
    left = hidden_in(source, mode, relevance[: len(source.lines)], share).splitlines()
    assert set(nested_paths(left)) <= set(nested_paths(text.splitlines()))


def yaml_lines(tree: object, depth: int) -> list[str]:
    indent = "  " * depth
    if isinstance(tree, dict):
        return [line for name, part in tree.items() for line in (f"{indent}{name}:", *yaml_lines(part, depth + 1))]
    if isinstance(tree, list):
        return [
            line for place, part in enumerate(tree) for line in (f"{indent}item{place}:", *yaml_lines(part, depth + 1))
        ]
    return [f"{indent}value: {tree}"]


def nested_paths(lines: list[str]) -> list[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = []
    opened: list[str] = []
    for line in lines:
        if line.strip().startswith("#") or not line.strip():
            continue
        del opened[(len(line) - len(line.lstrip())) // 2 :]
        opened.append(line.strip())
        paths.append(tuple(opened))
    return paths


def test_paragraphs_stand_under_their_headings_and_examples_end() -> None:
    source = read_source("a.md", MARKDOWN.encode(), language_of("a.md"))
    relevance = [1.0 if "pip install" in line or "at length" in line else 0.0 for line in source.lines]
    rendering = render_prose(source, Mode.TASK, relevance=relevance).rendering
    assert rendering is not None
    shown = rendering.content.splitlines()
    for wanted in ("# Guide", "## Install", "pip install thing", "## Use"):
        assert wanted in shown
    assert not any("A second paragraph" in line for line in shown)
    assert shown.count("```sh") == shown.count("```") == 1


@given(text=toml_texts())
@settings(max_examples=40)
def test_repeats_leave_tables_and_ends_of_arrays_alone(text: str) -> None:
    source = read_source("pyproject.toml", text.encode(), language_of("pyproject.toml"))
    found = {span.first for span in find_lines(source)}
    for line, own in enumerate(source.lines, start=1):
        if own.endswith(" = [") or own == "]":
            assert line not in found
        if own.startswith("[") and line < len(source.lines) and source.lines[line]:
            assert (line not in found) == (not source.lines[line].startswith("["))


@settings(max_examples=60)
@given(trees=st.lists(TREES, min_size=2, max_size=5), hidden=st.data())
def test_no_line_comes_into_another_document(trees: list[object], hidden: st.DataObject) -> None:
    documents = ["\n".join([f"top{n}:", *(f"  n{n}{line}" for line in yaml_lines(t, 0))]) for n, t in enumerate(trees)]
    text = "\n---\n".join(documents) + "\n"
    source = read_source("a.yaml", text.encode(), language_of("a.yaml"))
    gone = hidden.draw(st.sets(st.integers(1, len(source.lines))))
    left = {line for span in without_structure(source, [LineRange(n, n) for n in gone]) for line in span_lines(span)}
    shown = [line for number, line in enumerate(source.lines, start=1) if number not in left]
    for document in "\n".join(shown).split("\n---\n"):
        rows = [row for row in document.splitlines() if row != "---"]
        assert len({row for row in rows if not row.startswith(" ")}) <= 1
        if rows:
            assert all(row.startswith(f"  n{rows[0][3:-1]}") for row in map(str.rstrip, rows[1:]) if row[2:3] == "n")
    assert set(nested_paths(shown)) <= set(nested_paths(source.lines))


def span_lines(span: LineRange) -> range:
    return range(span.first, span.last + 1)


SERVICES = "---\n".join(
    f"kind: Service\nmetadata:\n  name: svc{n}\nspec:\n  ports:\n    - port: {8000 + n}\n      targetPort: {9000 + n}\n"
    for n in range(12)
)


@given(wanted=st.sets(st.integers(0, 11), min_size=1), share=st.sampled_from([0.1, 0.3, 0.5]), mode=MODES_OF_BLOCKS)
@settings(max_examples=40)
def test_a_port_stands_in_its_own_service(wanted: set[int], share: float, mode: Mode) -> None:
    source = source_of("services.yaml", SERVICES)
    relevance = [1.0 if any(f": {8000 + n}" in line for n in wanted) else 0.0 for line in source.lines]
    left = hidden_in(source, mode, relevance, share)
    whole = SERVICES.split("---\n")
    for document in left.split("---\n"):
        rows = [row for row in document.splitlines() if "#" not in row]
        assert any(set(rows) <= set(service.splitlines()) for service in whole), document


@given(
    text=st.one_of(toml_texts(), st.just(SERVICES), st.just(INI * 9), st.just(YAML)),
    name=st.sampled_from(["a.toml", "a.yaml", "a.ini"]),
)
@settings(max_examples=60)
def test_marks_have_text_between_them_and_are_as_shallow_as_what_they_hide(text: str, name: str) -> None:
    source = source_of(name, text)
    for mode in (Mode.ENTROPY, Mode.AGGRESSIVE):
        rendering = render_prose(source, mode, share=0.4).rendering
        if rendering is None:
            continue
        rows = [row for row in rendering.content.splitlines() if row.strip()]
        is_mark = [row.strip().startswith("# ... ") for row in rows]
        assert not any(one and other for one, other in pairwise(is_mark))
        marks = [row for row, mark in zip(rows, is_mark, strict=True) if mark]
        for mark, span in zip(marks, rendering.omitted, strict=True):
            hidden = [source.lines[line - 1] for line in span_lines(span)]
            depth = min(len(line) - len(line.lstrip()) for line in hidden if line.strip())
            assert len(mark) - len(mark.lstrip()) <= depth


SERVERS = "servers:\n" + "".join(
    f"  - name: server{n}\n    host: 10.0.0.{n}\n    port: {8000 + n}\n" for n in range(40)
)
SERVERS += "timeout: 30\nretry:\n  attempts: 5\n  backoff: exponential\ndb:\n  url: postgres://localhost/app\n"


@given(share=st.floats(0.15, 0.9))
@settings(max_examples=25)
def test_alike_rows_go_before_unique_keys_until_the_share_is_left(share: float) -> None:
    source = source_of("servers.yaml", SERVERS)
    rendering = render_prose(source, Mode.ENTROPY, share=share).rendering
    assert rendering is not None
    for key in ("timeout: 30", "  attempts: 5", "  backoff: exponential", "  url: postgres://localhost/app"):
        assert f"\n{key}\n" in rendering.content
    assert abs(rendering.tokens / source.tokens - share) < 0.1


def test_of_alike_parts_those_that_the_task_names_stay() -> None:
    source = source_of("services.yaml", SERVICES)
    relevance = [1.0 if "svc6" in line else 0.5 if "ort:" in line else 0.0 for line in source.lines]
    rendering = render_prose(source, Mode.TASK, relevance=relevance).rendering
    assert rendering is not None
    assert [line for line in rendering.content.splitlines() if "name:" in line][-1] == "  name: svc6"
    assert rendering.content.count("targetPort") <= 2
    assert "port: 8006" in rendering.content


def test_brackets_below_a_key_are_no_section_of_the_outline() -> None:
    text = "[first]\nkey =\n    [not a section]\n    more\n\n  [indented]\n[last]\n  [inner]\nname = 1\n"
    rows = render_prose_outline(source_of("s.ini", text), Mode.MAP).content.splitlines()
    assert rows == ["[first] 1", "  key 2", "[last] 7", "[inner] 8", "  name 9"]


STEP_KEYS = st.sampled_from([("uses",), ("name", "run"), ("name", "uses"), ("run", "env", "if")])


@st.composite
def item_lists(draw: st.DrawFn) -> list[dict[str, str]]:
    """Items of a list, some runs of them with the same keys."""
    runs = draw(st.lists(st.tuples(STEP_KEYS, st.integers(1, 9)), min_size=1, max_size=6))
    return [dict.fromkeys(keys, f"value of step {n}") for keys, count in runs for n in range(count)]


@given(items=item_lists(), name=st.sampled_from(["ci.yaml", "ci.json", "ci.toml"]))
@settings(max_examples=60)
def test_an_item_goes_only_after_three_with_its_keys(items: list[dict[str, str]], name: str) -> None:
    if name == "ci.yaml":
        text = "steps:\n" + "".join(
            "".join(
                f"  {' ' if place else '-'} {key}: {value} {n}\n" for place, (key, value) in enumerate(item.items())
            )
            for n, item in enumerate(items)
        )
    elif name == "ci.json":
        numbered = [{key: f"{value} {n}" for key, value in item.items()} for n, item in enumerate(items)]
        text = json.dumps({"steps": numbered}, indent=2) + "\n"
    else:
        text = "".join(
            "[[steps]]\n" + "".join(f'{key} = "{value} {n}"\n' for key, value in item.items()) + "\n"
            for n, item in enumerate(items)
        )
    rendering = render_prose(source_of(name, text), Mode.AGGRESSIVE).rendering
    left = text if rendering is None else rendering.content
    alike = 0
    for n, item in enumerate(items):
        alike = alike + 1 if n and item.keys() == items[n - 1].keys() else 1
        if alike <= 3:
            assert all(re.search(rf"{value} {n}\b", left) for value in item.values())
    assert left.count("... ") == sum(count > 5 for count in runs_of_keys(items))


def runs_of_keys(items: list[dict[str, str]]) -> list[int]:
    return [len(list(run)) for _, run in groupby(items, key=lambda item: item.keys())]


def test_different_steps_of_a_workflow_stay() -> None:
    steps = ["uses: actions/checkout@v4", "uses: astral-sh/setup-uv@v5\n        with:\n          cache: true"]
    steps += [f"name: step {n}\n        {key}: make it {n}" for n, key in enumerate(["run", "uses", "if", "env"])]
    text = "jobs:\n  test:\n    steps:\n" + "".join(f"      - {step}\n" for step in steps)
    assert render_prose(source_of("ci.yaml", text), Mode.AGGRESSIVE).rendering is None
