"""Text to token ids and back."""

from collections.abc import Iterable

from ctxsieve import _kernels
from ctxsieve.errors import InputError
from ctxsieve.tokens.text import utf8_bytes

__all__ = ["decode", "encode"]


def encode(text: str | bytes) -> list[int]:
    """Return the o200k_base ids of the text; bytes that are not UTF-8 are encoded as replacement characters."""
    ids: list[int] = _kernels.encode_tokens(utf8_bytes(text)).tolist()
    return ids


def decode(ids: Iterable[int]) -> bytes:
    """Return the bytes of the tokens; an id outside the vocabulary raises InputError."""
    try:
        return _kernels.decode_tokens(list(ids))
    except (ValueError, OverflowError) as error:
        raise InputError(str(error)) from error
