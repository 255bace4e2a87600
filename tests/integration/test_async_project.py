import asyncio
import inspect
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ctxsieve import AsyncProject, Project
from ctxsieve.errors import InputError
from ctxsieve.graph import ProjectGraph
from project_trees import FILES, write_tree


@pytest.fixture
def project(tmp_path: Path) -> Project:
    write_tree(tmp_path / "tree", FILES)
    places = {"CTXSIEVE_CACHE_DIR": str(tmp_path / "cache"), "CTXSIEVE_STATE_DIR": str(tmp_path / "state")}
    return Project.open(tmp_path / "tree", environment=places)


def test_answers_are_those_of_the_project(project: Project) -> None:
    async def ask() -> tuple[Any, ...]:
        same = AsyncProject(project)
        return await asyncio.gather(
            same.preload("what does run do", budget_tokens=500),
            same.rank("what does run do"),
            same.read(["pkg/core.py"], mode="signatures"),
            same.graph(),
            same.benchmark(modes=("full",)),
        )

    preload, ranking, readings, graph, report = asyncio.run(ask())
    assert preload.text == project.preload("what does run do", budget_tokens=500).text
    assert [file.path for file in ranking.files] == [file.path for file in project.rank("what does run do").files]
    assert readings == project.read(["pkg/core.py"], mode="signatures")
    assert graph.index.paths == project.graph().index.paths
    assert list(report.modes) == ["full"]
    assert report.files == len(FILES)


def test_every_call_that_may_index_has_a_coroutine_with_its_parameters() -> None:
    def parameters(kind: type) -> dict[str, list[str]]:
        found = {
            name: list(inspect.signature(call).parameters)
            for name, call in vars(kind).items()
            if not name.startswith("_") and inspect.isfunction(call)
        }
        return {name: names for name, names in found.items() if "on_progress" in names}

    wanted = parameters(Project)
    # What the reader holds is asked for in the worker thread: sessions do that.
    wanted["preload"].remove("held")
    assert parameters(AsyncProject) == wanted


def test_graph_questions_are_answered_as_by_the_project(project: Project) -> None:
    async def ask() -> tuple[Any, ...]:
        same = AsyncProject(project)
        return await asyncio.gather(
            same.communities(),
            same.impact("pkg/core.py"),
            same.path_between("pkg/core.py", "pkg/helpers.py"),
            same.cycles(),
            same.export_graph("json"),
            same.report("what does run do"),
        )

    assert tuple(asyncio.run(ask())) == (
        project.communities(),
        project.impact("pkg/core.py"),
        project.path_between("pkg/core.py", "pkg/helpers.py"),
        project.cycles(),
        project.export_graph("json"),
        project.report("what does run do"),
    )


def test_open_reads_settings_and_errors_come_through(tmp_path: Path) -> None:
    write_tree(tmp_path, {**FILES, "ctxsieve.toml": "[budget]\ntotal_tokens = 123\n"})

    async def ask() -> None:
        opened = await AsyncProject.open(tmp_path, environment={})
        assert opened.project.settings.budget.total_tokens == 123
        with pytest.raises(InputError, match="budget is 0 tokens"):
            await opened.preload("x", budget_tokens=0)

    asyncio.run(ask())


def test_event_loop_runs_on_and_hears_of_progress(project: Project) -> None:
    phases: list[tuple[str, threading.Thread]] = []

    def note(phase: str, done: int, total: int) -> None:
        phases.append((phase, threading.current_thread()))

    async def ask() -> int:
        ticks = 0
        work = asyncio.create_task(
            AsyncProject(project).graph(
                on_progress=lambda *given: phases.append((given[0], threading.current_thread()))
            )
        )
        while not work.done():
            ticks += 1
            await asyncio.sleep(0)
        await work
        return ticks

    assert asyncio.run(ask()) > 1
    assert [phase for phase, _ in phases] == ["walk", "scan", "scan", "resolve"]
    assert {thread for _, thread in phases} == {threading.main_thread()}


class Slow(Project):
    """A project whose graph waits at its first phase until it is told to go on."""

    reached = threading.Event()
    may_go_on = threading.Event()
    ended: ClassVar[list[str]] = []

    def graph(self, *, on_progress: Callable[[str, int, int], None] | None = None) -> ProjectGraph:
        assert on_progress is not None
        self.reached.set()
        assert self.may_go_on.wait(60)
        try:
            on_progress("walk", 0, 0)
        except BaseException as error:
            self.ended.append(type(error).__name__)
            raise
        self.ended.append("went on")
        return super().graph(on_progress=on_progress)


def test_cancelled_call_raises_at_once_and_its_work_stops(project: Project) -> None:
    slow = Slow(project.root, project.settings, project.origins, project.directories)

    async def ask() -> None:
        work = asyncio.create_task(AsyncProject(slow).graph())
        await asyncio.to_thread(slow.reached.wait, 60)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert slow.ended == []
        slow.may_go_on.set()

    asyncio.run(ask())
    assert slow.ended == ["_Cancelled"]
    assert len(project.graph().index) == len(FILES)


def test_overview_and_smells_are_those_of_the_project(project: Project) -> None:
    async def ask() -> tuple[Any, ...]:
        same = AsyncProject(project)
        return await same.overview("run", budget_tokens=300), await same.smells()

    overview, smells = asyncio.run(ask())
    assert overview == project.overview("run", budget_tokens=300)
    assert smells.smells == project.smells().smells
    assert smells.files > 0
