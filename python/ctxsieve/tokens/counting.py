"""Token counts without ids."""

from typing import TYPE_CHECKING

from ctxsieve import _kernels
from ctxsieve.tokens.text import utf8_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["count_lines", "count_tokens"]


def count_tokens(text: str | bytes) -> int:
    """Return the number of o200k_base tokens of the text.

    Bytes that are not UTF-8 count as the replacement characters that a decoder shows in their place.
    """
    return _kernels.count_tokens(utf8_bytes(text))


def count_lines(text: str | bytes) -> "NDArray[np.uint32]":
    r"""Return the number of tokens of every line, each taken alone.

    Lines end at `\n`, which is not counted, nor is a `\r` before it. The counts do not add up to `count_tokens`: tokens
    may span line breaks.
    """
    return _kernels.count_lines(utf8_bytes(text))
