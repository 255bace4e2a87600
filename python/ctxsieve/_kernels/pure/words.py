"""Twin of the native words and terms: runs of letters, and the parts that identifiers are made of."""

import re
from functools import lru_cache

__all__ = ["FIELDS", "MAX_WORD_BYTES", "MIN_WORD_BYTES", "WORD", "WORD_BYTES", "Words", "terms_of"]

FIELDS = 4
DEFINITIONS, COMMENTS, STRINGS, CODE = range(FIELDS)
MIN_WORD_BYTES = 2
MAX_WORD_BYTES = 64
WORD = re.compile(rb"[0-9A-Za-z_\x80-\xff]+")
WORD_BYTES = frozenset(byte for byte in range(256) if WORD.fullmatch(bytes([byte])))
_DIGITS = frozenset(b"0123456789")


class Words:
    """Counts of the distinct words of one source, by field."""

    def __init__(self) -> None:
        self.counts: dict[bytes, list[int]] = {}

    def add(self, word: bytes, field: int) -> None:
        """Count a word, which holds word bytes only."""
        counts = self.counts.get(word)
        if counts is not None:
            counts[field] += 1
        elif MIN_WORD_BYTES <= len(word) <= MAX_WORD_BYTES and word[0] not in _DIGITS:
            self.counts[word] = counts = [0] * FIELDS
            counts[field] = 1

    def add_all(self, source: bytes, start: int, end: int, field: int, escape: bytes = b"") -> None:
        """Count every word of `source[start:end]`; with `escape`, that byte and the next belong to no word."""
        pattern = _escaped_word(escape) if escape else WORD
        for word in pattern.findall(source, start, max(start, end)):
            if word[0] in WORD_BYTES:
                self.add(word, field)


@lru_cache(maxsize=16)
def _escaped_word(escape: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"[0-9A-Za-z_\x80-\xff]+|" + re.escape(escape) + rb"[\x00-\xff]?", re.DOTALL)


@lru_cache(maxsize=1 << 18)
def terms_of(word: bytes) -> tuple[bytes, ...]:
    """Return the terms of a word, lower-cased: the word itself, then its parts where they differ from it."""
    lower = word.lower()
    terms = [lower]
    start = 0
    for position in range(1, len(word) + 1):
        if position < len(word) and not _is_boundary(word, position):
            continue
        part = word[start:position].strip(b"_")
        if len(part) >= MIN_WORD_BYTES and part[0] not in _DIGITS and len(part) < len(word):
            terms.append(part.lower())
        start = position
    return tuple(terms)


def _is_boundary(word: bytes, position: int) -> bool:
    before, here = word[position - 1], word[position]
    if (before == 0x5F) != (here == 0x5F):
        return True
    if not 0x41 <= here <= 0x5A:
        return False
    if 0x41 <= before <= 0x5A:
        return position + 1 < len(word) and 0x61 <= word[position + 1] <= 0x7A
    return before != 0x5F
