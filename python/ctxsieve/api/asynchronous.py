"""A project for asynchronous programs: the same answers, worked out beside the event loop."""

import asyncio
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ctxsieve.api.project import Project
from ctxsieve.benchmark import BenchmarkReport
from ctxsieve.graph import ProgressCallback, ProjectGraph
from ctxsieve.pipeline import Preload, Reading, Style
from ctxsieve.relevance import Ranking

if TYPE_CHECKING:
    from ctxsieve.graph import Communities, Cycle, DependencyPath, GraphExport, Impact
    from ctxsieve.overview import Overview
    from ctxsieve.smells import SmellReport

__all__ = ["AsyncProject"]

Answer = TypeVar("Answer")


class _Cancelled(BaseException):
    """Ends work that nobody waits for any more; no handler for errors takes it for one."""


class AsyncProject:
    """Wraps a project, a watched one too; the long calls are coroutines that work in a thread.

    A cancelled call raises `CancelledError` at once. Its thread ends at the next step of indexing; past that it
    finishes within the time of a warm answer, and nobody hears of it. What it wrote until then is whole: caches are
    replaced in one step. `on_progress` is called in the event loop.

    Attributes:
        project: for what is quick enough to be called directly, such as `session`.
    """

    def __init__(self, project: Project) -> None:
        self.project = project

    @classmethod
    async def open(
        cls, path: str | os.PathLike[str] = ".", *, environment: Mapping[str, str] | None = None
    ) -> "AsyncProject":
        """Return the project at `path`; see `Project.open`."""
        return cls(await asyncio.to_thread(Project.open, path, environment=environment))

    async def graph(self, *, on_progress: ProgressCallback | None = None) -> ProjectGraph:
        """See `Project.graph`."""
        return await self._run(lambda on_progress: self.project.graph(on_progress=on_progress), on_progress)

    async def preload(
        self,
        task: str,
        *,
        budget_tokens: int | None = None,
        style: Style = Style.TEXT,
        role: str | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> Preload:
        """See `Project.preload`."""

        def work(on_progress: ProgressCallback) -> Preload:
            return self.project.preload(
                task, budget_tokens=budget_tokens, style=style, role=role, on_progress=on_progress
            )

        return await self._run(work, on_progress)

    async def rank(self, task: str, *, on_progress: ProgressCallback | None = None) -> Ranking:
        """See `Project.rank`."""
        return await self._run(lambda on_progress: self.project.rank(task, on_progress=on_progress), on_progress)

    async def read(
        self, paths: Sequence[str], *, mode: str | None = None, task: str = "", budget_tokens: int | None = None
    ) -> tuple[Reading, ...]:
        """See `Project.read`."""
        return await asyncio.to_thread(self.project.read, paths, mode=mode, task=task, budget_tokens=budget_tokens)

    async def benchmark(
        self,
        *,
        modes: tuple[str, ...] | None = None,
        maximum_files: int | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> BenchmarkReport:
        """See `Project.benchmark`."""

        def work(on_progress: ProgressCallback) -> BenchmarkReport:
            return self.project.benchmark(modes=modes, maximum_files=maximum_files, on_progress=on_progress)

        return await self._run(work, on_progress)

    async def overview(
        self, task: str = "", *, budget_tokens: int | None = None, on_progress: ProgressCallback | None = None
    ) -> "Overview":
        """See `Project.overview`."""

        def work(on_progress: ProgressCallback) -> "Overview":
            return self.project.overview(task, budget_tokens=budget_tokens, on_progress=on_progress)

        return await self._run(work, on_progress)

    async def smells(
        self,
        paths: Sequence[str] = (),
        *,
        with_everything: bool = False,
        on_progress: ProgressCallback | None = None,
    ) -> "SmellReport":
        """See `Project.smells`."""

        def work(on_progress: ProgressCallback) -> "SmellReport":
            return self.project.smells(paths, with_everything=with_everything, on_progress=on_progress)

        return await self._run(work, on_progress)

    async def communities(self, *, on_progress: ProgressCallback | None = None) -> "Communities":
        """See `Project.communities`."""
        return await self._run(lambda on_progress: self.project.communities(on_progress=on_progress), on_progress)

    async def impact(self, path: str, *, on_progress: ProgressCallback | None = None) -> "Impact":
        """See `Project.impact`."""
        return await self._run(lambda on_progress: self.project.impact(path, on_progress=on_progress), on_progress)

    async def path_between(
        self, start: str, end: str, *, on_progress: ProgressCallback | None = None
    ) -> "DependencyPath":
        """See `Project.path_between`."""
        return await self._run(
            lambda on_progress: self.project.path_between(start, end, on_progress=on_progress), on_progress
        )

    async def cycles(self, *, on_progress: ProgressCallback | None = None) -> "tuple[Cycle, ...]":
        """See `Project.cycles`."""
        return await self._run(lambda on_progress: self.project.cycles(on_progress=on_progress), on_progress)

    async def export_graph(
        self,
        format: str,  # noqa: A002
        *,
        maximum_files: int | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> "GraphExport":
        """See `Project.export_graph`."""

        def work(on_progress: ProgressCallback) -> "GraphExport":
            return self.project.export_graph(format, maximum_files=maximum_files, on_progress=on_progress)

        return await self._run(work, on_progress)

    async def report(
        self,
        task: str = "",
        *,
        budget_tokens: int | None = None,
        maximum_files: int | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> str:
        """See `Project.report`."""

        def work(on_progress: ProgressCallback) -> str:
            return self.project.report(
                task, budget_tokens=budget_tokens, maximum_files=maximum_files, on_progress=on_progress
            )

        return await self._run(work, on_progress)

    async def _run(self, work: Callable[[ProgressCallback], Answer], on_progress: ProgressCallback | None) -> Answer:
        loop = asyncio.get_running_loop()
        was_cancelled = threading.Event()

        def report(phase: str, done: int, total: int) -> None:
            if was_cancelled.is_set():
                raise _Cancelled
            if on_progress is not None:
                loop.call_soon_threadsafe(on_progress, phase, done, total)

        def run() -> Any:
            try:
                return work(report)
            except _Cancelled:
                return None

        try:
            return await asyncio.to_thread(run)
        except asyncio.CancelledError:
            was_cancelled.set()
            raise
