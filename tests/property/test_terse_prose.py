"""Prose: fillers and articles go, everything that carries meaning stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.terse import CompressionLevel, compress_prose
from ctxsieve.terse.protect import protected_words
from ctxsieve.tokens import count_tokens

LEVELS = list(CompressionLevel)
_PARTS = [
    *("the", "a", "please", "note that", "very", "do not", "never", "in order to", "it is", "it is not", "you can"),
    *("you cannot", "file", "`the code`", '"a quotation"', "src/the/a.py", "a_the", "3 MB", "rather than", "that is"),
    *(
        "as well as",
        "that",
        "just",
        "The",
        "```\nthe block\n```",
        "https://a.example/the",
        "some",
        "of the",
        "to",
        "\n",
    ),
]
_PROSE = st.lists(st.sampled_from(_PARTS), max_size=25).map(" ".join)
_TEXTS = st.one_of(_PROSE, st.text(max_size=120))


@given(_TEXTS)
def test_off_is_the_identity(text):
    assert compress_prose(text, level=CompressionLevel.OFF) == text


@given(_TEXTS, st.sampled_from(LEVELS))
def test_words_are_words_of_the_original_in_order(text, level):
    words = iter(text.split())
    assert all(word in words for word in compress_prose(text, level=level).split())


@given(_TEXTS, st.sampled_from(LEVELS))
def test_compressing_twice_changes_nothing(text, level):
    once = compress_prose(text, level=level)
    assert compress_prose(once, level=level) == once


@given(_TEXTS)
def test_a_higher_level_never_has_more_tokens(text):
    counts = [count_tokens(compress_prose(text, level=level)) for level in LEVELS]
    assert counts == sorted(counts, reverse=True)


@given(_TEXTS, st.sampled_from(LEVELS))
def test_code_quotations_paths_and_numbers_survive(text, level):
    assert protected_words(text) <= protected_words(compress_prose(text, level=level))


@given(_PROSE, st.sampled_from(LEVELS))
def test_negations_survive(text, level):
    shorter = compress_prose(text, level=level).split()
    for word in ("not", "never", "cannot"):
        assert text.split().count(word) == shorter.count(word)


@pytest.mark.parametrize(
    "text", ["o arquivo é a origem de tudo", "an der Tür und an die Wand", "这个 a 文件", "la a an the", ""]
)
def test_other_languages_are_left_alone(text):
    assert compress_prose(text, level=CompressionLevel.MAX) == text


def test_fillers_and_articles_go():
    text = "Please note that the parser is in the file and it is very slow."
    assert compress_prose(text, level=CompressionLevel.LITE) == "the parser is in the file and it is very slow."
    assert compress_prose(text) == "parser is in file and it is slow."


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("Please fix the bug in src/a.py, thanks a lot", "fix bug in src/a.py"),
        (
            "Please fix the bug in src/a.py, thank you!\nIt is the first, please\n",
            "fix bug in src/a.py!\nIt is first\n",
        ),
        ("Please fix the list in src/a.py: x, y,\nand the rest", "fix list in src/a.py: x, y,\nand rest"),
    ],
)
def test_no_comma_is_left_before_nothing(text: str, shorter: str) -> None:
    assert compress_prose(text) == shorter
