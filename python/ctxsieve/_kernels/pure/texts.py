"""Look-ups among sorted texts that stand behind each other."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels.pure.buffers import Buffer, borrow_bytes, borrow_uint32

__all__ = ["find_texts"]


def find_texts(offsets: Buffer, blob: Buffer, queries: Sequence[bytes]) -> npt.NDArray[np.int64]:
    """Return the position of every query among sorted texts, -1 where it is none of them.

    Text `n` is `blob[offsets[n]:offsets[n + 1]]`.
    """
    bounds, content = borrow_uint32("offsets", offsets), borrow_bytes("blob", blob)
    positions = range(len(bounds) - 1)

    def text(position: int) -> bytes:
        return bytes(content[bounds[position] : bounds[position + 1]])

    def find(query: bytes) -> int:
        position = bisect_left(positions, query, key=text)
        return position if position < len(positions) and text(position) == query else -1

    return np.array([find(query) for query in queries], dtype=np.int64)
