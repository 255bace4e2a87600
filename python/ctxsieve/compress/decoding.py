"""From a file's bytes to its text: UTF-8, what a byte-order mark says, and what a file declares about itself.

An encoding is never guessed from the bytes. Where none is declared, what is not UTF-8 becomes U+FFFD and is counted.
"""

import codecs
import re
from typing import TYPE_CHECKING

from ctxsieve.patterns import lazy_pattern
from ctxsieve.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DecodedText", "decode_text", "is_binary"]

_UTF32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
# The little mark of UTF-32 begins with that of UTF-16, so that it is asked for first: no text begins with a NUL.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    *((mark, "utf-32") for mark in _UTF32_MARKS),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Python (PEP 263), Ruby, Emacs, Vim and XML all say `coding`, in a comment or declaration of the first lines. Emacs may
# add how lines end.
_CODING = lazy_pattern(
    rb"""[ \t\f]*(?:\#|//|/\*|--|;|%|\(\*|\{-|<!--|<\?xml |\.\. )[^\n]*?"""
    rb"""coding[:=][ \t]*["']?([\w.-]{1,40}?)(?:-(?:unix|dos|mac))?(?![\w.-])"""
)
_META = lazy_pattern(rb"""<meta\b[^>]*?\bcharset\s*=\s*["']?([\w.-]+)""", re.IGNORECASE)
_CHARSET = lazy_pattern(rb'@charset "([\w.-]+)";')
_CODING_LINES = 2
_META_BYTES = 1024
# The families of encodings that are ASCII where their bytes are, so that a declaration says itself how it is read.
_FAMILIES = (
    "iso8859", "cp125", "koi8", "mac-", "cp437", "cp720", "cp737", "cp775", "cp85", "cp86",
    "shift_jis", "euc_", "cp932", "cp949", "cp950", "gbk", "gb2312", "gb18030", "big5",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text and where it comes from.

    `lossless` says whether encoding the text as UTF-8 gives the bytes back; `note` says in words why it does not.
    """

    text: str
    encoding: str
    lossless: bool
    note: str = ""


def decode_text(data: bytes, path: str) -> DecodedText:
    """Return the bytes as text; what their encoding cannot say is replaced by U+FFFD."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return (encoding == "utf-8" and _as_declared(data, path)) or _replaced(data, encoding)
    if encoding == "utf-8":
        return DecodedText(text, encoding, lossless=True)
    note = "without its byte-order mark" if encoding == "utf-8-sig" else f"decoded from {encoding}"
    return DecodedText(text, encoding, lossless=False, note=note)


def is_binary(data: bytes) -> bool:
    """Say whether the bytes are no text: a NUL near the beginning, unless they are marked as UTF-16 or are UTF-32."""
    if data.startswith(_UTF32_MARKS):
        try:
            return "\0" in data.decode("utf-32")
        except UnicodeDecodeError:
            return True
    return b"\0" in data[:8192] and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def _replaced(data: bytes, encoding: str) -> DecodedText:
    mark = "\N{REPLACEMENT CHARACTER}"
    text = data.decode(encoding, "replace")
    count = text.count(mark) - data.decode(encoding, "ignore").count(mark)
    name = encoding.removesuffix("-sig").upper()
    note = f"not valid {name}: {mark} stands for what is lost, {count} time{'s' * (count != 1)}"
    return DecodedText(text, encoding, lossless=False, note=note)


def _as_declared(data: bytes, path: str) -> DecodedText | None:
    """Return the text in the encoding that the file's own kind says it has, None where there is none that fits."""
    for declared, why in _declarations(data, path):
        try:
            name = codecs.lookup(declared.decode("ascii")).name
            if name.startswith(_FAMILIES):
                return DecodedText(data.decode(name), name, lossless=False, note=f"decoded from {name}, {why}")
        except (LookupError, UnicodeDecodeError):
            continue
    return None


def _declarations(data: bytes, path: str) -> "Iterator[tuple[bytes, str]]":
    for number, line in enumerate(data.split(b"\n", _CODING_LINES)[:_CODING_LINES], start=1):
        if (found := _CODING.match(line)) is not None:
            yield found[1], f"as line {number} says"
    ending = path.rpartition(".")[2].lower()
    if ending in ("html", "htm") and (found := _META.search(data[:_META_BYTES])) is not None:
        yield _as_browsers(found[1]), "as it declares"
    if ending == "css" and (found := _CHARSET.match(data)) is not None:
        yield _as_browsers(found[1]), "as it declares"
    if ending == "properties":
        # Java reads these as UTF-8 and, where that is not valid, in this encoding.
        yield b"iso8859-1", "as Java reads it"


def _as_browsers(label: bytes) -> bytes:
    """Return the encoding that a label on the web means."""
    return b"cp1252" if label.lower() in (b"iso-8859-1", b"iso8859-1", b"latin1", b"us-ascii", b"ascii") else label
