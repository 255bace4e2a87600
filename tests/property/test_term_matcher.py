import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.languages import find_words
from ctxsieve.relevance import TermMatcher, parse_task
from ctxsieve.relevance.stems import stem

WORDS = st.from_regex(r"[a-z]{1,9}(ies|es|s|ing|ed|ation|ers|y|e)?", fullmatch=True)
PIECES = st.one_of(WORDS, WORDS.map(str.capitalize), WORDS.map(str.upper), st.sampled_from(["_", "2", "__", "é", "ß"]))
IDENTIFIERS = st.lists(PIECES, min_size=1, max_size=4).map("".join)


@given(WORDS)
def test_a_stem_keeps_the_beginning_of_its_word(word: str) -> None:
    key = stem(word)
    assert word.startswith(key[:-1] if key.endswith(("i", "y")) else key)


@given(st.lists(IDENTIFIERS, min_size=1, max_size=5), st.lists(IDENTIFIERS, max_size=8))
def test_the_quick_test_loses_no_match(task: list[str], others: list[str]) -> None:
    terms = parse_task(" ".join(task)).terms
    matcher = TermMatcher(terms, np.ones(len(terms)))
    spelled = [spelling for term in terms for spelling in (*term.spellings, *term.related)]
    mixed = [first + "_" + second for first, second in zip(task, [*others, *task], strict=False)]
    for word in (*task, *others, *spelled, *mixed):
        kept = matcher._candidates([word], word)
        assert kept or not matcher._look_up(word), word
    together = TermMatcher(terms, np.ones(len(terms)))
    words = [*task, *others, *spelled, *mixed, "\n", "operator=", ""]
    assert together.match_all(words) == {
        number: found for number, word in enumerate(words) if (found := matcher._look_up(word))
    }


@given(st.lists(IDENTIFIERS, min_size=1, max_size=5), st.lists(st.lists(IDENTIFIERS, max_size=4), max_size=5))
def test_words_that_are_known_already_give_the_same_terms(task: list[str], rows: list[list[str]]) -> None:
    lines = [" ".join([*row, *task[:1]]) for row in rows]
    terms = parse_task(" ".join(task)).terms
    matcher = TermMatcher(terms, np.ones(len(terms)))
    found, again = matcher.find(lines), TermMatcher(terms, np.ones(len(terms))).find(list(lines), find_words(lines))
    assert [values.tolist() for values in found] == [values.tolist() for values in again]
    pairs: dict[tuple[int, int], float] = {}
    for word, places in find_words(lines).items():
        for line in places:
            pairs.update(
                {(line, term): max(share, pairs.get((line, term), 0.0)) for term, share in matcher.match(word)}
            )
    hits = zip(*(values.tolist() for values in found), strict=True)
    assert {(line, term): share for line, term, share in hits} == pairs
    assert sorted(pairs) == list(zip(found.lines.tolist(), found.terms.tolist(), strict=True))
