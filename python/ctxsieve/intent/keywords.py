"""Picks the words of a task that are worth searching for."""

from ctxsieve.intent.reading import Reading, Word
from ctxsieve.intent.vocabulary import Meanings
from ctxsieve.patterns import lazy_pattern

__all__ = ["find_keywords"]

_MOST_KEYWORDS = 16
_UNSPACED = lazy_pattern(r"[\u30a1-\u30faー]{2,}|[\u3400-\u4dbf\u4e00-\u9fff々]{2,}")
_WORD_SECTIONS = ("function_words", "actions", "urgency", "scope")


def find_keywords(reading: Reading, text: str, targets: tuple[str, ...], meanings: Meanings) -> tuple[str, ...]:
    """At most 16 words as the user spelled them, in order, followed by the targets.

    Left out are verbs that say what to do, function words, words of urgency and scope, and words for the kind of
    work ("bug", "tests").
    """
    found: dict[str, str] = {}
    for word in reading.words:
        if len(found) >= _MOST_KEYWORDS or _is_common(word, meanings):
            continue
        if word.text[0] >= "\u3000":
            for run in _UNSPACED.findall(word.text):
                found.setdefault(run, run)
        elif len(word.text) > 1 and not word.text.isdigit():
            found.setdefault(word.text, text[word.start : word.start + len(word.text)])
    kept = targets[:_MOST_KEYWORDS]
    words = [word for word in found.values() if word not in kept]
    return (*words[: _MOST_KEYWORDS - len(kept)], *kept)


def _is_common(word: Word, meanings: Meanings) -> bool:
    return any(
        sense.section in _WORD_SECTIONS or (sense.section == "concepts" and meanings.concepts[sense.name].generic)
        for sense in word.senses
    )
