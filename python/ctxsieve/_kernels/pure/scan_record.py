# ruff: noqa: ARG001
"""Twin of the native kernel."""

from collections.abc import Sequence

from ctxsieve.errors import BackendError


def scan_record(data: bytes, language: int, tables: Sequence[bytes]) -> bytes:
    """Raise until the twin exists."""
    raise BackendError("the index needs the compiled module in this version; run `make build`")
