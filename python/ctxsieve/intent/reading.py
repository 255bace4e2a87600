"""Reads the words of a prompt and says what they mean."""

from bisect import bisect_left
from collections.abc import Sequence

from ctxsieve.intent.folding import fold
from ctxsieve.intent.vocabulary import UNSPACED_LANGUAGES, Sense, Vocabulary
from ctxsieve.patterns import lazy_pattern
from ctxsieve.values import dataclass

__all__ = ["Reading", "Word", "is_unspaced", "read_words"]

_SPACED = r"[a-z\u0250-\u02af\u0400-\u04ff]+|\d+"
_UNSPACED = r"[\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff々ー]+"
_KANA = lazy_pattern(r"[\u3041-\u30fa]")
_WORD = lazy_pattern(f"{_UNSPACED}|{_SPACED}")
# Compiled in a fraction of the time.
_ASCII_WORD = lazy_pattern(r"[a-z]+|\d+")
_UNSPACED_RUN = lazy_pattern(_UNSPACED)
_FUNCTION_WORD_VOTE, _OTHER_WORD_VOTE = 1.0, 0.6
_ENGLISH_FIRST = 0.01
# Function words up to so long are words of code and of English as well: "war", "del", "dir", "con", "die", "os".
_AMBIGUOUS_LETTERS = 3
_SUFFICIENT_AMBIGUOUS_WORDS = 2


@dataclass(frozen=True, slots=True)
class Word:
    """A folded word with its readings; in unspaced scripts a matched run or the text between two."""

    text: str
    start: int
    senses: tuple[Sense, ...]

    def has(self, section: str) -> bool:
        """Whether some reading is of that section."""
        return any(sense.section == section for sense in self.senses)


@dataclass(frozen=True, slots=True)
class Reading:
    """Words in order, with the readings of the prompt's language (and of English, which developers mix in)."""

    words: tuple[Word, ...]
    language: str

    def between(self, start: int, end: int) -> "Reading":
        """The words that begin in `start..end`."""
        first = bisect_left(self.words, start, key=lambda word: word.start)
        last = bisect_left(self.words, end, key=lambda word: word.start)
        return Reading(self.words[first:last], self.language)

    def names(self, section: str) -> list[str]:
        """The names of all readings of a section, in order."""
        return [sense.name for word in self.words for sense in word.senses if sense.section == section]


def read_words(text: str, vocabulary: Vocabulary) -> Reading:
    """The words of normalised `text`; its language is the one that explains most of them."""
    folded = fold(text)
    words = _words_of(folded, vocabulary)
    language = _choose_language(words, folded, is_plain=text.isascii())
    own_verbs = any(sense.section == "actions" and sense.language == language for w in words for sense in w.senses)
    kept = []
    for word in words:
        own = tuple([sense for sense in word.senses if sense.language == language])
        # A word that the prompt's language knows is not read as English as well.
        kept.append(Word(word.text, word.start, own or _english(word.senses, with_verbs=not own_verbs)))
    return Reading(tuple(kept), language)


def is_unspaced(language: str) -> bool:
    """Whether the language is written without spaces, where a verb has no place of its own."""
    return language in UNSPACED_LANGUAGES


def _english(senses: tuple[Sense, ...], *, with_verbs: bool) -> tuple[Sense, ...]:
    sections = ("actions", "concepts", "urgency", "scope") if with_verbs else ("concepts", "urgency", "scope")
    return tuple([sense for sense in senses if sense.language == "en" and sense.section in sections])


def _words_of(folded: str, vocabulary: Vocabulary) -> list[Word]:
    """All words with all their readings, in order; a phrase's reading stands at its first word."""
    words: list[Word] = []
    for found in (_ASCII_WORD if folded.isascii() else _WORD).finditer(folded):
        text = found[0]
        if not text[0].isascii() and _UNSPACED_RUN.match(text):
            words.extend(_read_run(text, found.start(), vocabulary))
        else:
            text = "not" if text == "nt" else text
            words.append(Word(text, found.start(), vocabulary.senses_of(text)))
    _read_phrases(words, vocabulary)
    return words


def _read_run(run: str, start: int, vocabulary: Vocabulary) -> list[Word]:
    """Longest match from the left, as there are no spaces to go by."""
    words = []
    position = pending = 0
    while position < len(run):
        longest = min(vocabulary.longest_run.get(run[position], 0), len(run) - position)
        for length in range(longest, 0, -1):
            senses = vocabulary.senses_of_run(run[position : position + length])
            if senses:
                if pending < position:
                    words.append(Word(run[pending:position], start + pending, ()))
                words.append(Word(run[position : position + length], start + position, senses))
                position += length
                pending = position
                break
        else:
            position += 1
    if pending < len(run):
        words.append(Word(run[pending:], start + pending, ()))
    return words


def _read_phrases(words: list[Word], vocabulary: Vocabulary) -> None:
    for index, word in enumerate(words):
        phrases = vocabulary.phrases.get(word.text)
        if not phrases:
            continue
        following = [later.text for later in words[index : index + vocabulary.longest_phrase]]
        extra = [vocabulary.sense(sense) for parts, sense in phrases if _begins_with(following, parts)]
        if extra:
            words[index] = Word(word.text, word.start, (*extra, *word.senses))


def _begins_with(texts: Sequence[str], parts: Sequence[str]) -> bool:
    return len(parts) <= len(texts) and all(
        text == part or (part.endswith("*") and text.startswith(part[:-1]))
        for text, part in zip(texts, parts, strict=False)
    )


def _choose_language(words: list[Word], folded: str, *, is_plain: bool) -> str:
    """Function words count full, other words less, a word of several languages by shares; ties go to English.

    In plain letters one short function word does not make a language: it takes another one, or a word that English and
    code do not have.
    """
    if any(_is_unspaced_letter(word.text[0]) for word in words):
        return "ja" if _KANA.search(folded) else "zh"
    votes: dict[str, float] = {"en": _ENGLISH_FIRST}
    for word in words:
        weights: dict[str, float] = {}
        for sense in word.senses:
            weight = _FUNCTION_WORD_VOTE if sense.section == "function_words" else _OTHER_WORD_VOTE
            weights[sense.language] = max(weight, weights.get(sense.language, 0.0))
        for language, weight in weights.items():
            votes[language] = votes.get(language, 0.0) + weight / len(weights)
    sure = _sure_languages(words) if is_plain else votes
    return max((language for language in votes if language in sure), key=lambda language: votes[language])


def _sure_languages(words: list[Word]) -> set[str]:
    """Return English and the languages that more than one short function word speaks for."""
    sure = {"en"}
    short: dict[str, set[str]] = {}
    for word in words:
        languages = {sense.language for sense in word.senses}
        if "en" in languages:
            continue
        for language in languages:
            sections = {sense.section for sense in word.senses if sense.language == language}
            if len(word.text) > _AMBIGUOUS_LETTERS or "function_words" not in sections:
                sure.add(language)
            else:
                short.setdefault(language, set()).add(word.text)
    return sure | {language for language, texts in short.items() if len(texts) >= _SUFFICIENT_AMBIGUOUS_WORDS}


def _is_unspaced_letter(letter: str) -> bool:
    return "\u3005" <= letter <= "\u9fff"
