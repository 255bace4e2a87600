"""Write the words that stand everywhere in source code, by the bits that one of them tells.

usage: python scripts/build_common_words.py

The counts are those of the surprise tables (scripts/ranks): a word counts where it is one token behind a space. Run it
again after `make ranks`; a test holds the table against the counts.
"""

import re
from collections import defaultdict
from pathlib import Path

from ctxsieve.relevance.words import STOP_WORDS
from ctxsieve.surprise import score_lines
from ctxsieve.tokens import decode

_TARGET = Path(__file__).parents[1] / "python" / "ctxsieve" / "relevance" / "common_words.txt"
_VOCABULARY = 199_998
# Rarer words keep all their weight.
_MOST_BITS = 17.0
_STEP = 0.5
_WORD = re.compile(rb" ([a-z]{2,})")


def collect_words() -> list[str]:
    """Return the lower-case words that are one token behind a space."""
    texts = (decode([token]) for token in range(_VOCABULARY))
    found = (_WORD.fullmatch(text) for text in texts)
    return sorted({match[1].decode() for match in found if match} - STOP_WORDS)


def measure_bits(words: list[str]) -> list[float]:
    """Return the surprise of each word behind a space."""
    before = score_lines(b"x")
    scores = score_lines("\n".join(f"x {word}" for word in words).encode())
    lead = float(before.bits[0] * before.tokens[0])
    return (scores.bits * scores.tokens - lead).tolist()


def main() -> None:
    """Write one line per half bit: the bits, rounded down, and the words."""
    words = collect_words()
    by_bits = defaultdict(list)
    for word, bits in zip(words, measure_bits(words), strict=True):
        if bits < _MOST_BITS:
            by_bits[bits // _STEP * _STEP].append(word)
    lines = [f"{bits:g} {' '.join(found)}\n" for bits, found in sorted(by_bits.items())]
    _TARGET.write_text("".join(lines), encoding="utf-8")
    print(f"{sum(map(len, by_bits.values()))} words in {_TARGET.name}")


if __name__ == "__main__":
    main()
