"""One spelling for what people type in several: case, accents, width and apostrophes."""

import unicodedata
from functools import cache

__all__ = ["fold", "normalise"]


@cache
def _base_letters() -> dict[int, str]:
    """Accented Latin letters and the Cyrillic yo, each with one base letter.

    Stripping every combining mark instead would change Japanese (dakuten) and Russian (short i) words.
    """
    table = {}
    for code in range(0xC0, 0x250):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii() and base.isalpha():
            table[code] = base.lower()
    table.update({ord("ё"): "е", ord("ß"): "s", ord("œ"): "o", ord("æ"): "a", ord("ø"): "o", ord("ł"): "l"})
    table.update({ord("’"): "'", ord("‘"): "'", ord("`"): "'"})
    return table


def normalise(text: str) -> str:
    """Full-width and composed forms narrowed to one spelling (NFKC)."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def fold(text: str) -> str:
    """Normalised text in lower case and without Latin accents, of the same length, so that positions agree.

    "n't" becomes " nt", a word of its own.
    """
    lowered = text.lower()
    if lowered.isascii():
        return lowered.replace("`", "'").replace("n't", " nt")
    if len(lowered) != len(text):
        lowered = "".join(lower if len(lower := letter.lower()) == 1 else letter for letter in text)
    return lowered.translate(_base_letters()).replace("n't", " nt")
