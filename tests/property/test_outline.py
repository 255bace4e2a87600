"""Outlines are read back as they were written: every definition with its kind, qualified name and lines."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ctxsieve.compress import SourceFile, is_minified, parse_outline, read_source, render_map, render_signatures
from ctxsieve.compress.notation import OutlineRow, write_rows
from ctxsieve.fragments import DefinitionKind, ImportStatement, LineRange
from ctxsieve.graph import scan_imports
from ctxsieve.languages import LANGUAGES, LanguageKind, language_of
from ctxsieve.tokens import count_tokens

FIXTURES = Path(__file__).parents[1] / "fixtures"
CODE = sorted(name for name, language in LANGUAGES.items() if language.kind is LanguageKind.CODE)
relaxed = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _samples(name: str) -> list[bytes]:
    paths = [*(FIXTURES / "definitions").glob(f"{name}.*"), *(FIXTURES / "projects" / name).rglob("*")]
    found = ((path, language_of(path.name)) for path in sorted(paths) if path.is_file())
    return [path.read_bytes() for path, language in found if language is not None and language.name == name]


SAMPLES = {name: b"\n".join(_samples(name)) for name in CODE}

Found = tuple[DefinitionKind, str, LineRange]


def definitions_of(source: SourceFile) -> list[Found]:
    return sorted(
        (found.kind, found.qualified_name, LineRange(found.first_line, found.last_line))
        for found in source.parsed.definitions
    )


def read_back(content: str, separator: str) -> list[Found]:
    return sorted((entry.kind, entry.qualified_name, entry.span) for entry in parse_outline(content, separator))


def check(name: str, data: bytes) -> None:
    language = LANGUAGES[name]
    source = read_source(f"sample.{name}", data, language)
    outlines = [
        render_map(source, scan_imports(source.data, language)),
        render_signatures(source),
        render_signatures(source, is_aligned=True),
    ]
    for rendering in outlines:
        assert read_back(rendering.content, language.separator) == definitions_of(source), rendering.mode
        assert rendering.shown == ()


@pytest.mark.parametrize("name", CODE)
def test_outlines_of_fixtures_hold_every_definition(name: str) -> None:
    for data in [*_samples(name), SAMPLES[name]]:
        check(name, data)


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_outlines_of_broken_sources_hold_every_definition(name: str, data: st.DataObject) -> None:
    sample = SAMPLES[name]
    start = data.draw(st.integers(0, len(sample)))
    end = data.draw(st.integers(start, min(len(sample), start + 600)))
    noise = data.draw(
        st.sampled_from([b"", b"{", b"}", b'"', b"(", b"\n", b"/*", b"\r\n", b"\xc3\xa9", b": 3", b"1-2"])
    )
    check(name, sample[:start] + noise + sample[end:])


names = st.one_of(
    st.sampled_from(
        ["first", "second", "operator==", "[T]", "a b", "class", "3", "4-5", 'say "so"', "T.go", "a: b", "~x"]
    ),
    st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), min_size=1, max_size=6),
)
texts = st.one_of(
    st.just(""),
    st.sampled_from(
        [
            "def first(self)",
            "int first",
            "class first(a)",
            "imports: first",
            "fields first",
            "field first: int x 3",
            "first",
        ]
    ),
    st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), min_size=1, max_size=20),
)


@st.composite
def outlines(draw: st.DrawFn) -> list[OutlineRow]:
    rows: list[OutlineRow] = []
    for _ in range(draw(st.integers(0, 12))):
        depth = draw(st.integers(0, rows[-1].depth + 1 if rows else 0))
        first = draw(st.integers(1, 6))
        span = LineRange(first, first + draw(st.integers(0, 3)))
        kind = draw(st.sampled_from(list(DefinitionKind)))
        rows.append(OutlineRow(depth, kind, draw(names), span, draw(texts)))
    return rows


def qualified(rows: list[OutlineRow], separator: str) -> list[Found]:
    scope: list[str] = []
    found: list[Found] = []
    for row in rows:
        del scope[row.depth :]
        scope.append(row.name)
        found.append((row.kind, separator.join(scope), row.span))
    return found


@settings(max_examples=400, deadline=None)
@given(rows=outlines(), separator=st.sampled_from([".", "::"]))
def test_any_rows_are_read_back(rows: list[OutlineRow], separator: str) -> None:
    for is_aligned in (False, True):
        content = "\n".join(write_rows(rows, separator, is_aligned=is_aligned)) + "\n"
        entries = [(entry.kind, entry.qualified_name, entry.span) for entry in parse_outline(content, separator)]
        assert entries == qualified(rows, separator)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=120))
def test_reading_any_text_as_an_outline_ends(text: str) -> None:
    for entry in parse_outline(text, "."):
        assert entry.span.first >= 0


def source_of(name: str, text: str) -> SourceFile:
    return read_source(f"sample.{name}", text.encode(), LANGUAGES[name])


def test_values_on_lines_of_their_own_share_one_span() -> None:
    source = source_of("c", "struct point {\n  int x;\n  int y;\n  int z, w;\n};\n")
    assert render_map(source).content == "exports: all\nstruct point 1-5\n fields x y 2-3 z w 4\n"


def test_a_name_without_line_of_its_own_keeps_its_span() -> None:
    rows = [OutlineRow(0, DefinitionKind.FIELD, name, LineRange(first, last)) for name, first, last in FIELDS]
    assert write_rows(rows, ".") == ["fields a 1-2 b 1-2 c d e 3-5"]


FIELDS = [("a", 1, 2), ("b", 1, 2), ("c", 3, 3), ("d", 4, 4), ("e", 5, 5)]


@pytest.mark.parametrize(
    ("name", "code", "imports"),
    [
        (
            "go",
            'package billing\n\nimport (\n\t"fmt"\n\tm "os" // x\n\t_ `embed`\n)\nimport "io"\n',
            "fmt; m os; _ embed; io",
        ),
        ("go", 'package billing\nimport z "net/http"\n', "z net/http"),
        ("java", "package org.app;\nimport org.shop.Line;\nclass A {}\n", "org.shop.Line"),
        ("kotlin", "package org.app\nimport org.shop.Line\nclass A\n", "org.shop.Line"),
        ("scala", "package org.app\nimport org.shop.Line\nclass A\n", "org.shop.Line"),
        ("csharp", "using System;\nnamespace App.Billing;\nclass A {}\n", "System"),
        ("csharp", "using System;\nnamespace App.Billing { class A {} }\n", "System"),
        ("php", "<?php\nnamespace App\\Http;\nuse Shop\\Line;\nclass A {}\n", "Shop\\Line"),
        ("perl", "package Shop;\nuse strict;\nsub f { 1 }\n", "strict"),
        ("haskell", "module Inst where\nimport Data.Map\nf :: Int\nf = 1\n", "Data.Map"),
        ("elixir", "defmodule Shop do\n  alias Shop.Order\nend\ndefprotocol Size do\nend\n", "alias Shop.Order"),
        ("swift", "package import Shop\nfunc f() {}\n", "Shop"),
        ("python", "import package\nimport module\n", "package; module"),
    ],
)
def test_the_own_package_is_no_import(name: str, code: str, imports: str) -> None:
    language = LANGUAGES[name]
    source = source_of(name, code)
    assert render_map(source, scan_imports(source.data, language)).content.split("\n")[0] == f"imports: {imports}"


@pytest.mark.parametrize("code", ["package billing\n\nfunc f() {}\n", "package billing\nimport ()\nfunc f() {}\n"])
def test_a_file_that_only_names_its_package_imports_nothing(code: str) -> None:
    source = source_of("go", code)
    content = render_map(source, scan_imports(source.data, LANGUAGES["go"])).content
    assert content == f"exports: none\nfunction f {code.count(chr(10))}\n"


def test_a_map_names_imports_and_what_is_exported() -> None:
    code = "import os\nfrom pathlib import (\n    Path,\n)\n\n\ndef load():\n    pass\n\n\ndef _check():\n    pass\n"
    source = source_of("python", code)
    imports = [ImportStatement("import os", 1), ImportStatement("from pathlib import (\n    Path,\n)", 2)]
    content = render_map(source, imports).content
    assert content.split("\n")[0] == "imports: os; pathlib import ( Path, )"
    assert content.split("\n")[1:] == ["exports: load", "functions load 7-8 _check 11-12", ""]


def test_imports_of_one_file_are_those_of_its_index(tmp_path: Path) -> None:
    from ctxsieve.graph import load_or_build

    root = tmp_path / "tree"
    root.mkdir()
    for name in CODE:
        extension = LANGUAGES[name].extensions[0]
        (root / f"sample.{extension}").write_bytes(SAMPLES[name])
    index = load_or_build(root, cache_directory=tmp_path / "cache").index
    for document, path in enumerate(index.paths):
        language = LANGUAGES[str(index.languages[document])]
        assert list(scan_imports((root / path).read_bytes(), language)) == list(index.imports(document)), path


def test_aligned_declarations_cost_less_and_read_the_same() -> None:
    code = "def load(path: Path, *, size: int = 3, names: list[str] | None = None) -> bytes:\n    return b''\n"
    source = source_of("python", code)
    plain, aligned = render_signatures(source).content, render_signatures(source, is_aligned=True).content
    assert count_tokens(aligned) < count_tokens(plain)
    assert "".join(aligned.split()) == "".join(plain.split())


def test_a_declaration_with_a_literal_stays() -> None:
    code = "def load(path: str = 'a = b', size: int = 3) -> int:\n    return 1\n"
    source = source_of("python", code)
    assert render_signatures(source, is_aligned=True).content == render_signatures(source).content


def test_signatures_show_what_is_offered_and_name_the_rest() -> None:
    code = (
        "pub struct Queue { len: usize }\n\n"
        "impl Queue {\n    pub fn new(capacity: usize) -> Self {\n        build(capacity)\n    }\n\n"
        "    fn grow(&mut self, by: usize) {\n        self.len += by\n    }\n}\n\n"
        "impl Drop for Queue {\n    fn drop(&mut self) {\n        self.free()\n    }\n}\n"
    )
    content = render_signatures(source_of("rust", code)).content
    assert "pub fn new(capacity: usize) -> Self 4-6" in content
    assert "method grow 8-10" in content
    assert "impl Drop for Queue 13-17" in content
    assert "fn drop" not in content
    assert count_tokens(content) < count_tokens(code)


MINIFIED = st.lists(
    st.sampled_from(
        [
            "function a(b,c){return b+c}",
            "export function load(e){var t=e;return t}",
            "class k{constructor(){this.x=1}n(){return 2}}",
            'import{q as r}from"./s.js";',
            "var d=1,e={f(){return 3},g(){return 4}};",
            "export class Store{get(e){return e}}",
        ]
    ),
    min_size=1,
    max_size=30,
)


@relaxed
@given(parts=MINIFIED, lines=st.integers(1, 3))
def test_the_outline_of_a_minified_file_is_short_and_says_why(parts: list[str], lines: int) -> None:
    code = (";".join(parts) + ";") * (8192 // len(";".join(parts)) + 1)
    source = read_source("app.min.js", "\n".join([code] * lines).encode(), LANGUAGES["javascript"])
    definitions = definitions_of(source)
    imports = scan_imports(source.data, source.language)
    for rendering in (render_map(source, imports), render_signatures(source)):
        assert rendering.content
        assert rendering.tokens < 1200
        shown = read_back(rendering.content, ".")
        assert set(shown) <= set(definitions)
        if rendering.reason or not 0 < len(definitions) <= 50:
            assert rendering.reason.startswith(f"minified: {len(definitions) - len(shown)} of {len(definitions)} ")
        else:
            assert len(shown) == len(definitions)


def test_one_long_line_hides_no_definition_of_a_short_file() -> None:
    code = "pub fn offered() {}\nfn inner() {}\nstruct Held;\n"
    short = read_source("a.rs", f"{code}// a\n".encode(), LANGUAGES["rust"])
    long = read_source("a.rs", f"{code}//{' a' * 4000}\n".encode(), LANGUAGES["rust"])
    assert is_minified(long)
    for render in (render_map, render_signatures):
        assert (render(long).content, render(long).reason) == (render(short).content, render(short).reason)


def test_long_lines_alone_make_no_file_minified() -> None:
    text = "const TABLE = [" + "1, " * 2000 + "];\n" + "function one() {\n  return 1;\n}\n" * 100
    source = read_source("app.js", text.encode(), LANGUAGES["javascript"])
    assert not render_map(source).reason
    assert len(read_back(render_map(source).content, ".")) == 101


PARAMETERS = st.sampled_from(["", "<T>", "<'a, T: Clone + 'a>", "<F: Fn(i32) -> Vec<u8>>", "<const N: usize>"])
TRAITS = st.sampled_from(
    ["Display", "fmt::Display", "Iterator", "From<Vec<u8>>", "FnOnce(i32)", "!Send", "!marker::Send", "::fmt::Debug"]
)
TYPES = st.sampled_from(
    [
        *("Point", "Point<T>", "&'a Point", "shapes::Point", "&shapes::Point<T>", "Point<[u8; 4]>", "&&Point"),
        *("[Point]", "&'a [Point]", "&'a mut [Point]", "[Point; 4]", "&mut [Point; N]", "&'static (u8, Point)"),
        *("dyn Point", "dyn Point + Send", "dyn Point + Send + 'static", "&dyn Point", "Box<dyn Point + Send>"),
        *("for<'b> fn(&'b Point)", "dyn for<'b> Fn(&'b u8) -> Point", "<Point as Shape>::Side", "*const Point"),
    ]
)
WHERE = st.sampled_from(["", " where T: Clone", "\nwhere\n    for<'b> T: From<&'b str>,\n"])


@given(PARAMETERS, TRAITS, TYPES, WHERE, st.sampled_from(["", "unsafe ", "#[cfg(test)]\n"]))
def test_rows_of_implementations_name_the_trait(
    parameters: str, trait: str, owner: str, where: str, before: str
) -> None:
    # The grammar reads no such type behind a trait in parentheses, which only the standard library implements.
    assume(not (trait.endswith(")") and owner.startswith(("&&", "for<", "<"))))
    text = f"{before}impl{parameters} {trait} for {owner}{where} {{\n    fn run(&self) {{}}\n}}\nimpl Point {{\n}}\n"
    source = read_source("a.rs", text.encode(), LANGUAGES["rust"])
    for rendering in (render_map(source), render_signatures(source)):
        name = re.sub(r"^!?(?:\w*::)*", "", trait)
        held = rf"\b{re.escape(name)} for [^\n]*{'Box' if owner.startswith('Box') else 'Point'}[^\n]*\n method run"
        assert re.search(held, rendering.content)
        assert "for for" not in rendering.content.replace("for for<", "")
        assert ("!" in rendering.content) == trait.startswith("!")
        assert read_back(rendering.content, "::") == definitions_of(source)


@given(st.sampled_from(["dyn Point + Send", "&'a [Point]", "&mut [Point; 4]", "&(dyn Point + 'static)"]), st.booleans())
def test_implementations_for_types_without_a_name_hold_their_members(owner: str, has_trait: bool) -> None:
    text = (
        f"impl {'Draw for ' if has_trait else ''}{owner} {{\n    fn run(&self) {{}}\n}}\nimpl Show for {owner} {{}}\n"
    )
    source = read_source("a.rs", text.encode(), LANGUAGES["rust"])
    block, member, empty = source.parsed.definitions
    assert [block.kind, member.kind, empty.kind] == ["implementation", "method", "implementation"]
    assert (block.parent, member.parent, empty.parent) == (None, 0, None)
    assert re.search(r"impl Show for \S*[^\n]*Point[^\n]* 4\n", render_map(source).content)


@pytest.mark.parametrize(
    ("name", "code", "row"),
    [
        ("elixir", "defimpl Enumerable, for: MyList do\n  def count(x), do: 1\nend\n", "Enumerable: for MyList 1-3"),
        ("elixir", "defimpl Size, for: [Map, List] do\n  def size(x), do: 1\nend\n", "Size: for [Map, List] 1-3"),
        ("haskell", "instance Shape Square where\n  area x = 1\n", "Shape: for Square 1-2"),
        ("haskell", "instance Shape a => G.Shape [a] where\n  area x = 1\n", "G.Shape: for [a] 1-2"),
        ("haskell", "instance {-# OVERLAPPING #-} Shape Int\n", "Shape: for Int 1"),
        ("haskell", "instance Empty\n", "Empty 1"),
        ("swift", "extension Int: Area {\n}\n", "Int: Area 1-2"),
        ("swift", "public extension Shop.Cart: A, B where T: C {\n}\n", "Shop.Cart: A, B 1-2"),
        ("swift", "extension Array where Element: Area {\n}\n", "Array 1-2"),
        ("swift", "extension [String: Int]: Area {\n}\n", '"[String: Int]": Area 1-2'),
        ("swift", "extension [String: Int] {\n}\n", '"[String: Int]" 1-2'),
        ("swift", "extension A: A {\n}\n", "A 1-2"),
    ],
)
def test_a_map_names_both_sides_of_an_implementation(name: str, code: str, row: str) -> None:
    source = source_of(name, code)
    content = render_map(source).content
    assert content.split("\n")[1] == f"implementation {row}"
    assert read_back(content, source.language.separator if source.language else ".") == definitions_of(source)


def test_other_languages_keep_their_own_words_for_implementations() -> None:
    text = "defimpl String.Chars, for: Point do\n  def to_string(point), do: point.name\nend\n"
    source = read_source("a.ex", text.encode(), LANGUAGES["elixir"])
    assert "impl " not in render_map(source).content
    assert "defimpl String.Chars, for: Point 1-3" in render_signatures(source).content
