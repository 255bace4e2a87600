"""From bytes to text: what is lost is said, nothing is guessed."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.compress.decoding import decode_text, is_binary
from integration.command import ctxsieve

CODINGS = ("iso8859-1", "iso8859-15", "cp1252", "koi8-r", "shift_jis", "gb18030")


@given(st.one_of(st.binary(max_size=200), st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace"))))
def test_text_is_lossless_exactly_where_it_gives_the_bytes_back(data: bytes) -> None:
    decoded = decode_text(data, "a.py")
    assert decoded.lossless == (decoded.text.encode() == data)
    assert decoded.lossless == (not decoded.note)


@given(st.binary(max_size=100), st.text(st.characters(codec="utf-8"), max_size=20))
def test_every_place_that_was_replaced_is_counted(data: bytes, text: str) -> None:
    whole = b"\xff" + data + "\ufffd".encode() + text.encode() + b"\xff"
    decoded = decode_text(whole, "a.c") if not whole.startswith(b"\xff\xfe") else None
    if decoded is not None:
        added = decoded.text.count("\ufffd") - whole.decode("utf-8", "ignore").count("\ufffd")
        assert f"is lost, {added} times" in decoded.note


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("line", ["# -*- coding: {} -*-", "#!/bin/x\n# vim: set fileencoding={} :", "/* coding={} */"])
@given(data=st.data())
def test_a_declared_encoding_is_used_where_the_bytes_are_not_utf8(coding: str, line: str, data: st.DataObject) -> None:
    # Two characters that Shift JIS writes as others.
    characters = st.characters(codec=coding, min_codepoint=0x80, exclude_characters="\u00a5\u203e")
    words = data.draw(st.text(characters, min_size=1, max_size=20))
    text = f"{line.format(coding)}\n{words}\n"
    content = text.encode(coding)
    decoded = decode_text(content, "a.py")
    if _is_utf8(content):
        assert decoded.encoding == "utf-8"
    else:
        assert (decoded.text, decoded.encoding, decoded.lossless) == (text, coding, False)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize(
    "content",
    [
        b"caf\xe9\n",
        b'open(name, encoding="latin-1")\ncaf\xe9\n',
        b"\n\n# coding: latin-1\ncaf\xe9\n",
        b"# coding: unicode_escape\n\\x41 caf\xe9\n",
        b"# coding: rot13\ncaf\xe9\n",
        b"# coding: cp037\ncaf\xe9\n",
        b"# coding: no-such-thing\ncaf\xe9\n",
        b"# coding: " + b"latin-1" * 100_000 + b"\ncaf\xe9\n",
        b"# coding: utf-8\ncaf\xe9\n",
        b"# coding: cp1252\n\x81\xe9\n",
    ],
)
def test_nothing_is_guessed_without_a_declaration_that_fits(content: bytes) -> None:
    decoded = decode_text(content, "a.py")
    assert (decoded.text, decoded.encoding) == (content.decode("utf-8", "replace"), "utf-8")
    assert decoded.note.startswith("not valid UTF-8")


@pytest.mark.parametrize(
    ("path", "content", "encoding"),
    [
        ("a.xml", b'<?xml version="1.0" encoding="ISO-8859-15"?>\n<a>\xa4</a>', "iso8859-15"),
        ("a.html", b'<html><META charset="iso-8859-1">\x93', "cp1252"),
        ("a.el", b";; -*- coding: iso-8859-1-unix; mode: lisp -*-\ncaf\xe9", "iso8859-1"),
        ("a.css", b'@charset "koi8-r"; a { content: "\xc1" }', "koi8-r"),
        ("a.properties", b"a=caf\xe9", "iso8859-1"),
    ],
)
def test_kinds_of_files_declare_their_encoding_in_their_own_way(path: str, content: bytes, encoding: str) -> None:
    decoded = decode_text(content, path)
    assert (decoded.text, decoded.encoding) == (content.decode(encoding), encoding)


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be"])
@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40))
def test_utf_32_is_text_in_either_order(encoding: str, text: str) -> None:
    content = ("\ufeff" + text).encode(encoding)
    decoded = decode_text(content, "a.py")
    assert (decoded.text, decoded.encoding, decoded.note) == (text, "utf-32", "decoded from utf-32")
    assert not is_binary(content)


@pytest.mark.parametrize("content", [b"\xff\xfe\0\0abc", b"\xff\xfe\0\0a\0\0\0\0\0\0\0", b"\0\0\xfe\xffabcdefgh"])
def test_what_only_begins_like_utf_32_is_binary(content: bytes) -> None:
    assert is_binary(content)


FILES = {
    "latin.py": (
        b"def parse_header():\n    return 'caf\xe9'\n",
        "not valid UTF-8: \ufffd stands for what is lost, 1 time",
    ),
    "declared.py": (
        b"# coding: latin-1\ndef parse_header():\n    return 'caf\xe9'\n",
        "decoded from iso8859-1, as line 1 says",
    ),
    "wide.py": ("def parse_header():\n    return 'é'\n".encode("utf-16"), "decoded from utf-16"),
    "marked.py": (b"\xef\xbb\xbfdef parse_header(): return 1\n", "without its byte-order mark"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for name, (content, _) in FILES.items():
        (root / name).write_bytes(content)
    return root


@pytest.mark.parametrize("style", ["text", "markdown", "xml"])
def test_headers_say_what_the_text_lacks(project: Path, tmp_path: Path, style: str) -> None:
    home = tmp_path / "home"
    for command in (
        ("read", *FILES),
        ("read", *FILES, "--mode", "aggressive"),
        ("preload", "fix parse_header", "--budget", "2000"),
    ):
        text = ctxsieve(*command, "--path", project, "--format", style, home=home).stdout.decode()
        headers = [line for line in text.splitlines() if line.startswith(("===", "## ", "<file "))]
        assert len(headers) == len(FILES), text
        for name, (_, note) in FILES.items():
            assert any(name in header and note in header for header in headers), (name, headers)


def test_json_says_what_the_text_lacks(project: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    read = json.loads(ctxsieve("read", *FILES, "--path", project, "--format", "json", home=home).stdout)
    loaded = ctxsieve("preload", "fix parse_header", "--path", project, "--format", "json", home=home).stdout
    for files in (read, json.loads(loaded)["files"]):
        assert {file["path"]: (file["lossless"], file["note"]) for file in files} == {
            name: (False, note) for name, (_, note) in FILES.items()
        }


def test_utf_32_is_read(project: Path, tmp_path: Path) -> None:
    (project / "wider.py").write_bytes("return 'é'\n".encode("utf-32"))
    said = ctxsieve("read", "wider.py", "--path", project, home=tmp_path / "home").stdout.decode()
    assert "decoded from utf-32" in said.splitlines()[0]
    assert said.splitlines()[1] == "return 'é'"


def test_raw_text_without_a_header_says_it_on_standard_error(project: Path, tmp_path: Path) -> None:
    done = ctxsieve("read", "latin.py", "--mode", "raw", "--path", project, home=tmp_path / "home")
    assert done.stdout.decode() == FILES["latin.py"][0].decode("utf-8", "replace")
    assert FILES["latin.py"][1] in done.stderr.decode()
