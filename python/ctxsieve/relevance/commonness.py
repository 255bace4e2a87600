"""How much a word tells about a place in code: `file` and `type` stand everywhere, `cookie` does not.

A project's own statistics cannot know that: in a small tree a word that every programmer uses may stand in one file by
chance.
"""

from functools import lru_cache
from pathlib import Path

__all__ = ["COMMON_BITS", "RARE_BITS", "commonness"]

# The table holds the words below RARE_BITS; none has as few as COMMON_BITS.
COMMON_BITS = 8.0
RARE_BITS = 17.0


@lru_cache(maxsize=1)
def _load() -> dict[str, float]:
    table = Path(__file__).with_name("common_words.txt").read_text(encoding="utf-8")
    rows = (line.split() for line in table.splitlines())
    return {word: float(bits) for bits, *words in rows for word in words}


def commonness(word: str) -> float:
    """Return how common a lower-case word is in source code, from 0 for all but some 1,800 words towards 1.

    Measured in bits of surprise under the counted token ranks (scripts/build_common_words.py): it falls with the
    logarithm of the word's rank.
    """
    bits = _load().get(word)
    return 0.0 if bits is None else (RARE_BITS - bits) / (RARE_BITS - COMMON_BITS)
