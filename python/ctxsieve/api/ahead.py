"""A project whose tree is walked while its caller still loads."""

from ctxsieve.api.project import Project
from ctxsieve.graph import ProgressCallback, ProjectGraph, WalkAhead, load_or_build
from ctxsieve.values import dataclass

__all__ = ["AheadProject"]


@dataclass(frozen=True, slots=True)
class AheadProject(Project):
    """A project whose next graph is that of a walk which has begun already, made by `Project.walk_ahead`.

    Everything after it is as in `Project`: every call sees the tree as it is then.
    """

    ahead: WalkAhead

    def graph(self, *, on_progress: ProgressCallback | None = None) -> ProjectGraph:
        """Return the graph of the walk that was begun, later of a new one."""
        return load_or_build(
            self.root,
            cache_directory=self.directories.cache,
            options=self.settings.index,
            on_progress=on_progress,
            walk=self.ahead.take(),
        )
