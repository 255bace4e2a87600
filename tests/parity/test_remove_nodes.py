"""The native removal of nodes shows the same text, for the same reason, as its twin in Python."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compression_rules import CODE, fixture_sources, renderings, source_of
from ctxsieve._kernels.pure.remove_nodes import remove_nodes as leave_it_to_the_twin
from ctxsieve.compress import SourceFile, find_whole_nodes, keeps_parsing, render_aggressive
from ctxsieve.compress import native as native_path
from ctxsieve.compress import nodes as node_search
from ctxsieve.compress.nodes import find_removable_nodes
from ctxsieve.languages import LANGUAGES
from ctxsieve.tokens import count_tokens
from fuzz.compression_corpus import files_of_code, sample
from strategies.backends import native
from strategies.programs import programs

relaxed = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SAMPLES = {name: b"\n".join(fixture_sources(name)) for name in CODE}
NOISE = [
    b"",
    b"{",
    b"}",
    b'"',
    b"(",
    b"\n",
    b"/*",
    b"\r\n",
    b"\xc3\xa9 \xd9\xa3x",
    b"\xe3\x80\x80",
    b"#",
    b"'''",
    b"\\",
]


def assert_same(name: str, data: bytes) -> None:
    plain = source_of(name, data)
    for source in (plain, replace(source_of(name, data), is_aligned=True)):
        ours = outcomes(source)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(native_path, "remove_nodes", leave_it_to_the_twin)
            patch.setattr(node_search, "find_nodes", leave_it_to_the_twin)
            twins = outcomes(replace(source_of(name, data), is_aligned=source.is_aligned))
        assert ours == twins


def outcomes(source: SourceFile) -> list[object]:
    found: list[object] = [find_removable_nodes(source), find_whole_nodes(replace(source))]
    for label, removal in renderings(source):
        rendering = removal.rendering
        found.append((label, rendering, removal.reason))
        if rendering is not None:
            assert rendering.tokens == count_tokens(rendering.content), label
            found.append(keeps_parsing(source, rendering.content, rendering.omitted))
            found.append(keeps_parsing(source, rendering.content + "\n)", rendering.omitted))
    return [*found, find_whole_nodes(source)]


def test_the_native_core_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    real = native_path.remove_nodes
    monkeypatch.setattr(native_path, "remove_nodes", lambda *given, **limits: done.append(real(*given, **limits)))
    render_aggressive(source_of("python", SAMPLES["python"]))
    assert native.NodeRemover is not None
    assert [found.outcome for found in done if found is not None] == [0]


@pytest.mark.parametrize("name", CODE)
def test_fixtures_are_the_same(name: str) -> None:
    for data in [*fixture_sources(name), SAMPLES[name], SAMPLES[name].replace(b"\n", b"\r\n").rstrip()]:
        assert_same(name, data)


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_damaged_fixtures_are_the_same(name: str, data: st.DataObject) -> None:
    text = SAMPLES[name]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 400)))
    assert_same(name, text[:start] + data.draw(st.sampled_from(NOISE)) + text[end:])


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_generated_programs_are_the_same(name: str, data: st.DataObject) -> None:
    assert_same(name, data.draw(programs(name)))


def test_real_files_are_the_same() -> None:
    project = Path(__file__).parents[2]
    for path in sample(files_of_code([project / "python", project / "rust"]), 16):
        assert_same("rust" if path.suffix == ".rs" else "python", path.read_bytes())


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("python", b""),
        ("python", b"# only\n   "),
        ("python", b"(" * 3000 + b")" * 3000 + b"\n"),
        # A call with an error among its arguments.
        ("elixir", b"  def total(_, _, _),: 1]\n  def total(o), do: Order.total(o, Price, pad(1))\n"),
        # More gaps among more neighbours than it pays to look for.
        ("python", b"def f():\n    # note about it\n    return 1\n\n\n# import os\nimport os\n" * 400),
        ("c", b"void f(int a){" + b"if(a){" * 3000 + b"a=1;" + b"}" * 3000 + b"}\n"),
        ("python", b"def f():\r    x = 1\r\n\r\n\f\n    y = 2 \\\n  + 3\n"),
        (
            "python",
            b"\xff\xfe" + "class Größe:\n    # ä\n    def f(self):\n        return ٣x\n".encode("utf-16-le"),
        ),
        ("python", b"\xff\xfe# caf\xe9\n"),
        ("elixir", b"defmodule A do\n  def f(1), do: 1\n  def f(2), do: 2\n  # x\n  def g(x), do: x\nend\n" * 3),
        # Without a block, and with more arguments than the definition itself.
        ("elixir", b"def p,d\ndef q(x), d\ndef r(x) when x > 1, d\ndef a + b, d\ndef s when x, d\n"),
        # Deeper than definitions are told apart by name.
        (
            "elixir",
            b"defmodule A do\n" * 120
            + b"  def f(1), do: 1\n  def f(2), do: 2\n  # a comment between them\n  def f(3), do: 3\n"
            + b"end\n" * 120,
        ),
        # What follows a gap may go on with the statement before it, or stand where none may.
        (
            "javascript",
            b"function f(a, b) {\n  const first = a\n  // a comment that goes away with its line\n  return_all(b)\n"
            b"  ;(function () { return b })()\n  call(first, b)\n  [a, b].map(call)\n  `${a}`\n}\n" * 4,
        ),
        (
            "python",
            b'def f(value, other):\n    # a comment before the block, as it stands in many files\n    """Text."""\n'
            b"    match value:\n        case 1:\n            return 1\n        case [a, b] if other:\n"
            b"            print(a)\n            print(b)\n    if other:\n        value = 1\n    value = 2\n"
            b"    for a in value: print(a)\n    pass\n" * 4,
        ),
        (
            "c",
            b"int f(int a)\n{\n#if A\n    /* a comment that goes */\n    if (a)\n        return 1;\n"
            b"    else\n        return 2;\n"
            b"#endif\n    for (;;)\n        a++;\n"
            b"    switch (a) {\n    case 1:\n        a = 2;\n        break;\n    }\n}\n" * 4,
        ),
        # The parser keeps no state of what it read in two ways at once: lists and tuples that may be targets.
        (
            "python",
            b"def f(value, other):\n    if value:\n        first = [value]\n    else:\n"
            b"        second, third = value, other\n"
            b"    self.items, self.rest = [value, other], (other, value)\n    for item in value:\n        print(item)\n"
            b"        key = (item, other)\n    return value\n\n\n"
            b"def g(value):\n    print(value)\n    last = [value]\n\n\n" * 4,
        ),
        ("ruby", b"x = 1 <<~A\n  text\nA\ny = 1 << 2\nputs <<'B'\n b\nB\n"),
    ],
)
def test_unusual_texts_are_the_same(name: str, data: bytes) -> None:
    assert name in LANGUAGES
    assert_same(name, data)


def test_a_clause_inside_the_attribute_of_another_is_the_same() -> None:
    assert_same("elixir", b"defmodule A do\n  @ def f(a) do a end\n  def f(c), do: c\n  def g(x), do: x\nend\n")


# Lines that their grammars can read in two ways, each of them without an error.
AMBIGUOUS = {
    "c": (
        b"int f(void)\n{\n",
        [
            b"    TYPE *at = NULL;\n",
            b"    IO *in = NULL, *out = NULL;\n",
            b"    LIST(NAME) *list = NULL;\n",
            b"    LIST(NAME) * list;\n",
            b"    a * b;\n",
            b"    a = (b)(c);\n",
            b"    /* a comment that is long enough to be worth its mark */\n",
            b"    call(a, b)[c] = (d) * e;\n",
        ],
        b"    return list;\n}\n",
    ),
    "cpp": (
        b"int f()\n{\n",
        [
            b"    Type *at = nullptr;\n",
            b"    A<B> c(d);\n",
            b"    a < b > (c);\n",
            b"    LIST(NAME) *list = nullptr;\n",
            b"    auto x = a<b>(c) * d;\n",
            b"    T(a)(b);\n",
            b"    // a comment that is long enough to be worth its mark\n",
        ],
        b"    return list;\n}\n",
    ),
    "perl": (
        b"sub f {\n",
        [
            b"    my %a = %$p;\n",
            b"    print {$out} %$p, 1;\n",
            b"    return map { $_ => 1 } %$p if $a / $b / 2;\n",
            b"    my $x = time / 2; # / 3\n",
            b"    # a comment that is long enough to be worth its mark\n",
            b"    my $c = { %$p };\n",
        ],
        b"    1;\n}\n",
    ),
    "typescript": (
        b"function f() {\n",
        [
            b"  const a = <T>(b);\n",
            b"  a < b > (c);\n",
            b"  const g = async (x) => ({ x });\n",
            b"  let\n  y = async (z);\n",
            b"  // a comment that is long enough to be worth its mark\n",
            b"  type = declare\n",
        ],
        b"  return a\n}\n",
    ),
}


@pytest.mark.parametrize("name", sorted(AMBIGUOUS))
@relaxed
@given(data=st.data())
def test_ambiguous_lines_are_the_same(name: str, data: st.DataObject) -> None:
    opening, lines, ending = AMBIGUOUS[name]
    assert_same(name, opening + b"".join(data.draw(st.lists(st.sampled_from(lines), max_size=12))) + ending)
