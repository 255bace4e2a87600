"""Cuts a prompt into the clauses that ask for something of their own."""

from ctxsieve.intent.reading import Reading, Word, is_unspaced
from ctxsieve.intent.vocabulary import Vocabulary
from ctxsieve.patterns import lazy_pattern
from ctxsieve.values import dataclass

__all__ = ["Clause", "split_clauses"]

_CLAUSE_END = lazy_pattern(r"[.!?;](?=\s|$)|[。！？；]|\n(?:[ \t]*(?:[-*•]|\d+[.)])\s)?|,|[，、]")
_MOST_CUTS = 40
_LONGEST_OPENING = 120


@dataclass(frozen=True, slots=True)
class Clause:
    """`text[start:end]` of the prompt."""

    start: int
    end: int


def split_clauses(text: str, reading: Reading, vocabulary: Vocabulary) -> list[Clause]:
    """Clauses that each begin like a request, in order; what does not begin so belongs to the clause before it."""
    ends = [found.end() for found, _ in zip(_CLAUSE_END.finditer(text), range(_MOST_CUTS), strict=False)]
    connectors = vocabulary.connectors[reading.language]
    joints = [word.start for word in reading.words[1:] if word.text in connectors][:_MOST_CUTS]
    starts = [0]
    for cut in sorted({*ends, *joints}):
        stop = min([end for end in ends if end > cut + 1] + [cut + _LONGEST_OPENING])
        if _asks(reading.between(cut, stop), vocabulary) and reading.between(0, cut).words:
            starts.append(cut)
    return [Clause(start, end) for start, end in zip(starts, [*starts[1:], len(text)], strict=True) if start < end]


def _asks(opening: Reading, vocabulary: Vocabulary) -> bool:
    """Whether a clause begins with a verb; in languages where verbs stand elsewhere, whether it has one at all."""
    if is_unspaced(opening.language):
        return any(word.has("actions") for word in opening.words)
    words = _without_politeness(opening.words, opening.language, vocabulary)
    reach = 2 if opening.language == "de" else 1
    return any(word.has("actions") for word in words[:reach])


def _without_politeness(words: tuple[Word, ...], language: str, vocabulary: Vocabulary) -> tuple[Word, ...]:
    lead_ins = vocabulary.lead_ins[language]
    while words:
        texts = tuple(word.text for word in words[:6])
        longest = max((len(phrase) for phrase in lead_ins if texts[: len(phrase)] == phrase), default=0)
        if not longest:
            break
        words = words[longest:]
    return words
