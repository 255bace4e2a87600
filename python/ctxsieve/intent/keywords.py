"""Picks the words of a task that are worth searching for."""

import re

from ctxsieve.intent.folding import fold
from ctxsieve.intent.reading import Reading
from ctxsieve.intent.vocabulary import Meanings

__all__ = ["find_keywords"]

_MOST_KEYWORDS = 16
_SPACED = re.compile(r"[^\W_]+(?:[-+#][^\W_]+)*", re.UNICODE)
_UNSPACED = re.compile(r"[\u30a1-\u30faー]{2,}|[\u3400-\u4dbf\u4e00-\u9fff々]{2,}")


def find_keywords(reading: Reading, prose: str, targets: tuple[str, ...], meanings: Meanings) -> tuple[str, ...]:
    """At most 16 words as the user spelled them, in order, followed by the targets.

    Left out are verbs that say what to do, function words, words of urgency and scope, and words for the kind of
    work ("bug", "tests").
    """
    content = {word.text for word in reading.words if not _is_common(word.senses, meanings)}
    found: dict[str, str] = {}
    for spelled in re.findall(r"[A-Za-z0-9\u00c0-\u024f\u0400-\u04ff]+", prose):
        folded = fold(spelled)
        if len(folded) > 1 and not folded.isdigit() and folded in content:
            found.setdefault(folded, spelled)
    for word in reading.words:
        if not _is_common(word.senses, meanings):
            for run in _UNSPACED.findall(word.text):
                found.setdefault(run, run)
    words = [word for word in found.values() if word not in targets]
    return (*words[: _MOST_KEYWORDS - min(len(targets), _MOST_KEYWORDS)], *targets[:_MOST_KEYWORDS])


def _is_common(senses: tuple[object, ...], meanings: Meanings) -> bool:
    for sense in senses:
        section, name = sense.section, sense.name  # type: ignore[attr-defined]
        if section in ("function_words", "actions", "urgency", "scope"):
            return True
        if section == "concepts" and meanings.concepts[name].generic:
            return True
    return False
