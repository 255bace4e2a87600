"""Without the native core nothing finds or removes nodes here: the Python of `ctxsieve.compress` is the twin."""

from typing import Self

from ctxsieve._kernels.node_removal import FoundNodes, LeftText, RemovedNodes

__all__ = ["RemovalQueue", "find_nodes", "leave_out", "remove_nodes"]


def find_nodes(*_source: object, **_limits: object) -> FoundNodes | None:
    """Return None: the caller has to do it."""
    return None


def leave_out(*_source: object, **_limits: object) -> LeftText | None:
    """Return None: the caller has to do it."""
    return None


def remove_nodes(*_source: object, **_limits: object) -> RemovedNodes | None:
    """Return None: the caller has to do it."""
    return None


class RemovalQueue:
    """Takes no file: the caller has to do them all."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def add(self, *_source: object, **_limits: object) -> int | None:
        """Return None: the caller has to do it."""
        return None

    def take(self, number: int) -> RemovedNodes:
        """Refuse: no file was ever added."""
        raise ValueError(f"file {number} is not in the queue")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass
