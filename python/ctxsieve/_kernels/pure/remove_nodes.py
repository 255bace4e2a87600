"""Without the native core nothing finds or removes nodes here: the Python of `ctxsieve.compress` is the twin."""

from ctxsieve._kernels.node_removal import FoundNodes, RemovedNodes

__all__ = ["find_nodes", "remove_nodes"]


def find_nodes(*_source: object, **_limits: object) -> FoundNodes | None:
    """Return None: the caller has to do it."""
    return None


def remove_nodes(*_source: object, **_limits: object) -> RemovedNodes | None:
    """Return None: the caller has to do it."""
    return None
