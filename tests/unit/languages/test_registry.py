import shutil
from pathlib import Path

import pytest

from ctxsieve.errors import InputError
from ctxsieve.languages import LANGUAGES, LanguageKind, LanguageRegistry, language_of, parse


@pytest.mark.parametrize(
    ("path", "first_bytes", "expected"),
    [
        ("a/b.py", None, "python"),
        ("a/b.pyi", None, "python"),
        ("web/app.test.tsx", None, "tsx"),
        ("types.d.ts", None, "typescript"),
        ("x.h", None, "c"),
        ("x.h", b"#ifndef X\nint f(void);\n", "c"),
        ("x.h", b"// about\nnamespace a {\n", "cpp"),
        ("x.h", b"template <typename T>\nT f();\n", "cpp"),
        ("x.h", b"class Foo;\nclass Bar : public Foo\n{\n", "cpp"),
        ("x.h", b"/* this class of devices (see below) */\nstruct s { int class; };\n", "c"),
        ("x.c", b"namespace a {\n", "c"),
        ("X.HPP", None, "cpp"),
        ("bin/run", b"#!/usr/bin/env python3.11\n", "python"),
        ("bin/run", b"#!/usr/bin/env -S node --harmony\n", "javascript"),
        ("bin/run", b"plain words\n", None),
        ("bin/run", b"#!\n", None),
        ("Cargo.lock", None, "lockfile"),
        ("CMakeLists.txt", None, "cmake"),
        ("notes.txt", None, "text"),
        ("strange.zzz", None, None),
        (".", None, None),
        ("", None, None),
    ],
)
def test_language_is_recognised(path: str, first_bytes: bytes | None, expected: str | None) -> None:
    found = language_of(path, first_bytes)
    assert (found.name if found else None) == expected


def test_prose_and_data_are_never_code() -> None:
    for name in (
        "markdown",
        "restructuredtext",
        "json",
        "yaml",
        "toml",
        "xml",
        "html",
        "css",
        "sql",
        "csv",
        "notebook",
    ):
        assert LANGUAGES[name].kind is not LanguageKind.CODE


def test_every_code_language_has_a_grammar_queries_and_a_scan_table() -> None:
    for language in LANGUAGES.values():
        if language.kind is LanguageKind.CODE:
            assert language.grammar, language.name
            assert language.scan, language.name
            assert all(language.query(name) for name in ("definitions", "imports", "compress")), language.name


def test_comment_uses_the_languages_own_syntax() -> None:
    assert LANGUAGES["python"].comment("12-40 omitted") == "# 12-40 omitted"
    assert LANGUAGES["rust"].comment("x") == "// x"
    assert LANGUAGES["css"].comment("x */ y") == "/* x  y */"
    assert LANGUAGES["json"].comment("x") == "x"


def test_a_dialect_takes_the_queries_of_another_language() -> None:
    for name in ("definitions", "imports", "compress", "complexity"):
        assert LANGUAGES["tsx"].query(name) == LANGUAGES["typescript"].query(name)


def test_a_language_is_added_by_adding_files(tmp_path: Path) -> None:
    folder = tmp_path / "lisp"
    folder.mkdir()
    (folder / "language.toml").write_text(
        'name = "lisp"\nkind = "code"\ngrammar = "commonlisp"\nextensions = ["lisp"]\ncomments = { line = ";" }\n'
    )
    (folder / "definitions.scm").write_text(
        "(defun (defun_header function_name: (sym_lit) @name)) @definition.function\n(comment) @lead\n"
    )
    language = LanguageRegistry(tmp_path).language_of("a.lisp")
    assert language is not None
    parsed = parse(b"; adds\n(defun add (a b) (+ a b))\n", language)
    assert [(d.kind, d.name, d.first_line, d.last_line) for d in parsed.definitions] == [("function", "add", 1, 2)]
    assert language.comment("x") == "; x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "x/language.toml cannot be read"),
        ('name = "y"\nkind = "code"', "name is 'y': it must be the folder's name 'x'"),
        ('name = "x"\nkind = "poem"', "kind is 'poem': it must be one of code, prose, data"),
        ('name = "x"', "kind is None: it must be one of code, prose, data"),
        ('name = "x"\nkind = "code"\ncolour = 1', "has the unknown key 'colour'"),
        ('name = "x"\nkind = "code"\nextensions = "x"', "extensions is 'x': it must be a list of strings"),
        ('name = "x"\nkind = "code"\ngrammar = 3', "grammar is 3: it must be a string"),
        ('name = "x"\nkind = "code"\ncomments = { block = ["a"] }', "comments.block has 1 strings: it must have 2"),
        ('name = "x"\nkind = "code"\ncomments = { lines = "a" }', "comments has the unknown key 'lines'"),
        ('name = "x"\nkind = "code"\nqueries_of = "y"', "queries_of is 'y': it must be another language's name"),
        ('name = "x"\nkind = "code"\n[roles]\ntests = ["a"]', "roles has the unknown key 'tests'"),
        ('name = "x"\nkind = "code"\nscan = 1', "scan is 1: it must be a table"),
        ('name = "x"\nkind = "code"\nexport_rule = "loud"', "export_rule is 'loud': it must be one of captured"),
    ],
)
def test_bad_tables_name_the_value(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "language.toml").write_text(text)
    with pytest.raises(InputError) as error:
        LanguageRegistry(tmp_path)["x"]
    assert message in str(error.value)


def test_two_languages_may_not_claim_one_extension(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "language.toml").write_text(f'name = "{name}"\nkind = "data"\nextensions = ["q"]\n')
    with pytest.raises(InputError, match=r"y/language.toml: extensions has 'q', which x claims too"):
        LanguageRegistry(tmp_path).language_of("a.q")
    shutil.rmtree(tmp_path / "y")
    assert LanguageRegistry(tmp_path).language_of("a.q") is not None
