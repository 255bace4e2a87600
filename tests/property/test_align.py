"""Aligned source has the syntax tree of its source: only white space at line ends differs, outside of literals."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import PARSE_LIMIT, syntax_nodes
from ctxsieve.align import align_lines
from ctxsieve.align.rules import SOURCE_RULES, SourceRule
from ctxsieve.compress import SourceFile, read_source, render_full, render_lines
from ctxsieve.fragments import KEPT_LINE, LineRange
from ctxsieve.languages import LANGUAGES, LanguageKind, language_of, parse_many
from ctxsieve.languages.table import IndentationRule
from ctxsieve.tokens import count_lines, count_tokens

FIXTURES = Path(__file__).parents[1] / "fixtures"
CODE = sorted(name for name, language in LANGUAGES.items() if language.kind is LanguageKind.CODE)
relaxed = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _samples(name: str) -> list[bytes]:
    paths = [*(FIXTURES / "definitions").glob(f"{name}.*"), *(FIXTURES / "projects" / name).rglob("*")]
    found = ((path, language_of(path.name)) for path in sorted(paths) if path.is_file())
    return [path.read_bytes() for path, language in found if language is not None and language.name == name]


SAMPLES = {name: _samples(name) for name in CODE}


def tree_of(data: bytes, grammar: str) -> tuple[object, ...]:
    """Everything of a tree but positions: the nodes, and the text of its leaves without white space at line ends.

    Whether a node contains an error is left out: C misses a newline that no query sees where a macro is followed by
    blanks. Errors and missing nodes themselves count.
    """
    nodes = syntax_nodes([data], grammar, parse_limit=PARSE_LIMIT, threads=1)
    is_leaf = np.ones(len(nodes.kind), dtype=bool)
    is_leaf[nodes.parent[1:]] = False
    spans = zip(nodes.start_byte[is_leaf].tolist(), nodes.end_byte[is_leaf].tolist(), strict=True)
    texts = [data[start:end].rstrip() for start, end in spans]
    return nodes.kind.tolist(), nodes.field.tolist(), nodes.parent.tolist(), (nodes.flags & 15).tolist(), texts


def source_of(name: str, data: bytes) -> SourceFile:
    return read_source(f"sample.{name}", data, LANGUAGES[name])


def spell_source(source: SourceFile) -> SourceFile:
    return replace(source, is_aligned=True)


def layout_of(source: SourceFile) -> bytes:
    assert source.language is not None
    (parsed,) = parse_many([(source.data, source.language)], with_layouts=True)
    return parsed.layout


def joined(source: SourceFile, lines: list[str]) -> bytes:
    return ("\n".join(lines) + ("\n" if source.text.endswith("\n") else "")).encode("utf-8", "surrogatepass")


def check(source: SourceFile) -> None:
    language = source.language
    assert language is not None
    assert language.grammar is not None
    spelled = spell_source(source)
    if spelled.spelling is None:
        return
    assert count_tokens(spelled.spelled_text) < count_tokens(source.text)
    assert [line.strip(" \t\r") for line in spelled.spelling] == [line.strip(" \t\r") for line in source.lines]
    after = joined(source, list(spelled.spelling))
    assert tree_of(after, language.grammar) == tree_of(source.data, language.grammar)


@pytest.mark.parametrize("name", CODE)
@pytest.mark.parametrize("rule", SOURCE_RULES, ids=lambda rule: rule.name)
def test_each_rule_alone_keeps_the_tree(name: str, rule: SourceRule) -> None:
    for sample in SAMPLES[name]:
        for data in (sample, sample.replace(b"\n", b" \t\n"), sample.replace(b"\n", b"  \r\n")):
            source = source_of(name, data)
            layout = layout_of(source)
            if not layout or source.parsed.error_nodes:
                continue
            following = layout[1:] + b"\0"
            lines = [
                rule.apply(line, own) if rule.applies(own, after) and own != KEPT_LINE else line
                for line, own, after in zip(source.lines, layout, following, strict=True)
            ]
            grammar = str(LANGUAGES[name].grammar)
            assert tree_of(joined(source, lines), grammar) == tree_of(source.data, grammar)


@pytest.mark.parametrize("name", CODE)
def test_fixtures_keep_their_trees(name: str) -> None:
    for data in [*SAMPLES[name], b"\n".join(SAMPLES[name]), b"\n".join(SAMPLES[name]).replace(b"\n", b"\r\n")]:
        check(source_of(name, data))


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_broken_sources_keep_their_trees(name: str, data: st.DataObject) -> None:
    sample = b"\n".join(SAMPLES[name])
    start = data.draw(st.integers(0, len(sample)))
    end = data.draw(st.integers(start, min(len(sample), start + 600)))
    noise = data.draw(
        st.sampled_from([b"", b"{", b"}", b'"', b"(", b"\n", b"/*", b"\r\n", b"\t", b"'''", b"\\\n", b"\n  # x\n"])
    )
    check(source_of(name, sample[:start] + noise + sample[end:]))


@pytest.mark.parametrize("name", CODE)
def test_lines_may_be_indented_differently_unless_columns_count(name: str) -> None:
    language = LANGUAGES[name]
    layouts = [layout_of(source_of(name, data)) for data in SAMPLES[name]]
    assert any(layouts) is (language.indentation is not IndentationRule.COLUMNS)


LITERALS = [
    ("python", 'def f():\n    a = """\n        kept  \n    """\n    return a\n', ["        kept  ", '    """']),
    ("python", "def f():\n    return (\n        1,\n    )\n", []),
    ("javascript", "function f() {\n    return `\n        kept  ${x}\n    `;\n}\n", ["        kept  ${x}", "    `;"]),
    ("rust", 'fn f() {\n    g("\n        kept  ");\n}\n', ['        kept  ");']),
    ("c", "#define A b; \\\n    kept; \\\n    kept\nint f() {\n    return 1;\n}\n", ["    kept; \\", "    kept"]),
    ("ruby", "def f\n    x = <<~A\n        kept  \n    A\n    x\nend\n", ["        kept  ", "    A"]),
    ("bash", "f() {\n    cat <<A\n        kept  \nA\n    echo 1\n}\n", ["        kept  ", "A"]),
    ("java", 'class A {\n    String a = """\n        kept  \n        """;\n}\n', ["        kept  ", '        """;']),
    (
        "php",
        "<?php\nfunction f() {\n    $a = <<<A\n        kept  \n    A;\n    return $a;\n}\n",
        ["        kept  ", "    A;"],
    ),
    ("go", "func f() {\n\tx := `\n\t\tkept  \n\t`\n\treturn\n}\n", ["\t\tkept  ", "\t`"]),
]


