"""What a task says, as weighted terms, paths and stack frames to look for."""

import re
from collections.abc import Iterator
from enum import StrEnum

from ctxsieve.patterns import lazy_pattern
from ctxsieve.relevance.commonness import commonness
from ctxsieve.relevance.options import TermWeights
from ctxsieve.relevance.stems import related_words, spellings, stem
from ctxsieve.relevance.tickets import TICKET, find_tickets
from ctxsieve.relevance.traces import Frame, find_frames
from ctxsieve.relevance.words import COMMIT_STEMS, STOP_WORDS, split_identifier
from ctxsieve.values import dataclass

__all__ = ["TaskTerms", "Term", "TermKind", "parse_task"]

_TRAILER = lazy_pattern(
    r"^[ \t]*(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|reported-by|suggested-by|change-id|cc"
    r"|pr-url|refs?|link|git-svn-id)[ \t]*:.*$",
    re.IGNORECASE | re.MULTILINE,
)
_URL = lazy_pattern(r"\b(?:https?|ftp|ssh)://\S+")
_EMAIL = lazy_pattern(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.\w+")
_QUOTED = lazy_pattern(r"(?<!`)`+([^`\n]+)`+|\"([^\"\n]{1,80})\"|(?<!\w)'([^'\n]{1,80})'(?!\w)")
# Latin letters and other scripts apart: tasks in Chinese or Japanese put identifiers between words without spaces.
_WORD = lazy_pattern(r"[A-Za-z_\u00c0-\u024f][A-Za-z0-9_\u00c0-\u024f]*|[^\W\d_\x00-\u024f]+")
_PATH_RUN = lazy_pattern(r"[\w.@+/\\-]+")
_EXTENSION = lazy_pattern(r"[\w@+-]\.[A-Za-z]\w{0,9}$")
_MOST_CHARACTERS = 400_000
# What is asked stands before a pasted log, the error that ended it at its end; frames are read from all of it.
_HEAD_CHARACTERS = 32_000
_TAIL_CHARACTERS = 16_000
_MOST_PATHS = 64
_MOST_TERMS = 192
_LONGEST_WORD = 64
# In a pasted log the first occurrence of a word is enough, and neighbours are no phrases.
_PROSE_WORDS = 600
_MOST_DISTINCT_WORDS = 1_500
_NUMBER = lazy_pattern(r"[ -]?(\d{1,4})\b")
_SCOPE = lazy_pattern(r"\s*\w+\([^()\n]{1,60}\)!?:")


class TermKind(StrEnum):
    """How a term stands in the task."""

    COMPOUND = "compound"
    WORD = "word"
    PART = "part"
    PAIR = "pair"


_RANK = {TermKind.COMPOUND: 0, TermKind.WORD: 1, TermKind.PART: 2, TermKind.PAIR: 3}


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for.

    Attributes:
        key: the stem of a word, or `=` and the letters of an identifier as a whole.
        weight: before rarity; relative to other terms of the task only.
        identifiers: lower-case spellings of an identifier as a whole; empty for words.
    """

    key: str
    kind: TermKind
    text: str
    weight: float
    identifiers: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Lower-case words that the index may hold for this term."""
        return self.identifiers or spellings(self.key) or (self.text,)

    @property
    def related(self) -> tuple[str, ...]:
        """Words of the same meaning, which count less."""
        return () if self.identifiers else related_words(self.key)


@dataclass(frozen=True, slots=True)
class TaskTerms:
    """What `parse_task` found; terms in order of first appearance."""

    terms: tuple[Term, ...]
    paths: tuple[str, ...]
    frames: tuple[Frame, ...]
    asks_for: frozenset[str]
    tickets: tuple[str, ...] = ()


@dataclass(slots=True)
class _Sighting:
    key: str
    kind: TermKind
    text: str
    is_first_line: bool
    is_quoted: bool
    is_code: bool
    identifiers: tuple[str, ...]


# A role is asked for by these words; the stem of each counts.
_ROLE_WORDS = {
    "test": ("test", "tests", "testing", "spec", "coverage"),
    "docs": ("docs", "documentation", "readme", "changelog"),
    "example": ("example", "examples", "demo", "bench", "benchmark", "playground", "sandbox"),
    "config": ("ci", "workflow", "config", "lint", "eslint", "package", "dependencies", "pyproject", "dockerfile"),
}


def parse_task(task: str, *, weights: TermWeights | None = None) -> TaskTerms:
    """Return the terms, paths, stack frames and tickets of a task, in order of first appearance.

    URLs, addresses, ticket numbers and trailers are no words. Words are read from the first 32,000 and the last 16,000
    characters, frames from the first 400,000.
    """
    weights = weights or TermWeights()
    frames = find_frames(task[:_MOST_CHARACTERS])
    text = task[:_MOST_CHARACTERS]
    if len(text) > _HEAD_CHARACTERS + _TAIL_CHARACTERS:
        text = text[:_HEAD_CHARACTERS] + "\n" + text[-_TAIL_CHARACTERS:]
    tickets = find_tickets(text)
    for mark, pattern in ((":", _TRAILER), ("://", _URL), ("@", _EMAIL), ("", TICKET)):
        # Most tasks have no such mark, which saves compiling the expression.
        if mark in text:
            text = pattern.sub(" ", text)
    sightings: dict[str, _Sighting] = {}
    for seen in _read_words(text):
        known = sightings.setdefault(seen.key, seen)
        known.is_first_line |= seen.is_first_line
        known.is_quoted |= seen.is_quoted
        known.is_code |= seen.is_code
        if _RANK[seen.kind] < _RANK[known.kind]:
            known.kind = seen.kind
    keys = sightings.keys()
    asked = frozenset(role for role, words in _ROLE_WORDS.items() if any(stem(word) in keys for word in words))
    terms = [_to_term(seen, weights) for seen in sightings.values()]
    if len(terms) > _MOST_TERMS:
        kept = sorted(range(len(terms)), key=lambda position: (-terms[position].weight, position))[:_MOST_TERMS]
        terms = [terms[position] for position in sorted(kept)]
    return TaskTerms(tuple(terms), _find_paths(text), frames, asked, tickets)


def _find_paths(text: str) -> tuple[str, ...]:
    paths: dict[str, None] = {}
    for run in _PATH_RUN.findall(text):
        path = run.replace("\\", "/").removeprefix("./").rstrip(".-/")
        if path and len(path) <= 1024 and ("/" in path.strip("/") or _EXTENSION.search(path)):
            paths[path] = None
            if len(paths) == _MOST_PATHS:
                break
    return tuple(paths)


def _to_term(seen: _Sighting, weights: TermWeights) -> Term:
    weight = float(getattr(weights, seen.kind))
    if not seen.is_first_line:
        weight *= weights.after_first_line
    if seen.is_quoted and seen.kind is not TermKind.PART:
        weight *= weights.quoted
    if seen.is_code and seen.kind is TermKind.WORD:
        weight *= weights.code
    if seen.key in COMMIT_STEMS and not seen.is_code and not seen.is_quoted:
        weight *= weights.commit_word
    if not seen.identifiers:
        weight *= 1.0 - (1.0 - weights.common) * commonness(seen.text.lower())
    return Term(seen.key, seen.kind, seen.text, weight, seen.identifiers)


def _read_words(text: str) -> Iterator[_Sighting]:
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    first_line_end = text.find("\n", len(text) - len(text.lstrip()))
    first_line_end = len(text) if first_line_end < 0 else first_line_end
    scope = _SCOPE.match(text)
    scope_end = scope.end() if scope else 0
    open_quote = 0
    previous: tuple[str, int] | None = None
    known: set[str] = set()
    for position, found in enumerate(_WORD.finditer(text)):
        word, start, end = found[0], found.start(), found.end()
        if len(word) > _LONGEST_WORD:
            continue
        if position >= _PROSE_WORDS:
            if word in known or len(known) > _MOST_DISTINCT_WORDS:
                continue
            previous = None
        known.add(word)
        while open_quote < len(quoted) and quoted[open_quote][1] <= start:
            open_quote += 1
        is_quoted = open_quote < len(quoted) and quoted[open_quote][0] <= start
        parts = split_identifier(word)
        is_compound = len(parts) > 1
        is_code = is_compound or (start >= scope_end and _is_code(text, start, end))

        def sight(key: str, kind: TermKind, text: str, spelled: tuple[str, ...], code: bool) -> _Sighting:
            return _Sighting(key, kind, text, start <= first_line_end, is_quoted, code, spelled)  # noqa: B023

        if is_compound:
            whole = word.lower()
            joined = "".join(parts)
            bare = whole.strip("_")
            spelled = dict.fromkeys((whole, bare, joined, "_".join(parts), "_" + bare))
            yield sight("=" + joined, TermKind.COMPOUND, word, tuple(spelled), True)
        kind = TermKind.PART if is_compound else TermKind.WORD
        for part in parts:
            if len(part) > 1 and (is_quoted or part not in STOP_WORDS):
                yield sight(stem(part), kind, part, (), is_code)
        simple = parts[0] if len(parts) == 1 and parts[0] not in STOP_WORDS else None
        if simple and previous and text[previous[1] : start] in (" ", "-", ".", "/", " `", "_"):
            before = previous[0]
            spelled_pair = (before + "_" + simple, before + simple, "_" + before + "_" + simple)
            yield sight("=" + before + simple, TermKind.PAIR, before + " " + simple, spelled_pair, False)
        if simple and (number := _NUMBER.match(text, end)):
            numbered = (simple + number[1], simple + "_" + number[1])
            yield sight("=" + simple + number[1], TermKind.PAIR, simple + " " + number[1], numbered, False)
        previous = (simple, end) if simple else None


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether a simple word stands like code: called, qualified, or with a leading underscore."""
    if text[start] == "_" or text[end : end + 1] == "(" or text[end : end + 2] == "::":
        return True
    if text[start - 1 : start] == "." and text[max(0, start - 2) : start - 1].isalnum():
        return True
    return text[end : end + 1] == "." and text[end + 1 : end + 2].isalnum()
