"""Cuts a prompt into the clauses that ask for something of their own."""

import re
from dataclasses import dataclass

from ctxsieve.intent.folding import fold
from ctxsieve.intent.reading import Word, is_unspaced, words_of
from ctxsieve.intent.vocabulary import Vocabulary

__all__ = ["Clause", "split_clauses"]

_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|[。！？；;]|\n+(?:\s*(?:[-*•]|\d+[.)])\s+)?|,|[，、]")
_MOST_CLAUSES = 12


@dataclass(frozen=True, slots=True)
class Clause:
    """`text[start:end]` of the prompt."""

    start: int
    end: int


def split_clauses(text: str, language: str, vocabulary: Vocabulary) -> list[Clause]:
    """Clauses that each begin like a request, in order; what does not begin so belongs to the clause before it."""
    starts = [0]
    for cut in _cuts(text, language, vocabulary):
        if len(starts) < _MOST_CLAUSES and _asks(text[cut : cut + 120], language, vocabulary):
            starts.append(cut)
    return [Clause(start, end) for start, end in zip(starts, [*starts[1:], len(text)], strict=True) if start < end]


def _cuts(text: str, language: str, vocabulary: Vocabulary) -> list[int]:
    cuts = {found.end() for found in _SENTENCE_END.finditer(text)}
    if not is_unspaced(language):
        connectors = vocabulary.connectors[language]
        cuts.update(
            found.start() for found in re.finditer(r"(?<=\s)[^\W\d_]+(?=\s)", text) if fold(found[0]) in connectors
        )
    return sorted(cut for cut in cuts if text[:cut].strip())


def _asks(rest: str, language: str, vocabulary: Vocabulary) -> bool:
    """Whether `rest` begins with a verb of its language; where verbs stand elsewhere, whether it has one at all."""
    end = _SENTENCE_END.search(rest, 1)
    words = words_of(fold(rest[: end.start()] if end else rest), vocabulary)
    if is_unspaced(language):
        return any(_is_action(word, language) for word in words)
    words = _without_politeness(words, language, vocabulary)
    reach = 2 if language == "de" else 1
    return any(_is_action(word, language) for word in words[:reach])


def _without_politeness(words: list[Word], language: str, vocabulary: Vocabulary) -> list[Word]:
    lead_ins = [*vocabulary.polite[language], *((connector,) for connector in vocabulary.connectors[language])]
    while words:
        texts = tuple(word.text for word in words[:6])
        longest = max((len(phrase) for phrase in lead_ins if texts[: len(phrase)] == phrase), default=0)
        if not longest:
            break
        words = words[longest:]
    return words


def _is_action(word: Word, language: str) -> bool:
    return any(sense.section == "actions" and sense.language == language for sense in word.senses)