@pytest.mark.parametrize(("name", "text", "kept"), LITERALS)
def test_literals_stay_as_they_are(name: str, text: str, kept: list[str]) -> None:
    source = source_of(name, text.encode())
    check(source)
    spelled = spell_source(source)
    lines = list(spelled.spelled_lines)
    for line in kept:
        assert line in lines


def test_levels_stay_apart() -> None:
    code = (
        "class A:\n    def f(self):\n        if self:\n            return g(\n                1,\n            )\n"
        "        # done\n\n    x = 1\n"
    )
    spelled = spell_source(source_of("python", code.encode()))
    assert spelled.spelled_text == (
        "class A:\n def f(self):\n  if self:\n   return g(\n   1,\n   )\n  # done\n\n x = 1\n"
    )


PYTHON_IN_BRACKETS = [
    "x = (\n            b\n            if c\n            else d\n        )",
    "x = {\n            b: c\n            if d\n            else e,\n        }",
    "x = [\n            b or\n            # why\n            c\n        ]",
    "x = b + \\\n            c",
    "x = b  # \\\n        if x:\n            y = 1",
]


@pytest.mark.parametrize("statement", PYTHON_IN_BRACKETS)
def test_lines_in_brackets_are_not_taken_for_the_end_of_a_block(statement: str) -> None:
    source = source_of("python", f"def f():\n    if a:\n        {statement}\n    return x\n".encode())
    assert spell_source(source).spelling is not None
    check(source)


def test_a_spelled_source_is_verbatim_where_that_is_promised() -> None:
    code = "def f():\n    return 1\n"
    spelled = spell_source(source_of("python", code.encode()))
    assert spelled.spelling is not None
    assert render_full(spelled).content == code
    assert render_lines(spelled, (LineRange(2, 2),)).content == "    return 1\n"


@given(lines=st.lists(st.text(st.characters(exclude_characters="\n"), max_size=12), max_size=8), data=st.data())
def test_lines_keep_their_text_whatever_the_layout(lines: list[str], data: st.DataObject) -> None:
    layout = bytes(data.draw(st.lists(st.sampled_from([0, 1, 5, 128, 255]), min_size=len(lines), max_size=len(lines))))
    aligned = align_lines(lines, layout)
    if aligned is not None:
        assert [line.strip(" \t\r") for line in aligned] == [line.strip(" \t\r") for line in lines]
        assert count_tokens("\n".join(aligned) + "\n") < count_tokens("\n".join(lines) + "\n")
        for line, spelled, own in zip(lines, aligned, layout, strict=True):
            if own == KEPT_LINE:
                assert spelled.startswith(line.rstrip(" \t\r"))


@pytest.mark.parametrize("tail", [b"    ", b"\t", b" \r", b"\n  "])
@pytest.mark.parametrize("name", CODE)
def test_a_last_line_of_blanks_stays_a_line(name: str, tail: bytes) -> None:
    spelled = spell_source(source_of(name, b"\n".join(SAMPLES[name]).rstrip() + b"\n" + tail))
    assert len(count_lines(spelled.spelled_text)) == len(spelled.lines)
    assert len(spelled.line_facts.line_tokens) == len(spelled.lines)


def test_a_layout_of_another_text_is_no_layout() -> None:
    assert align_lines(["    a", "    b"], b"\0") is None
    assert align_lines([], b"") is None
