"""Which lines of a file the task is about: words near a line, and the definition that it stands in."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from ctxsieve.fragments import Definition
from ctxsieve.languages import find_words
from ctxsieve.relevance.options import LineOptions
from ctxsieve.relevance.ranking import Ranking
from ctxsieve.relevance.stems import stem
from ctxsieve.relevance.terms import Term
from ctxsieve.relevance.words import split_identifier

__all__ = ["TermMatcher", "score_lines", "share_terms"]

_HEAD_LINES = 120


class TermMatcher:
    """Says which terms of a task a word of source stands for, and how much each weighs."""

    def __init__(self, terms: Sequence[Term], weights: npt.NDArray[np.float64], related: float = 0.5) -> None:
        self.weights = weights
        self._related_share = related
        self._by_key = {term.key: number for number, term in enumerate(terms)}
        self._related = {word: number for number, term in enumerate(terms) for word in term.related}
        self._known: dict[str, tuple[tuple[int, float], ...]] = {}
        # By the identity of the lines, which are kept with it: the same file is asked about again and again.
        self._found: dict[int, tuple[Sequence[str], dict[tuple[int, int], float]]] = {}
        self._candidates = _compile_filter([*self._by_key, *self._related])

    def match(self, word: str) -> tuple[tuple[int, float], ...]:
        """Return (term, share) pairs, ascending by term; a related word has a share below 1."""
        return self.match_all((word,)).get(word, ())

    def match_all(self, words: Collection[str]) -> Mapping[str, tuple[tuple[int, float], ...]]:
        """Return `match` of each of the words that stands for a term."""
        unknown = [word for word in words if word not in self._known]
        self._known.update(dict.fromkeys(unknown, ()))
        self._known.update((word, self._look_up(word)) for word in self._candidates(unknown))
        return {word: found for word in words if (found := self._known[word])}

    def find(
        self, lines: Sequence[str], words: Mapping[str, Sequence[int]] | None = None
    ) -> Mapping[tuple[int, int], float]:
        """Return the share of each (line from 0, term) that occurs.

        Args:
            lines: they must not change afterwards.
            words: `find_words` of the lines, where it is known.
        """
        known = self._found.get(id(lines))
        if known is None:
            found = self._find_terms(find_words(lines) if words is None else words)
            known = self._found[id(lines)] = (lines, found)
        return known[1]

    def _find_terms(self, words: Mapping[str, Sequence[int]]) -> dict[tuple[int, int], float]:
        hits: dict[tuple[int, int], float] = {}
        for word, meanings in self.match_all(words).items():
            for line in words[word]:
                for term, share in meanings:
                    place = (line, term)
                    hits[place] = max(share, hits.get(place, 0.0))
        return hits

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


def _compile_filter(keys: Sequence[str]) -> Callable[[Sequence[str]], list[str]]:
    """Return a quick filter that keeps every word that may stand for one of the keys, and few others.

    A stem keeps the first two letters of its word, one of four letters and more the first three (`stems.stem`), and
    the parts of a word stand in it one after the other, apart only by underscores and by what begins with a digit.
    """
    beginnings = {key[:3] if len(key) > 3 else key[:2] for key in (key.removeprefix("=") for key in keys)}
    # One search over all words, each on a line of its own, costs a fraction of one search per word.
    find = re.compile(f"(?:{'|'.join(['[0-9]', *map(re.escape, sorted(beginnings))])})[^\n]*").finditer

    def candidates(words: Sequence[str]) -> list[str]:
        plain = [word for word in words if word.isascii() and word.isidentifier()]
        found = [word for word in words if not (word.isascii() and word.isidentifier())]
        text = "\n".join(plain).lower().replace("_", "")
        number = position = 0
        for match in find(text):
            number += text.count("\n", position, match.start())
            position = match.start()
            found.append(plain[number])
        return found

    return candidates


def score_lines(
    lines: Sequence[str],
    definitions: Sequence[Definition],
    ranking: Ranking,
    *,
    import_lines: Collection[int] = (),
    traced_lines: Collection[int] = (),
    matcher: TermMatcher | None = None,
    words: Mapping[str, Sequence[int]] | None = None,
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
    if hits:
        weights = _local_weights(hits, matcher, len(lines))
        scores = _smooth(_sum_by_line(hits, weights, len(lines)), options.near_lines)
        owners = _owners(len(lines), definitions)
        of_definition = _score_definitions(hits, weights, definitions, owners, matcher, options)
        owned = owners >= 0
        scores[owned] += options.definition * of_definition[owners[owned]]
        scores = scores / max(float(scores.max()), 1e-300)
    for line in import_lines:
        if 1 <= line <= min(len(lines), _HEAD_LINES):
            scores[line - 1] += options.imports
    for line in traced_lines:
        if 1 <= line <= len(lines):
            scores[line - 1] += options.traced
    return scores


def share_terms(lines: Sequence[str], matcher: TermMatcher) -> npt.NDArray[np.float64]:
    """Return for each line the share of the task's term weight that stands on it, 0..1."""
    shares = [0.0] * len(lines)
    total = float(matcher.weights.sum())
    if total > 0:
        weights: list[float] = matcher.weights.tolist()
        for (line, term), share in sorted(matcher.find(lines).items()):
            shares[line] += weights[term] * share / total
    return np.array([min(share, 1.0) for share in shares])


