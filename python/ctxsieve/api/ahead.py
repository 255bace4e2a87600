"""A project whose tree is walked while its caller still loads."""

from typing import TYPE_CHECKING

from ctxsieve.api.project import Project
from ctxsieve.graph import ProgressCallback, WalkAhead
from ctxsieve.values import dataclass

if TYPE_CHECKING:
    from ctxsieve.graph import ProjectGraph

__all__ = ["AheadProject"]


@dataclass(frozen=True, slots=True)
class AheadProject(Project):
    """A project whose next graph is that of a walk which has begun already, made by `Project.walk_ahead`.

    Everything after it is as in `Project`: every call sees the tree as it is then.
    """

    ahead: WalkAhead

    def graph(self, *, on_progress: ProgressCallback | None = None) -> "ProjectGraph":
        """Return the graph of the walk that was begun, later of a new one."""
        # Loaded here: the walk begins before it.
        from ctxsieve.graph import load_or_build

        return load_or_build(
            self.root,
            cache_directory=self.directories.cache,
            options=self.settings.index,
            on_progress=on_progress,
            walk=self.ahead.take(),
        )
