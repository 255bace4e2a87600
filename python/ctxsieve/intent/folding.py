"""One spelling for what people type in several: case, accents, width and apostrophes."""

import unicodedata

__all__ = ["fold"]


def _base_letters() -> dict[int, str]:
    """Accented Latin letters and the Cyrillic yo, each with its base letter.

    Stripping every combining mark instead would change Japanese (dakuten) and Russian (short i) words.
    """
    table = {}
    for code in range(0xC0, 0x250):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii() and base.isalpha():
            table[code] = base.lower()
    table.update({ord("ё"): "е", ord("ß"): "ss", ord("œ"): "oe", ord("æ"): "ae", ord("ø"): "o", ord("ł"): "l"})
    table.update({ord("’"): "'", ord("‘"): "'", ord("`"): "'"})
    return table


_BASE_LETTERS = _base_letters()


def fold(text: str) -> str:
    """Lower case, without Latin accents, full-width forms narrowed, "n't" written as " not"."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return text.lower().translate(_BASE_LETTERS).replace("n't", " not")