def _sum_by_line(hits: Mapping[tuple[int, int], float], weights: npt.NDArray[np.float64], n_lines: int) -> list[float]:
    of_terms: list[float] = weights.tolist()
    on_line = [0.0] * n_lines
    for (line, term), share in sorted(hits.items()):
        on_line[line] += of_terms[term] * share
    return on_line


def _local_weights(
    hits: Mapping[tuple[int, int], float], matcher: TermMatcher, n_lines: int
) -> npt.NDArray[np.float64]:
    with_term = np.bincount([term for _, term in hits], minlength=len(matcher.weights))
    local: npt.NDArray[np.float64] = matcher.weights * np.log1p(n_lines / (1.0 + with_term))
    return local


def _smooth(values: list[float], decay_lines: float) -> npt.NDArray[np.float64]:
    """Return the sum over all lines of value * exp(-distance / decay), in two passes."""
    factor = float(np.exp(-1.0 / decay_lines))

    def decay(before: float, value: float) -> float:
        return value + factor * before

    forward = np.array(list(accumulate(values, decay)))
    backward = np.array(list(accumulate(reversed(values), decay)))[::-1]
    both: npt.NDArray[np.float64] = forward + backward - values
    return both


def _owners(n_lines: int, definitions: Sequence[Definition]) -> npt.NDArray[np.int64]:
    """Return the innermost definition of each line, -1 for none; parents stand before their children."""
    owners = np.full(n_lines, -1, dtype=np.int64)
    for number, definition in enumerate(definitions):
        owners[definition.first_line - 1 : definition.last_line] = number
    return owners


def _score_definitions(
    hits: Mapping[tuple[int, int], float],
    weights: npt.NDArray[np.float64],
    definitions: Sequence[Definition],
    owners: npt.NDArray[np.int64],
    matcher: TermMatcher,
    options: LineOptions,
) -> npt.NDArray[np.float64]:
    # Plain numbers: single elements of arrays are many times slower.
    of_terms: list[float] = weights.tolist()
    of_lines: list[int] = owners.tolist()
    lines_with: dict[tuple[int, int], int] = {}
    for line, term in hits:
        place = (of_lines[line], term)
        lines_with[place] = lines_with.get(place, 0) + 1
    scores = [0.0] * len(definitions)
    for (owner, term), count in sorted(lines_with.items()):
        if owner >= 0:
            scores[owner] += of_terms[term] * count / (count + 1.0)
    names = matcher.match_all({definition.name for definition in definitions})
    for number, definition in enumerate(definitions):
        length = definition.last_line - definition.first_line + 1
        scores[number] /= (1.0 + length / options.usual_length) ** options.length_power
        named = 0.0
        for term, share in names.get(definition.name, ()):
            named += of_terms[term] * share
        scores[number] += options.name * named
        if definition.parent is not None:
            scores[number] += options.inherited * scores[definition.parent]
    return np.array(scores)
