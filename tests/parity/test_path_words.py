"""Words in paths and look-ups among texts: the native core and its twin give the same bytes."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ctxsieve._kernels.pure import path_words, texts

native = pytest.importorskip("ctxsieve._kernels._native")

NAMES = st.text(alphabet="aBcDE1 2_.-é\ud800{", max_size=8)
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), max_size=6)
WORDS = st.lists(st.text(alphabet="abcde12é", min_size=1, max_size=5), unique=True, max_size=40)
LONG = "x" * 70


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@given(PATHS, WORDS)
@example(["src/HTTPServer2.tar.gz", "a/.env", f"{LONG}/{LONG}a.b"], ["http", "server", "httpserver", "env", LONG[:64]])
@example(["123", "ab12/c", "aB.", "..", "a//b"], ["1", "ab", "c", "a", "b"])
@example([], ["a"])
def test_words_in_paths(paths: list[str], words: list[str]) -> None:
    joined = b"".join(encoded(path) + b"\0" for path in paths)
    wanted = [encoded(word) for word in words]
    found = native.find_path_words(joined, wanted)
    expected = path_words.find_path_words(joined, wanted)
    assert [(column.dtype, column.tolist()) for column in found] == [
        (column.dtype, column.tolist()) for column in expected
    ]


@given(st.lists(st.binary(max_size=3), unique=True), st.lists(st.binary(max_size=3)))
def test_positions_among_texts(found: list[bytes], queries: list[bytes]) -> None:
    ordered = sorted(found)
    offsets = np.cumsum([0, *map(len, ordered)], dtype=np.uint32)
    blob = np.frombuffer(b"".join(ordered), dtype=np.uint8)
    expected = [ordered.index(query) if query in ordered else -1 for query in queries]
    assert native.find_texts(offsets, blob, queries).tolist() == expected
    assert texts.find_texts(offsets, blob, queries).tolist() == expected
