# ruff: noqa: ARG001
"""Twin of the native kernel."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.errors import BackendError


def build_segment(
    root: bytes,
    paths: Sequence[bytes],
    languages: npt.NDArray[np.int16],
    tables: Sequence[bytes],
    max_bytes: int,
    threads: int,
    output: bytes,
) -> None:
    """Raise until the twin exists."""
    raise BackendError("the index needs the compiled module in this version; run `make build`")
