"""Layer 1 alone: what the contract promises for line information, on any lines."""

from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.terse.display import displayed_lines
from ctxsieve.terse.information import uninformative_lines
from ctxsieve.terse.levels import CompressionLevel
from ctxsieve.terse.protect import is_error_line, protected_words
from terse_inputs import outputs

LEVELS = list(CompressionLevel)


def judged_lines(text):
    return [line for line in displayed_lines(text) if line]


def kept(lines, level):
    dropped = uninformative_lines(lines, level)
    return [line for position, line in enumerate(lines) if position not in dropped]


@given(outputs())
def test_off_leaves_everything(text):
    lines = judged_lines(text)
    assert kept(lines, CompressionLevel.OFF) == lines


@given(outputs(), st.sampled_from(LEVELS))
def test_every_error_line_survives(text, level):
    lines = judged_lines(text)
    left = set(kept(lines, level))
    assert all(line in left for line in lines if is_error_line(line))


@given(outputs(), st.sampled_from(LEVELS))
def test_every_path_quantity_and_identifier_survives(text, level):
    lines = judged_lines(text)
    left = frozenset().union(*(protected_words(line) for line in kept(lines, level)))
    assert all(protected_words(line) <= left for line in lines)


@given(outputs(), st.sampled_from(LEVELS))
def test_judging_what_is_left_drops_nothing_more(text, level):
    once = kept(judged_lines(text), level)
    if len(once) >= 3:
        assert kept(once, level) == once


@given(outputs())
def test_a_higher_level_drops_at_least_as_many_lines(text):
    lines = judged_lines(text)
    counts = [len(kept(lines, level)) for level in LEVELS]
    assert counts == sorted(counts, reverse=True)


def test_code_and_data_are_left_alone():
    code = ["def f(x):", "    return x", "def g(x):", "    return x", "def h(x):", "    return x"]
    data = ['{"a": [', '"x": 1,', "},", "{", '"x": 1,', "}", "]"]
    for lines in (code, data):
        assert kept(lines, CompressionLevel.MAX) == lines


def test_repeated_text_goes_and_new_text_stays():
    lines = ["Connecting to the broker", "Waiting for the broker", "Connecting to the broker", "Broker answered hello"]
    assert kept(lines, CompressionLevel.STANDARD) == [lines[0], lines[1], lines[3]]
    assert kept(lines, CompressionLevel.LITE) == lines


def test_times_are_nothing_new():
    lines = [f"2024-05-01T10:00:{i:02d}Z heartbeat sent by the worker" for i in range(5)]
    assert kept(lines, CompressionLevel.STANDARD) == lines[:1]


def test_no_errors_is_no_error():
    assert not is_error_line("Found 0 errors in 12 files")
    assert not is_error_line("finished without errors")
    assert is_error_line("Found 0 warnings and 2 errors")
    assert not is_error_line("Compiling thiserror v1.0.50")
