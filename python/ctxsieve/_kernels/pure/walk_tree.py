# ruff: noqa: ARG001
"""Twin of the native kernel."""

from ctxsieve._kernels.trees import WalkedTree
from ctxsieve.errors import BackendError


def walk_tree(root: bytes, threads: int) -> WalkedTree:
    """Raise until the twin exists."""
    raise BackendError("the index needs the compiled module in this version; run `make build`")
