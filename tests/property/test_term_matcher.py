import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.relevance import TermMatcher, parse_task
from ctxsieve.relevance.stems import stem

WORDS = st.from_regex(r"[a-z]{1,9}(ies|es|s|ing|ed|ation|ers|y|e)?", fullmatch=True)
PIECES = st.one_of(WORDS, WORDS.map(str.capitalize), WORDS.map(str.upper), st.sampled_from(["_", "2", "__", "é", "ß"]))
IDENTIFIERS = st.lists(PIECES, min_size=1, max_size=4).map("".join)


@given(WORDS)
def test_a_stem_keeps_the_beginning_of_its_word(word: str) -> None:
    key = stem(word)
    assert key[:2] == word[:2]
    assert len(key) <= 3 or key[:3] == word[:3]


@given(st.lists(IDENTIFIERS, min_size=1, max_size=5), st.lists(IDENTIFIERS, max_size=8))
def test_the_quick_test_loses_no_match(task: list[str], others: list[str]) -> None:
    terms = parse_task(" ".join(task)).terms
    matcher = TermMatcher(terms, np.ones(len(terms)))
    spelled = [spelling for term in terms for spelling in (*term.spellings, *term.related)]
    mixed = [first + "_" + second for first, second in zip(task, [*others, *task], strict=False)]
    for word in (*task, *others, *spelled, *mixed):
        assert matcher.match(word) == matcher._look_up(word), word
