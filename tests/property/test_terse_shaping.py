"""Layer 3 alone: prompt fragments."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ctxsieve.terse import CompressionLevel, prompt_fragment, shape_prompt
from ctxsieve.tokens import count_tokens

LEVELS = list(CompressionLevel)


def test_off_asks_for_nothing_and_a_higher_level_costs_fewer_tokens():
    assert prompt_fragment(CompressionLevel.OFF) == ""
    lite, standard, maximum = (count_tokens(prompt_fragment(level)) for level in LEVELS[1:])
    assert lite > standard > maximum > 0


@given(st.text(max_size=200), st.sampled_from(LEVELS))
@example("\n", CompressionLevel.LITE)
@example("Fix the parser.\n", CompressionLevel.MAX)
def test_prompt_lines_survive_in_order_and_shaping_twice_changes_nothing(prompt, level):
    shaped = shape_prompt(prompt, level=level)
    assert shaped.startswith(prompt.rstrip("\n")) or level is CompressionLevel.OFF
    assert shape_prompt(shaped, level=level) == shaped


@given(st.text(max_size=200))
def test_off_is_the_identity(prompt):
    assert shape_prompt(prompt, level=CompressionLevel.OFF) == prompt


@pytest.mark.parametrize("before", LEVELS[1:])
@pytest.mark.parametrize("after", LEVELS[1:])
def test_another_level_replaces_the_fragment(before, after):
    shaped = shape_prompt(shape_prompt("Fix the parser.", level=before), level=after)
    assert shaped == shape_prompt("Fix the parser.", level=after)


@pytest.mark.parametrize("level", LEVELS[1:])
def test_every_fragment_asks_to_keep_what_must_be_exact(level):
    for kept in ("aths", "names", "numbers", "error"):
        assert kept in prompt_fragment(level)
