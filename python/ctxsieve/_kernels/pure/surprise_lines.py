"""Surprise of lines of text through tiktoken; the twin of the fused native path."""

import functools
import hashlib
import zlib
from array import array
from collections.abc import Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ctxsieve._kernels.pure.surprise import mean_bits, normalise
from ctxsieve._kernels.pure.tokens import TOKEN_COUNT, load_encoding, split_lines

__all__ = ["surprise_lines"]

COST_UNITS_PER_BIT = 256.0
STEPS_PER_BIT = 16.0
DAMPING_TOKENS = 4
COSTS_SHA256 = "2ed23feb8cc88437fd94d7627ffa6745d3fd15117c61f82ba32e6372bc6fd6a1"
# `\s` of the splitting rule. Python's own idea of white space differs: it has U+001C to U+001F.
WHITE_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


@functools.cache
def load_costs() -> list[int]:
    """Return the cost of every token id in 1/256 bit."""
    packed = files("ctxsieve._kernels").joinpath("data", "token_costs.bin").read_bytes()
    content = zlib.decompress(packed)
    digest = hashlib.sha256(content).hexdigest()
    if digest != COSTS_SHA256:
        raise ValueError(f"the table of token costs has sha256 {digest}: it must be {COSTS_SHA256}; reinstall ctxsieve")
    return [low | high << 8 for low, high in zip(content[:TOKEN_COUNT], content[TOKEN_COUNT:], strict=True)]


@functools.cache
def load_shares() -> list[int]:
    """Return the share of lines below every 1/16 bit, in 1/65535."""
    content = files("ctxsieve._kernels").joinpath("data", "surprise_quantiles.bin").read_bytes()
    return [low | high << 8 for low, high in zip(content[::2], content[1::2], strict=True)]


def surprise_lines(
    buffers: Sequence[bytes], *, threads: int
) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.float64], NDArray[np.int64]]:
    """Return bits, tokens and normalised scores of the lines of all buffers, and where those of each buffer start.

    `threads` is for the native core; the interpreter runs one thread at a time.
    """
    del threads
    encode, costs, shares = load_encoding().encode_ordinary, load_costs(), load_shares()
    bits, tokens, normalised, offsets = array("d"), array("I"), array("d"), array("q", [0])
    for buffer in buffers:
        for line in split_lines(buffer):
            ids = encode(line.decode("utf-8", "replace").strip(WHITE_SPACE))
            cost = sum(costs[token] for token in ids)
            bits.append(mean_bits(cost, len(ids), COST_UNITS_PER_BIT))
            tokens.append(len(ids))
            damped = mean_bits(cost, len(ids) + DAMPING_TOKENS, COST_UNITS_PER_BIT)
            normalised.append(normalise(damped, shares, STEPS_PER_BIT))
        offsets.append(len(bits))
    return np.asarray(bits), np.asarray(tokens), np.asarray(normalised), np.asarray(offsets)
