"""The projects that a server has open; all of this may be used from several worker threads."""

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from ctxsieve.api import Project, Session
from ctxsieve.errors import InputError, StoreError
from ctxsieve.store import MEMORY, Store
from ctxsieve.values import dataclass

__all__ = ["OpenProject", "ProjectHost"]


@dataclass(frozen=True, slots=True)
class OpenProject:
    """A project with its store, which all its consumers share."""

    project: Project
    store: Store

    def session(self, consumer: str | None, *, session: str | None) -> Session:
        """Return the window of one consumer."""
        return self.project.session(session=session, consumer=consumer, store=self.store)


class ProjectHost:
    """Opens each project once and keeps it."""

    def __init__(
        self, environment: Mapping[str, str], *, session: str | None = None, warn: Callable[[str], None]
    ) -> None:
        self._environment = environment
        self._session = session
        self._warn = warn
        self._lock = threading.Lock()
        self._open: dict[Path, OpenProject] = {}
        self._closing = ExitStack()

    def open(self, root: Path) -> OpenProject:
        """Return the project at `root`; where its store cannot be used, one that forgets, and a warning."""
        with self._lock:
            found = self._open.get(root)
            if found is None:
                project = self._watched(Project.open(root, environment=self._environment))
                try:
                    store = Store(project.directories.store)
                except StoreError as error:
                    self._warn(f"nothing is recorded: {error}")
                    store = Store(MEMORY)
                self._closing.callback(store.close)
                found = self._open[root] = OpenProject(project, store)
            return found

    def session(self, root: Path, consumer: str | None) -> Session:
        """Return the session of a consumer on the project at `root`; it need not be closed."""
        return self.open(root).session(consumer, session=self._session)

    def _watched(self, project: Project) -> Project:
        """Return the project following its tree by file events, or as it is where that is not installed."""
        try:
            watched = project.watch()
        except InputError:
            return project
        self._closing.callback(watched.close)
        return watched

    def close(self) -> None:
        """Close all stores."""
        with self._lock:
            self._closing.close()
            self._open.clear()
