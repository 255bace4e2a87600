"""Which lines of a file the task is about: words near a line, and the definition that it stands in."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ctxsieve import _kernels
from ctxsieve.fragments import Definition, DefinitionTable
from ctxsieve.languages import WordPlaces, find_words
from ctxsieve.relevance.options import LineOptions
from ctxsieve.relevance.ranking import Ranking
from ctxsieve.relevance.stems import stem
from ctxsieve.relevance.terms import Term
from ctxsieve.relevance.words import split_identifier

__all__ = ["TermMatcher", "score_lines", "share_terms"]

_HEAD_LINES = 120
_LETTERS_ONLY = dict.fromkeys(map(ord, "_0123456789"))
# What is spelled by other rules than identifiers, and a character in its place that no identifier has.
_OTHER = re.compile(r"[^A-Za-z0-9_\n]")
_KEPT = "!"


class TermHits(NamedTuple):
    """Where terms occur, ascending by line (from 0) and term, each pair once, and with which share of the term."""

    lines: npt.NDArray[np.int64]
    terms: npt.NDArray[np.int64]
    shares: npt.NDArray[np.float64]


class TermMatcher:
    """Says which terms of a task a word of source stands for, and how much each weighs."""

    def __init__(self, terms: Sequence[Term], weights: npt.NDArray[np.float64], related: float = 0.5) -> None:
        self.weights = weights
        self._related_share = related
        self._by_key = {term.key: number for number, term in enumerate(terms)}
        self._related = {word: number for number, term in enumerate(terms) for word in term.related}
        self._known: dict[str, tuple[tuple[int, float], ...]] = {}
        # By the identity of the lines, which are kept with it: the same file is asked about again and again.
        self._found: dict[int, tuple[Sequence[str], TermHits]] = {}
        self._candidates = _compile_filter([*self._by_key, *self._related])

    def match(self, word: str) -> tuple[tuple[int, float], ...]:
        """Return (term, share) pairs, ascending by term; a related word has a share below 1."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._look_up(word)
        return known

    def match_all(self, words: Sequence[str]) -> Mapping[int, tuple[tuple[int, float], ...]]:
        """Return `match` of each of the words that stands for a term, by its number."""
        text = "\n".join(words)
        if _OTHER.search(text) is not None or text.count("\n") >= len(words) > 0:
            text = "\n".join([_KEPT if _OTHER.search(word) or "\n" in word else word for word in words])
        return self._match_lines(words, text)

    def _match_lines(self, words: Sequence[str], text: str) -> dict[int, tuple[tuple[int, float], ...]]:
        numbers = self._candidates(words, text)
        return {number: found for number in numbers if (found := self.match(words[number]))}

    def find(self, lines: Sequence[str], words: WordPlaces | None = None) -> TermHits:
        """Return the terms that occur on the lines.

        Args:
            lines: they must not change afterwards.
            words: `find_words` of the lines, where it is known.
        """
        known = self._found.get(id(lines))
        if known is None:
            found = self._find_terms(find_words(lines) if words is None else words)
            known = self._found[id(lines)] = (lines, found)
        return known[1]

    def _find_terms(self, places: WordPlaces) -> TermHits:
        count = max(1, len(self.weights))
        hits: dict[int, float] = {}
        for number, meanings in self._match_lines(places.words, places.text).items():
            lines = places.lines_of(number)
            for term, share in meanings:
                found_here = [line * count + term for line in lines]
                if share < 1.0:
                    hits.update((place, max(share, hits.get(place, 0.0))) for place in found_here)
                else:
                    hits.update(dict.fromkeys(found_here, share))
        found = np.array(sorted(hits), dtype=np.int64)
        shares = np.array([hits[place] for place in found.tolist()], dtype=np.float64)
        return TermHits(found // count, found % count, shares)

    def _look_up(self, word: str) -> tuple[tuple[int, float], ...]:
        parts = split_identifier(word)
        shares: dict[int, float] = {}
        for part in parts:
            if (related := self._related.get(part)) is not None:
                shares[related] = self._related_share
        for key in (*map(stem, parts), "=" + "".join(parts)):
            if (number := self._by_key.get(key)) is not None:
                shares[number] = 1.0
        return tuple(sorted(shares.items()))


def _compile_filter(keys: Sequence[str]) -> Callable[[Sequence[str], str], list[int]]:
    """Return a quick filter that keeps every word that may stand for one of the keys, and few others.

    It takes the words, and the same words joined by newlines, and gives the numbers of those it keeps, ascending. What
    is made of other characters is to be marked in the text, unless it is above ASCII.

    A stem is the beginning of its word, but for a last `i` or `y` that stands for both (`stems.stem`), and the parts of
    a word stand in it one after the other, apart only by underscores and digits.
    """
    folded = (key.removeprefix("=").translate(_LETTERS_ONLY) for key in keys)
    beginnings = {key[:-1] if key.endswith(("i", "y")) else key for key in folded}
    # What begins like another one is found with it.
    shortest = [word for word in sorted(beginnings) if not any(word[:n] in beginnings for n in range(len(word)))]

    def candidates(words: Sequence[str], text: str) -> list[int]:
        if not text.isascii():
            text = "\n".join([word if word.isascii() else _KEPT for word in words])
        text = text.lower().translate(_LETTERS_ONLY)
        # One search over all words for each beginning costs a fraction of one per word.
        places = {place for beginning in (_KEPT, *shortest) for place in _find_on_lines(text, beginning)}
        found: list[int] = []
        number = position = 0
        for place in sorted(places):
            number += text.count("\n", position, place)
            position = place
            if not found or found[-1] != number:
                found.append(number)
        return found

    return candidates


def _find_on_lines(text: str, wanted: str) -> Iterator[int]:
    """Yield the first place on each line at which something stands; lines end at newlines."""
    place = text.find(wanted)
    while place >= 0:
        yield place
        end = text.find("\n", place)
        place = text.find(wanted, end + 1) if end >= 0 else -1


def score_lines(
    lines: Sequence[str],
    definitions: Sequence[Definition],
    ranking: Ranking,
    *,
    import_lines: Collection[int] = (),
    traced_lines: Collection[int] = (),
    matcher: TermMatcher | None = None,
    words: WordPlaces | None = None,
    options: LineOptions | None = None,
) -> npt.NDArray[np.float64]:
    """Return how much each line is about the task of `ranking`, 0..1 before what imports and traces add.

    A line has the weight of the words on it and near it, and the score of its innermost definition: its words,
    saturated per word and lowered with its length, those of its name once more, and a share of what surrounds it. A
    word weighs less the more lines of the file have it. `matcher` is that of the ranking, kept between files, `words`
    are those of the lines where somebody found them already; the options are those of the ranking by default.
    """
    options = options or ranking.lines
    matcher = matcher or TermMatcher(ranking.terms, ranking.term_weights)
    hits = matcher.find(lines, words)
    scores = np.zeros(len(lines))
    if len(hits.lines):
        table = DefinitionTable.of(definitions)
        weights = _local_weights(hits, matcher, len(lines))
        scores = _kernels.score_lines(
            len(lines),
            lines=hits.lines,
            terms=hits.terms,
            shares=hits.shares,
            weights=weights,
            spans=(table.first_lines, table.last_lines, table.parents),
            named=_weigh_names(table.names, weights, matcher),
            options=(
                *(float(np.exp(-1.0 / options.near_lines)), options.definition, options.usual_length),
                *(options.length_power, options.name, options.inherited),
            ),
        )
    for line in import_lines:
        if 1 <= line <= min(len(lines), _HEAD_LINES):
            scores[line - 1] += options.imports
    for line in traced_lines:
        if 1 <= line <= len(lines):
            scores[line - 1] += options.traced
    return scores


def share_terms(lines: Sequence[str], matcher: TermMatcher) -> npt.NDArray[np.float64]:
    """Return for each line the share of the task's term weight that stands on it, 0..1."""
    total = float(matcher.weights.sum())
    if not total > 0:
        return np.zeros(len(lines))
    hits = matcher.find(lines)
    shares = matcher.weights[hits.terms] * hits.shares / total
    return np.minimum(np.bincount(hits.lines, weights=shares, minlength=len(lines)), 1.0)


def _local_weights(hits: TermHits, matcher: TermMatcher, n_lines: int) -> npt.NDArray[np.float64]:
    with_term = np.bincount(hits.terms, minlength=len(matcher.weights))
    local: npt.NDArray[np.float64] = matcher.weights * np.log1p(n_lines / (1.0 + with_term))
    return local


def _weigh_names(names: Sequence[str], weights: npt.NDArray[np.float64], matcher: TermMatcher) -> list[float]:
    """Return for each name the weight of the terms in it."""
    of_terms: list[float] = weights.tolist()
    named = [0.0] * len(names)
    for number, meanings in matcher.match_all(names).items():
        for term, share in meanings:
            named[number] += of_terms[term] * share
    return named
