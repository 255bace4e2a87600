"""Finding facts: by the words of a query, and for conventions by the nearest directory."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum

from ctxsieve.errors import InputError
from ctxsieve.knowledge.facts import CONVENTIONS, Fact, normalise_directory
from ctxsieve.values import dataclass

__all__ = ["RecallScope", "RecalledFact", "recall_facts"]

# BM25 with the usual constants; a name says more about a fact than the words of its value.
_K1 = 1.2
_B = 0.75
_NAME_WEIGHT = 3
_INFLECTED_WEIGHT = 0.5

_WORDS = re.compile(r"[^\W_]+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Scripts without spaces are matched by pairs of characters.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")
# Words that say nothing about the matter; in a small base their rarity would not betray them.
_FUNCTION_WORD_TEXT = """
    a an and are as at be by can do does for from has have how i in is it its my no not of on or our so than that the
    their them then there these they this to was we were what when where which why will with you your
    das den der des die ein eine einen einer für im ist mit nicht oder und von warum wie wird zu zum zur
    au aux ce ces dans de du en est et la le les ne où ou par pas pour que qui sur un une
    al como con del el los las lo no para por porque se sin su una y
    as da do dos e em na no nos o os ou para por que se sem um uma
    в во и из к как на не о об от по при с со у что это для или
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_WORD_TEXT.split())


class RecallScope(StrEnum):
    """What a search is restricted to."""

    CONVENTIONS = "conventions"


@dataclass(frozen=True, slots=True)
class RecalledFact:
    """A fact that fits.

    `score` is 0 for an empty query. `distance` counts the directories between the one asked for and the one of
    the fact; the language level lies beyond the root; None without a directory. `agents` lists everyone who
    holds this very value, `is_disputed` says that someone holds another one.
    """

    fact: Fact
    score: float
    distance: int | None
    agents: tuple[str, ...]
    is_disputed: bool


def recall_facts(
    facts: Iterable[Fact],
    query: str,
    *,
    directory: str | None = None,
    scope: RecallScope | str | None = None,
    limit: int = 10,
) -> list[RecalledFact]:
    """The facts that fit a query, best first, identical values once.

    An empty query fits every fact. With `directory`, facts of other directories are left out, and of the
    conventions with one key only the nearest count: the directory, its parents up to the root, then the language
    level. With the scope `conventions` the nearest come first, otherwise the best score does; then confidence,
    the newer, and the smaller name decide.

    Raises:
        InputError: unknown scope, a directory outside the root, or a limit below 1.
    """
    if limit < 1:
        raise InputError(f"limit is {limit}: it must be 1 or more")
    if scope is not None and scope not in set(RecallScope):
        raise InputError(f"scope is {scope!r}: it must be {', '.join(RecallScope)} or absent")
    place = None if directory is None else normalise_directory(directory)
    candidates = [fact for fact in facts if scope is None or fact.category == CONVENTIONS]
    if place is not None:
        candidates = _keep_nearest([fact for fact in candidates if _distance(fact, place) is not None], place)
    scored = [
        item for item in zip(candidates, _score(candidates, query), strict=True) if item[1] > 0 or not query.strip()
    ]
    merged = _merge_equal(scored, candidates, place)
    merged.sort(key=lambda recalled: _order(recalled, nearest_first=scope is not None))
    return merged[:limit]


def _distance(fact: Fact, place: str) -> int | None:
    """How far up from `place` a fact applies, None where it does not."""
    depth = place.count("/") + 1 if place else 0
    if fact.language and not fact.directory:
        return depth + 1
    if fact.directory == "":
        return depth
    if place == fact.directory or place.startswith(fact.directory + "/"):
        return depth - fact.directory.count("/") - 1
    return None


def _keep_nearest(facts: Sequence[Fact], place: str) -> list[Fact]:
    nearest: dict[str, int] = {}
    for fact in facts:
        distance = _distance(fact, place)
        if fact.category == CONVENTIONS and distance is not None:
            nearest[fact.key] = min(distance, nearest.get(fact.key, distance))
    return [fact for fact in facts if fact.category != CONVENTIONS or _distance(fact, place) == nearest[fact.key]]


