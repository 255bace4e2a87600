import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve.errors import InputError
from ctxsieve.tokens import count_lines, count_tokens, decode, encode, truncate_at_line


def test_ids_are_those_of_o200k_base() -> None:
    assert encode("hello world") == [24912, 2375]
    assert encode("") == []


def test_special_tokens_are_ordinary_text() -> None:
    assert encode("<|endoftext|>") == [27, 91, 419, 1440, 919, 91, 29]


@settings(deadline=None)
@given(st.text())
def test_decode_returns_what_was_encoded(text: str) -> None:
    assert decode(encode(text)) == text.encode()
    assert count_tokens(text) == len(encode(text))


@settings(deadline=None)
@given(st.binary())
def test_bytes_that_are_not_utf8_count_as_replacement_characters(data: bytes) -> None:
    assert encode(data) == encode(data.decode("utf-8", "replace"))


def test_lone_surrogates_count_as_replacement_characters() -> None:
    assert encode("a\ud800b") == encode("a\ufffdb")


@settings(deadline=None)
@given(st.text(alphabet="a (=\t\r\n 1é"))
def test_lines_are_counted_without_their_line_breaks(text: str) -> None:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    assert count_lines(text).tolist() == [count_tokens(line.removesuffix("\r")) for line in lines]


def test_ids_outside_the_vocabulary_are_refused() -> None:
    with pytest.raises(InputError, match="token 1 is 199998: ids go from 0 to 199997"):
        decode([0, 199998])
    with pytest.raises(InputError, match="token 0 is -1: ids go from 0 to 199997"):
        decode([-1])


@settings(deadline=None)
@given(st.text(alphabet="ab \n;("), st.integers(0, 20))
def test_truncation_keeps_whole_lines_within_the_budget(text: str, budget_tokens: int) -> None:
    kept = truncate_at_line(text, budget_tokens)
    assert text.startswith(kept)
    assert count_tokens(kept) <= budget_tokens
    if kept != text:
        assert kept == "" or kept.endswith("\n")
        following = text[: text.find("\n", len(kept)) + 1 or None]
        assert count_tokens(following) > budget_tokens


def test_negative_budget_is_refused() -> None:
    with pytest.raises(InputError, match="budget is -1 tokens: it must be 0 or more"):
        truncate_at_line("a", -1)
