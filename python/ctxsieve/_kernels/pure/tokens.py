"""Exact o200k_base tokens through tiktoken, fed with our own vocabulary file: nothing is downloaded."""

import functools
import hashlib
import zlib
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import tiktoken

__all__ = ["count_lines", "count_tokens", "decode_tokens", "encode_tokens", "split_lines"]

TOKEN_COUNT = 199_998
VOCABULARY_SHA256 = "440741350e7cfa1c0f4869ce742d1b043550adbda5187adcac9e787edac6fba9"
# The published splitting rule of o200k_base; the native pre-tokeniser implements the same rule by hand.
PATTERN = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)


def read_vocabulary() -> list[bytes]:
    """Return the bytes of every token in rank order; a damaged file raises ValueError."""
    packed = files("ctxsieve._kernels").joinpath("data", "o200k_base.bin").read_bytes()
    content = zlib.decompress(packed)
    digest = hashlib.sha256(content).hexdigest()
    if digest != VOCABULARY_SHA256:
        raise ValueError(f"the vocabulary has sha256 {digest}: it must be {VOCABULARY_SHA256}; reinstall ctxsieve")
    tokens = []
    start = TOKEN_COUNT
    for length in content[:TOKEN_COUNT]:
        tokens.append(content[start : start + length])
        start += length
    return tokens


@functools.cache
def load_encoding() -> "tiktoken.Encoding":
    import tiktoken

    ranks = {token: rank for rank, token in enumerate(read_vocabulary())}
    return tiktoken.Encoding("o200k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})


def decode_text(data: bytes) -> str:
    """Return the text that is counted: bytes that are not UTF-8 count as the replacement character."""
    return bytes(data).decode("utf-8", "replace")


def split_lines(data: bytes) -> list[bytes]:
    r"""Return the lines without their `\n` or `\r\n`; a trailing line break opens no further line."""
    lines = bytes(data).split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix(b"\r") for line in lines]


def encode_tokens(data: bytes) -> NDArray[np.uint32]:
    """Return the token ids of the text."""
    return np.array(load_encoding().encode_ordinary(decode_text(data)), dtype=np.uint32)


def count_tokens(data: bytes) -> int:
    """Return the number of tokens of the text."""
    return len(load_encoding().encode_ordinary(decode_text(data)))


def count_lines(data: bytes) -> NDArray[np.uint32]:
    """Return the number of tokens of every line taken alone."""
    encode = load_encoding().encode_ordinary
    return np.array([len(encode(decode_text(line))) for line in split_lines(data)], dtype=np.uint32)


def decode_tokens(ids: Sequence[int]) -> bytes:
    """Return the bytes of the tokens, concatenated."""
    for position, token in enumerate(ids):
        if not 0 <= token < TOKEN_COUNT:
            raise ValueError(f"token {position} is {token}: ids go from 0 to {TOKEN_COUNT - 1}")
    return load_encoding().decode_bytes(list(ids))