def _merge_equal(
    scored: Sequence[tuple[Fact, float]], candidates: Sequence[Fact], place: str | None
) -> list[RecalledFact]:
    values: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for fact in candidates:
        values[_place_of(fact)].add(fact.value)
    groups: defaultdict[tuple[str, ...], list[tuple[Fact, float]]] = defaultdict(list)
    for fact, score in scored:
        groups[(*_place_of(fact), fact.value)].append((fact, score))
    merged = []
    for group in groups.values():
        fact, score = min(group, key=lambda item: (-item[0].confidence, -item[0].recorded_at, item[0].agent))
        merged.append(
            RecalledFact(
                fact,
                max(score, *(other for _, other in group)),
                None if place is None else _distance(fact, place),
                tuple(sorted({other.agent for other, _ in group})),
                len(values[_place_of(fact)]) > 1,
            )
        )
    return merged


def _place_of(fact: Fact) -> tuple[str, ...]:
    return fact.category, fact.key, fact.directory, fact.language


def _order(recalled: RecalledFact, *, nearest_first: bool) -> tuple[object, ...]:
    fact = recalled.fact
    nearness = recalled.distance if nearest_first and recalled.distance is not None else 0
    return (
        nearness,
        -recalled.score,
        -fact.confidence,
        -fact.recorded_at,
        fact.name,
        fact.directory,
        fact.language,
        fact.value,
    )


def _terms(text: str) -> list[str]:
    """Words in lower case, the parts of compound identifiers, and pairs of characters of unspaced scripts."""
    terms: list[str] = []
    for word in _WORDS.findall(text):
        terms.append(word.casefold())
        parts = _PARTS.findall(word)
        if len(parts) > 1:
            terms.extend(part.casefold() for part in parts)
        for run in _UNSPACED.findall(word):
            pairs = (run[start : start + 2] for start in range(len(run) - 1))
            # Two syllables of kana alone are mostly endings and particles.
            terms.extend(pair for pair in pairs if not _HIRAGANA.fullmatch(pair))
    return [term for term in terms if term not in _FUNCTION_WORDS]


def _score(facts: Sequence[Fact], query: str) -> list[float]:
    """BM25 of every fact, halved at most by low confidence."""
    documents = [
        Counter(
            _terms(f"{fact.category} {fact.key}") * _NAME_WEIGHT
            + _terms(f"{fact.value} {fact.directory} {fact.language}")
        )
        for fact in facts
    ]
    wanted = dict.fromkeys(_terms(query))
    containing = Counter(term for document in documents for term in document)
    lengths = [document.total() for document in documents]
    mean_length = sum(lengths) / len(lengths) if lengths else 1.0
    weights: dict[str, float] = {}
    for term in wanted:
        for known in containing:
            weight = 1.0 if known == term else _INFLECTED_WEIGHT if _is_inflection(known, term) else 0.0
            weights[known] = max(weight, weights.get(known, 0.0))
    scores = []
    for fact, document, length in zip(facts, documents, lengths, strict=True):
        score = 0.0
        for term, count in document.items():
            if weight := weights.get(term, 0.0):
                rarity = math.log1p((len(facts) - containing[term] + 0.5) / (containing[term] + 0.5))
                saturation = count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * length / mean_length))
                score += weight * rarity * saturation
        scores.append(score * (0.5 + 0.5 * fact.confidence))
    return scores


def _is_inflection(known: str, term: str) -> bool:
    """Whether two words share a stem of at least five characters and differ only in a short ending."""
    if known[:5] != term[:5] or len(known) < 5:
        return False
    stem = 5
    while stem < min(len(known), len(term)) and known[stem] == term[stem]:
        stem += 1
    return max(len(known), len(term)) - stem <= 4
