"""A project that follows its tree by file events."""

import threading

from ctxsieve.api.project import Project
from ctxsieve.graph import LiveGraph, ProgressCallback, ProjectGraph
from ctxsieve.values import dataclass

__all__ = ["WatchedProject"]


@dataclass(frozen=True, slots=True)
class WatchedProject(Project):
    """A project whose graph stays in memory and follows its tree; a context manager, made by `Project.watch`.

    All that `Project` offers is there, its sessions too, and answers the same: every call sees the tree as it is then,
    and files that an answer shows are read when it is made. It may be shared between threads.

    Attributes:
        live: the graph and its watch; `live.problem` says why a tree cannot be watched and is walked at every call.
    """

    live: LiveGraph

    def graph(self, *, on_progress: ProgressCallback | None = None) -> ProjectGraph:
        """Return the graph as it is now, from memory while no event arrived."""
        return self.live.graph(on_progress=on_progress)

    def wait(self, stop: threading.Event) -> bool:
        """Wait until something may have changed; False when `stop` was set."""
        return self.live.wait(stop)

    def __enter__(self) -> "WatchedProject":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop watching."""
        self.live.close()
