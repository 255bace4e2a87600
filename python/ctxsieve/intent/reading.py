"""Reads the words of one clause and says what they mean."""

import re
from dataclasses import dataclass

from ctxsieve.intent.folding import fold
from ctxsieve.intent.vocabulary import UNSPACED_LANGUAGES, Sense, Vocabulary

__all__ = ["Reading", "Word", "choose_language", "read_words", "words_of"]

_SPACED = re.compile(r"[a-z\u0250-\u02af\u0400-\u04ff]+|\d+")
_UNSPACED = re.compile(r"[\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff々ー]+")
_KANA = re.compile(r"[\u3041-\u30fa]")
_ANY = re.compile(f"{_UNSPACED.pattern}|{_SPACED.pattern}")


@dataclass(frozen=True, slots=True)
class Word:
    """A folded word with all its readings; in unspaced scripts a matched run or the text between two."""

    text: str
    start: int
    senses: tuple[Sense, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a clause with the readings of its own language (and of English, which developers mix in)."""

    words: tuple[Word, ...]
    language: str


def words_of(folded: str, vocabulary: Vocabulary) -> list[Word]:
    """All words with all their readings, in order; a phrase's reading stands at its first word."""
    words: list[Word] = []
    for found in _ANY.finditer(folded):
        if _UNSPACED.match(found[0]):
            words.extend(_read_run(found[0], found.start(), vocabulary))
        else:
            words.append(Word(found[0], found.start(), tuple(vocabulary.senses_of(found[0]))))
    return _read_phrases(words, vocabulary)


def _read_run(run: str, start: int, vocabulary: Vocabulary) -> list[Word]:
    """Longest match from the left, as there are no spaces to go by."""
    words = []
    position = pending = 0
    while position < len(run):
        for length in range(min(vocabulary.longest_run, len(run) - position), 0, -1):
            senses = vocabulary.runs.get(run[position : position + length])
            if senses:
                if pending < position:
                    words.append(Word(run[pending:position], start + pending, ()))
                words.append(Word(run[position : position + length], start + position, tuple(senses)))
                position += length
                pending = position
                break
        else:
            position += 1
    if pending < len(run):
        words.append(Word(run[pending:], start + pending, ()))
    return words


def _read_phrases(words: list[Word], vocabulary: Vocabulary) -> list[Word]:
    texts = [word.text for word in words]
    for index, word in enumerate(words):
        extra = []
        for parts, sense in vocabulary.phrases.get(word.text, ()):
            if len(parts) <= len(texts) - index and all(
                text == part or (part.endswith("*") and text.startswith(part[:-1]))
                for text, part in zip(texts[index:], parts, strict=False)
            ):
                extra.append(sense)
        if extra:
            words[index] = Word(word.text, word.start, (*extra, *word.senses))
    return words


def choose_language(words: list[Word], folded: str) -> str:
    """The language that explains most words; function words count full, other words half, ties go to English."""
    if any(_UNSPACED.match(word.text) for word in words):
        return "ja" if _KANA.search(folded) else "zh"
    votes: dict[str, float] = {"en": 0.01}
    for word in words:
        weights: dict[str, float] = {}
        for sense in word.senses:
            weight = 1.0 if sense.section == "function_words" else 0.6
            weights[sense.language] = max(weight, weights.get(sense.language, 0.0))
        for language, weight in weights.items():
            votes[language] = votes.get(language, 0.0) + weight / len(weights)
    return max(votes, key=lambda language: (votes[language], language == "en"))


def read_words(text: str, vocabulary: Vocabulary, language: str | None = None) -> Reading:
    """The words of `text` with the readings that fit its language, which is guessed unless given."""
    folded = fold(text)
    words = words_of(folded, vocabulary)
    language = language or choose_language(words, folded)
    kept = []
    for word in words:
        senses = [
            sense
            for sense in word.senses
            if sense.language == language
            or (sense.language == "en" and sense.section != "function_words" and language != "en")
        ]
        own = [sense for sense in senses if sense.language == language]
        # A word that the prompt's language knows is not read as English as well.
        kept.append(Word(word.text, word.start, tuple(own or senses)))
    return Reading(tuple(kept), language)


def is_unspaced(language: str) -> bool:
    """Whether the language is written without spaces, where a verb has no place of its own."""
    return language in UNSPACED_LANGUAGES
