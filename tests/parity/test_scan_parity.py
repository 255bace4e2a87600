import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels.pure.scan_record import scan_record as scan_pure
from scan_inputs import CODE_TABLES, TABLES, sources_for

native = pytest.importorskip("ctxsieve._kernels._native")


@pytest.mark.parametrize(("number", "name"), CODE_TABLES, ids=[name for _, name in CODE_TABLES])
def test_twins_agree_on_sources_dense_in_openers(number: int, name: str) -> None:
    tables = [TABLES.compiled[number]]

    @settings(max_examples=40, deadline=None)
    @given(sources_for(number))
    def check(source: bytes) -> None:
        assert scan_pure(source, 0, tables) == native.scan_record(source, 0, tables)

    check()


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]),
    st.sampled_from([-2, -1, 0]),
)
def test_twins_agree_on_random_bytes(content: bytes, mark: bytes, language: int) -> None:
    tables = [TABLES.compiled[TABLES.names.index("python")]]
    assert scan_pure(mark + content, language, tables) == native.scan_record(mark + content, language, tables)


@given(st.text(max_size=60), st.sampled_from(["utf-16-le", "utf-16-be"]))
def test_twins_agree_on_utf16(text: str, encoding: str) -> None:
    content = ("\ufeff" + text).encode(encoding, "surrogatepass")
    assert scan_pure(content, -1, []) == native.scan_record(content, -1, [])


@pytest.mark.parametrize(
    "line",
    [
        b"#!/usr/bin/env python3\n",
        b"#!/usr/bin/python3.11 -u\n",
        b"#!/usr/bin/env -S A=1 node\n",
        b"#!\n",
        b"#! env\n",
        b"#!/bin/sh",
    ],
)
def test_twins_agree_on_interpreter_lines(line: bytes) -> None:
    tables = list(TABLES.compiled)
    assert scan_pure(line + b"x = 1\n", -2, tables) == native.scan_record(line + b"x = 1\n", -2, tables)


def test_twins_agree_on_long_and_minified_sources() -> None:
    number = TABLES.names.index("javascript")
    tables = [TABLES.compiled[number]]
    for source in (
        b"var a=function(b){return b};" * 20_000,
        b"a" * 100_000,
        b"(" * 50_000,
        b"{" * 50_000,
        b"`${" * 3_000,
    ):
        assert scan_pure(source, 0, tables) == native.scan_record(source, 0, tables)
