"""Words that stand everywhere in source code count less."""

import pytest

from ctxsieve.relevance import TermWeights, parse_task
from ctxsieve.relevance.commonness import COMMON_BITS, RARE_BITS, commonness
from ctxsieve.surprise import score_lines
from ctxsieve.tokens import count_tokens

EVERYWHERE = ("file", "type", "value", "name", "class")
SPECIFIC = ("cookie", "hydration", "ziplist", "useattrs")


def weight_of(task: str, text: str, **weights: float) -> float:
    return next(term.weight for term in parse_task(task, weights=TermWeights(**weights)).terms if term.text == text)


def test_programmers_words_are_common_and_names_of_things_are_not() -> None:
    assert min(map(commonness, EVERYWHERE)) > 0.6
    assert max(map(commonness, SPECIFIC)) < 0.25
    assert commonness("no_such_word_anywhere") == 0.0


@pytest.mark.parametrize("word", ["file", "type", "error", "cookie", "result", "chunk", "header"])
def test_the_shipped_table_agrees_with_the_counted_ranks(word: str) -> None:
    assert count_tokens(f" {word}") == 1
    scores, before = score_lines(f"x {word}".encode()), score_lines(b"x")
    bits = float(scores.bits[0] * scores.tokens[0] - before.bits[0] * before.tokens[0])
    rounded_down = RARE_BITS - commonness(word) * (RARE_BITS - COMMON_BITS)
    assert rounded_down <= bits < rounded_down + 0.5


def test_a_common_word_weighs_less_and_identifiers_keep_their_weight() -> None:
    task = "type of the cookie in set_type_name"
    assert weight_of(task, "type") < 0.6 * weight_of(task, "type", common=1.0)
    assert weight_of(task, "set_type_name") == weight_of(task, "set_type_name", common=1.0)


def test_inflections_of_one_word_keep_one_term() -> None:
    assert [term.key for term in parse_task("files of a file").terms] == ["fil"]
