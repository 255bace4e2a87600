"""Native tokens are tiktoken's: on adversarial strings, on generated ones, and on every character."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels.pure import tokens as pure
from strategies.backends import native

ADVERSARIAL = [
    *("", "don't", "DON'T", "x'ſy", "b'data'", "it's's", "'re", "a'LL", "'S", "'s", "A'ſ", "'ſ"),
    *("\u0301a", "a\u0301b", " \u0301", "!\u0301x", "中A ", "中A", "Aa中Bb", "ǅa", "aǅ", "ʰA", "ªb", "ẞß'S", "İi"),
    *(" \t x", "  1", " 1", "\r\n\r\n x", "a\n\n  b", "//\n//", "x//\r\n/y", "\u00a0x", "\u3000\u3000x", "\x85a"),
    *("١٢٣٤٥", "½¼a", "<|endoftext|>", "\x1c\x1da", "a\u200db", "\ufeffx", "\x00\x00a", "한국어 텍스트"),
    *(" " * 1000 + "x", " " * 100, "a" * 5000, "A" * 3000 + "b", "-" * 3000, "😀" * 100, "1234" * 100),
]
TRICKY = st.sampled_from(
    [*"aAbBzZ019 \t\r\n/'(._sStTrReEvVlLdDmM", "ſ", "\u0301", "中", "ǅ", "\u00a0", "½", "\u2028", "é"]
)
TEXTS = st.one_of(st.text(), st.lists(TRICKY, max_size=60).map("".join))


@pytest.mark.parametrize("text", ADVERSARIAL, ids=lambda text: ascii(text[:12]))
def test_adversarial_strings_have_the_same_ids(text: str) -> None:
    assert native.encode_tokens(text.encode()).tobytes() == pure.encode_tokens(text.encode()).tobytes()


@settings(deadline=None)
@given(TEXTS)
def test_generated_strings_have_the_same_ids(text: str) -> None:
    assert native.encode_tokens(text.encode()).tobytes() == pure.encode_tokens(text.encode()).tobytes()


@settings(deadline=None)
@given(st.one_of(st.binary(), TEXTS.map(str.encode)))
def test_counts_are_the_same_for_any_bytes(data: bytes) -> None:
    assert native.count_tokens(data) == pure.count_tokens(data)
    ours, theirs = native.count_lines(data), pure.count_lines(data)
    assert (ours.dtype, ours.tobytes()) == (theirs.dtype, theirs.tobytes())


@pytest.mark.parametrize(("before", "after"), [("", ""), ("a", "A"), ("A", " "), (" ", "b"), ("!", "'s")])
def test_every_character_has_its_class(before: str, after: str) -> None:
    points = [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
    for start in range(0, len(points), 10_000):
        data = "".join(before + point + after for point in points[start : start + 10_000]).encode()
        assert np.array_equal(native.encode_tokens(data), pure.encode_tokens(data)), hex(ord(points[start]))


def test_own_sources_have_the_same_ids() -> None:
    for path in sorted(Path(__file__).parents[2].glob("python/ctxsieve/**/*.py")):
        data = path.read_bytes()
        assert native.encode_tokens(data).tolist() == pure.encode_tokens(data).tolist(), path


@pytest.mark.parametrize("ids", [[199_998], [0, -1], [2**40]])
def test_bad_ids_raise_the_same_text(ids: list[int]) -> None:
    with pytest.raises(ValueError, match="ids go from 0") as ours:
        native.decode_tokens(ids)
    with pytest.raises(ValueError, match="ids go from 0") as theirs:
        pure.decode_tokens(ids)
    assert str(ours.value) == str(theirs.value)
