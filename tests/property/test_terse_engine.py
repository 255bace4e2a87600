"""The engine: the contract of docs/terse.md for output, on generated and on recorded texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve.terse import CompressionLevel, compress_output
from ctxsieve.terse.display import displayed_lines
from ctxsieve.terse.document import is_marker, omitted_range
from ctxsieve.terse.protect import is_error_line
from ctxsieve.tokens import count_tokens
from terse_inputs import COMMANDS, FIXTURES, outputs, read_fixture

LEVELS = list(CompressionLevel)


def check_contract(text, command):
    results = {level: compress_output(text, level=level, command=command) for level in LEVELS}
    assert results[CompressionLevel.OFF].text == text
    tokens = [results[level].tokens for level in LEVELS]
    assert tokens == sorted(tokens, reverse=True)
    for level, result in results.items():
        assert result.tokens == count_tokens(result.text)
        assert result.original_tokens == count_tokens(text)
        saved = result.savings
        assert saved.display_tokens + saved.pattern_tokens + saved.information_tokens == (
            result.original_tokens - result.tokens
        )
        if result.text != text:
            check_lines(text, result)
        again = compress_output(result.text, level=level, command=command)
        assert again.text == result.text


def check_lines(text, result):
    """Lines are the displayed ones in order; each gap is marked with the range that it hides, and nothing else."""
    shown = displayed_lines(text)
    position = 0
    markers = list(result.omitted)
    for line in result.text.split("\n"):
        if is_marker(line) and markers and omitted_range(line) == markers[0]:
            first, last = markers.pop(0)
            assert all(not shown[i] for i in range(position, first - 1)), "unmarked omission"
            position = last
            continue
        if not line:
            continue
        while position < len(shown) and not shown[position]:
            position += 1
        assert shown[position] == line
        position += 1
    assert not markers
    assert all(not line for line in shown[position:])
    left = set(result.text.split("\n"))
    assert all(line in left for line in shown if is_error_line(line) and not is_marker(line))


@settings(max_examples=150, deadline=None)
@given(outputs(), COMMANDS)
def test_contract_holds_for_generated_output(text, command):
    check_contract(text, command)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_contract_holds_for_recorded_output(path):
    command, output = read_fixture(path)
    check_contract(output, command)
    check_contract(output, None)


@given(st.text(max_size=200), st.sampled_from(LEVELS))
def test_any_text_is_accepted(text, level):
    result = compress_output(text, level=level)
    assert result.tokens <= result.original_tokens


def test_carriage_returns_leave_the_last_state():
    text = "".join(f"\rdownloading {i}% of the archive" for i in range(100)) + "\rdownloaded everything\nnext\n"
    assert compress_output(text, level=CompressionLevel.LITE).text == "downloaded everything\nnext\n"


def test_colours_are_not_shown():
    assert displayed_lines("\x1b[1;31merror\x1b[0m: \x1b]8;;http://x\x07here\x1b]8;;\x07") == ["error: here"]


def test_binary_comes_back_unchanged():
    data = "\x7fELF\x00\x01" * 1000
    assert compress_output(data, level=CompressionLevel.MAX).text == data


def test_crlf_text_keeps_its_lines():
    text = "first line here\r\nsecond line here\r\n"
    assert displayed_lines(text) == ["first line here", "second line here", ""]
