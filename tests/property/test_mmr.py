import keyword
import random
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import mmr, mmr_in_order
from strategies.lines import LINES, naive_mmr, naive_mmr_in_order, to_buffer

KEPT, SUPPRESSED, EXEMPT, UNREACHED = range(4)
RELEVANCE = st.sampled_from([0.0, 0.4, 0.4, 0.7, 1.0]) | st.floats(0.0, 1.0)


def run(lines: list[str], relevance: list[float], lambda_: float, max_selected: int) -> tuple[list, list, list]:
    found = mmr(
        *to_buffer(lines),
        relevance=numpy.array(relevance, dtype=numpy.float64),
        lambda_=lambda_,
        max_selected=max_selected,
    )
    return tuple(part.tolist() for part in found)


@settings(max_examples=200, deadline=None)
@given(
    lines=LINES,
    data=st.data(),
    lambda_=st.sampled_from([0.0, 0.3, 0.7, 0.7, 1.0]),
    max_selected=st.sampled_from([0, 3, 1000]),
)
def test_equals_the_naive_definition(lines: list[str], data: st.DataObject, lambda_: float, max_selected: int) -> None:
    relevance = data.draw(st.lists(RELEVANCE, min_size=len(lines), max_size=len(lines)))
    assert run(lines, relevance, lambda_, max_selected) == naive_mmr(lines, relevance, lambda_, max_selected)


def test_equals_the_naive_definition_on_real_lines() -> None:
    source = Path(keyword.__file__).with_name("argparse.py").read_text(encoding="utf-8")
    lines = [" ".join(line.split()) for line in source.splitlines()][:500]
    relevance = [0.4 + 0.6 * (line.count("self") > 1) for line in lines]
    assert run(lines, relevance, 0.7, 10**6) == naive_mmr(lines, relevance, 0.7, 10**6)


@pytest.mark.parametrize("characters", [12, 3000])
def test_equals_the_naive_definition_with_few_and_with_many_bigrams(characters: int) -> None:
    # Of few bigrams all have their own bit plane, of many the rarest have none; those of real lines share planes.
    draw = random.Random(characters)
    alphabet = [chr(0x4E00 + number) for number in range(characters)]
    parts = ["".join(draw.choices(alphabet, k=draw.randrange(2, 9))) for _ in range(400)]
    lines = ["".join(draw.choices(parts, k=draw.randrange(2, 5))) for _ in range(400)]
    relevance = [draw.choice([0.4, 0.4, 0.5]) for _ in lines]
    assert run(lines, relevance, 0.7, 10**6) == naive_mmr(lines, relevance, 0.7, 10**6)


def check_in_order(lines: list[str], relevance: list[float], lambda_: float) -> None:
    found = mmr_in_order(*to_buffer(lines), relevance=numpy.array(relevance, dtype=numpy.float64), lambda_=lambda_)
    assert tuple(part.tolist() for part in found) == naive_mmr_in_order(lines, relevance, lambda_)


@settings(max_examples=200, deadline=None)
@given(lines=LINES, data=st.data(), lambda_=st.sampled_from([0.0, 0.3, 0.7, 0.7, 1.0]))
def test_in_order_equals_the_naive_definition(lines: list[str], data: st.DataObject, lambda_: float) -> None:
    check_in_order(lines, data.draw(st.lists(RELEVANCE, min_size=len(lines), max_size=len(lines))), lambda_)


WORDS = ["value", "total", "first", "index", "other_name", "x1"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=3, max_size=14), max_size=30))
def test_in_order_near_repeats_of_long_lines_are_all_found(parts: list[list[str]]) -> None:
    lines = [" ".join(words) for words in parts]
    check_in_order(lines, [0.4] * len(lines), 0.7)


def test_in_order_equals_the_naive_definition_on_real_lines() -> None:
    lines = [" ".join(line.split()) for line in Path(keyword.__file__).read_text().splitlines()]
    check_in_order(lines, [0.4] * len(lines), 0.7)


@settings(max_examples=60, deadline=None)
@given(lines=LINES, data=st.data())
def test_lambda_one_keeps_everything(lines: list[str], data: st.DataObject) -> None:
    relevance = data.draw(st.lists(RELEVANCE, min_size=len(lines), max_size=len(lines)))
    statuses, _, _ = run(lines, relevance, 1.0, 10**6)
    assert statuses == [EXEMPT if len(line) < 4 else KEPT for line in lines]


def test_exact_and_near_repeats_of_unrelated_lines_go() -> None:
    long = "the quick brown fox jumps over the lazy dog and runs away from everything"
    lines = ["import os", long, "import os", long.replace("away", "awai"), "return value", "}"]
    statuses, nearest, similarities = run(lines, [0.4] * 6, 0.7, 10**6)
    assert statuses == [KEPT, SUPPRESSED, SUPPRESSED, KEPT, KEPT, EXEMPT]
    assert nearest[1:3] == [3, 0]
    assert 0.934 <= similarities[1] < 1.0
    assert similarities[2] == 1.0


def test_repeats_of_relevant_lines_stay() -> None:
    statuses, _, _ = run(["import os"] * 3, [0.5] * 3, 0.7, 10**6)
    assert statuses == [KEPT] * 3


def test_lines_of_fewer_than_four_characters_are_exempt() -> None:
    statuses, nearest, _ = run(["\u00e9\u00e9\u00e9", "\U0001f600" * 4, "abc", "abcd"], [0.4] * 4, 0.7, 10**6)
    assert statuses == [EXEMPT, KEPT, EXEMPT, KEPT]
    assert nearest == [-1] * 4


@pytest.mark.parametrize("count", [2, 5000])
def test_all_equal_lines_keep_the_first(count: int) -> None:
    statuses, nearest, similarities = run(["x = compute(y)"] * count, [0.4] * count, 0.7, 10**6)
    assert statuses == [KEPT] + [SUPPRESSED] * (count - 1)
    assert nearest == [-1] + [0] * (count - 1)
    assert similarities == [0.0] + [1.0] * (count - 1)
