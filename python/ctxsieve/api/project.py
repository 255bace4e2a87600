"""A project: one directory tree with its settings, index and answers."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ctxsieve.config import Directories, Settings, find_directories, load_settings
from ctxsieve.errors import ConfigError, InputError, PathError
from ctxsieve.graph import MOST_THREADS, ProgressCallback
from ctxsieve.pipeline import Style
from ctxsieve.values import dataclass, replace

if TYPE_CHECKING:
    from ctxsieve.agents import ContextDepthConfig
    from ctxsieve.api.ahead import AheadProject
    from ctxsieve.api.session import Session
    from ctxsieve.api.watched import WatchedProject
    from ctxsieve.benchmark import BenchmarkReport
    from ctxsieve.graph import Communities, Cycle, DependencyPath, GraphExport, Impact, ProjectGraph
    from ctxsieve.overview import Overview
    from ctxsieve.pipeline import Preload, Reading, SpellingOptions, WindowState
    from ctxsieve.relevance import Ranking, RelevanceOptions
    from ctxsieve.smells import SmellReport
    from ctxsieve.store import Store

__all__ = ["Project"]


@dataclass(frozen=True, slots=True)
class Project:
    """One directory tree. Every call sees the tree as it is then; nothing has to be refreshed by hand.

    Attributes:
        root: the directory itself, never a parent of it.
        settings: what holds for it.
        origins: by dotted key, where each value that is not the default came from.
        directories: where its cache and its durable state live.
    """

    root: Path
    settings: Settings
    origins: Mapping[str, str]
    directories: Directories

    @classmethod
    def open(cls, path: str | os.PathLike[str] = ".", *, environment: Mapping[str, str] | None = None) -> "Project":
        """Return the project at `path`.

        Args:
            path: a directory.
            environment: variables to read settings from; the process's own by default.

        Raises:
            PathError: the path is missing or no directory.
            ConfigError: a settings file or variable is wrong.
        """
        environment = os.environ if environment is None else environment
        root = Path(path)
        if not root.exists():
            raise PathError(f"{root} does not exist: name a directory")
        if not root.is_dir():
            raise PathError(f"{root} is not a directory: name the directory that holds it")
        root = root.resolve()
        loaded = load_settings(root, environment)
        settings = loaded.settings
        if "index.threads" not in loaded.origins:
            settings = settings.with_sections(index=replace(settings.index, threads=_threads(environment)))
        return cls(root, settings, loaded.origins, find_directories(root, environment))

    def watch(self) -> "WatchedProject":
        """Return this project following its tree by file events, to be closed after use.

        It answers like this one, always as the tree is then, but needs no walk of the tree while nothing changed: for
        who asks often, such as a server.

        Raises:
            InputError: watchfiles is not installed (the extra `watch`).
        """
        from ctxsieve.api.watched import WatchedProject
        from ctxsieve.graph import LiveGraph

        live = LiveGraph(
            self.root,
            cache_directory=self.directories.cache,
            options=self.settings.index,
            watch_options=self.settings.watch,
        )
        return WatchedProject(self.root, self.settings, self.origins, self.directories, live)

    def walk_ahead(self) -> "AheadProject":
        """Return this project with the walk of its tree begun: what the caller loads meanwhile costs no time."""
        from ctxsieve.api.ahead import AheadProject
        from ctxsieve.graph import WalkAhead

        walk = WalkAhead(os.fsencode(self.root), threads=self.settings.index.threads)
        return AheadProject(self.root, self.settings, self.origins, self.directories, walk)

    def graph(self, *, on_progress: ProgressCallback | None = None) -> "ProjectGraph":
        """Return the index and the dependency graph, built on first use and brought up to date on every other.

        Args:
            on_progress: called with a phase, what is done and what there is to do while a first index is built.
        """
        from ctxsieve.graph import load_or_build

        return load_or_build(
            self.root,
            cache_directory=self.directories.cache,
            options=self.settings.index,
            on_progress=on_progress,
        )

    def preload(
        self,
        task: str,
        *,
        budget_tokens: int | None = None,
        style: Style = Style.TEXT,
        role: str | None = None,
        on_progress: ProgressCallback | None = None,
        held: Callable[[str, str], Sequence[str]] | None = None,
    ) -> "Preload":
        """Return the context for a task within a token budget.

        Args:
            task: what is to be done, in plain words.
            budget_tokens: hard bound on the tokens of the text; the settings' `budget.total_tokens` by default.
            style: the spelling of the text.
            role: one of the seven roles, which limits budget, modes and reach; None leaves them alone.
            on_progress: see `graph`.
            held: gives the texts of a file (path and content hash) that the reader holds: a file of which it holds all
                that would be shown comes as one line. A `session` knows that of its consumer.
        """
        from ctxsieve.pipeline.preload import PreloadOptions, PreloadRequest, preload

        depth = None if role is None else self.settings.agents.depth_of(role)
        request = PreloadRequest(
            root=self.root,
            cache_directory=self.directories.cache,
            task=task,
            budget_tokens=self.settings.budget.total_tokens if budget_tokens is None else budget_tokens,
            style=style,
            on_progress=on_progress,
            depth=depth,
            graph=lambda: self.graph(on_progress=on_progress),
            held=held,
        )
        options = PreloadOptions(
            index=self.settings.index,
            history=self.settings.history,
            relevance=_widened(self.settings.relevance, depth),
            budget=self.settings.budget,
            chunking=self.settings.chunking,
            dedup=self.settings.dedup,
            spelling=self._spelling,
        )
        return preload(request, options, clock=time.perf_counter)

    @property
    def _spelling(self) -> "SpellingOptions":
        from ctxsieve.pipeline import SpellingOptions

        return SpellingOptions(level=self.settings.terse.compression_level, align=self.settings.align)

    def session(
        self,
        *,
        session: str | None = None,
        consumer: str | None = None,
        is_durable: bool = True,
        store: "Store | None" = None,
    ) -> "Session":
        """Return a consumer's session: reads and preloads that are recorded, the ledger, handoff and knowledge.

        Args:
            session: groups what belongs together in the statistics.
            consumer: who gets the answers; a named one is not sent the same text twice.
            is_durable: False keeps the record in memory only, until the session is closed.
            store: an open store to share with other sessions; closing one of them closes it.
        """
        from ctxsieve.api.session import Session
        from ctxsieve.store import MEMORY, Store

        return Session(
            self.root,
            store or Store(self.directories.store if is_durable else MEMORY),
            session=session,
            consumer=consumer,
            settings=self.settings,
            clock=time.time,
            graph=self.graph,
            rank=self.rank,
            preload=self.preload,
            read=self.read,
        )

    def rank(self, task: str, *, on_progress: ProgressCallback | None = None) -> "Ranking":
        """Return the files that matter for a task; its `explain` says what each signal gave."""
        if not task.strip():
            raise InputError("the task is empty: say in plain words what is to be done")
        return self._ranked(self.graph(on_progress=on_progress), task)

    def _ranked(self, graph: "ProjectGraph", task: str) -> "Ranking":
        from ctxsieve.relevance import rank_files, read_history

        history = read_history(self.root, cache_directory=self.directories.cache, options=self.settings.history)
        return rank_files(graph, task, history=history, options=self.settings.relevance)

    def read(
        self,
        paths: Sequence[str],
        *,
        mode: str | None = None,
        task: str = "",
        budget_tokens: int | None = None,
        window: "WindowState | None" = None,
    ) -> "tuple[Reading, ...]":
        """Return files in a mode.

        Args:
            paths: POSIX paths, relative to the root or absolute and below it.
            mode: full, raw, lines:N-M, map, signatures, aggressive, entropy[:SHARE], task, reference or auto, the same
                for all of them; the settings' `read.mode` by default.
            task: what they are read for; the mode `task` needs it, `auto` heeds it.
            budget_tokens: what one file may cost in the mode `auto`, which shows at least a line of reference; an
                InputError in any other mode.
            window: what the reader's window holds, which `auto` heeds; a `session` knows that of its consumer.
        """
        from ctxsieve.pipeline import ReadTask, read_files

        mode = self.settings.read.mode if mode is None else mode
        purpose = None
        if task.strip() and mode in ("task", "auto"):
            from ctxsieve.intent import parse_intent

            purpose = ReadTask(task, parse_intent(task), self.rank(task))
        return read_files(
            self.root,
            paths,
            mode,
            task=purpose,
            budget_tokens=budget_tokens,
            options=self.settings.read,
            compression=self.settings.compression,
            threads=self.settings.index.threads,
            spelling=self._spelling,
            chunking=self.settings.chunking,
            dedup=self.settings.dedup,
            window=window,
        )

    def overview(
        self, task: str = "", *, budget_tokens: int | None = None, on_progress: ProgressCallback | None = None
    ) -> "Overview":
        """Return the map of the project within a token budget and, given a task, what is close to it.

        Args:
            task: what it is wanted for, in plain words.
            budget_tokens: hard bound on the tokens of the text; the settings' `overview.budget_tokens` by default.
            on_progress: see `graph`.
        """
        from ctxsieve.overview import OutlineOptions, OverviewRequest, write_overview

        settings = self.settings
        graph = self.graph(on_progress=on_progress)
        request = OverviewRequest(
            task=task,
            ranking=self._ranked(graph, task) if task.strip() else None,
            budget_tokens=settings.overview.budget_tokens if budget_tokens is None else budget_tokens,
            memory=self.directories.cache / "definitions",
            threads=settings.index.threads,
        )
        return write_overview(
            graph,
            request,
            options=settings.overview,
            outline_options=OutlineOptions(
                budget=settings.budget, dedup=settings.dedup, is_aligned=self._spelling.aligns_notation
            ),
            community_options=settings.communities,
        )

    def smells(
        self,
        paths: Sequence[str] = (),
        *,
        with_everything: bool = False,
        on_progress: ProgressCallback | None = None,
    ) -> "SmellReport":
        """Return what is hard to change, the most severe first; thresholds are the settings' `smells.*`.

        Args:
            paths: files, folders or globs relative to the root; findings elsewhere are left out.
            with_everything: look at tests, examples, generated and vendored files as well.
            on_progress: see `graph`.
        """
        from ctxsieve.jail import path_below
        from ctxsieve.languages import Role
        from ctxsieve.smells import find_smells

        paths = [path_below(self.root, path) if os.path.isabs(path) else path for path in paths]
        graph = self.graph(on_progress=on_progress)
        options = self.settings.smells
        if with_everything:
            options = replace(options, roles=tuple(role.value for role in Role))
        return find_smells(
            graph,
            options=options,
            memory=self.directories.cache / "smells.bin",
            threads=self.settings.index.threads,
            paths=paths,
            on_progress=on_progress,
        )

    def communities(self, *, on_progress: ProgressCallback | None = None) -> "Communities":
        """Return the groups of files that depend on each other more than on the rest, with names and stable ids."""
        from ctxsieve.graph import find_communities

        return find_communities(self.graph(on_progress=on_progress), self.settings.communities)

    def impact(self, path: str, *, on_progress: ProgressCallback | None = None) -> "Impact":
        """Return what depends on a file (POSIX, relative to the root or below it), through any number of imports."""
        from ctxsieve.graph import measure_impact
        from ctxsieve.jail import path_below

        return measure_impact(self.graph(on_progress=on_progress), path_below(self.root, path))

    def path_between(self, start: str, end: str, *, on_progress: ProgressCallback | None = None) -> "DependencyPath":
        """Return the shortest chain of dependencies between two files, in either direction."""
        from ctxsieve.graph import find_path
        from ctxsieve.jail import path_below

        start, end = path_below(self.root, start), path_below(self.root, end)
        return find_path(self.graph(on_progress=on_progress), start, end)

    def cycles(self, *, on_progress: ProgressCallback | None = None) -> "tuple[Cycle, ...]":
        """Return the groups of files that import each other."""
        from ctxsieve.graph import find_cycles

        return find_cycles(self.graph(on_progress=on_progress))

    def export_graph(
        self,
        format: str,  # noqa: A002
        *,
        maximum_files: int | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> "GraphExport":
        """Return the graph as dot, graphml, json or mermaid; `maximum_files` is as in `graph.export_graph`."""
        from ctxsieve.graph import export_graph, find_communities

        graph = self.graph(on_progress=on_progress)
        communities = find_communities(graph, self.settings.communities)
        return export_graph(graph, format, communities=communities, maximum_files=maximum_files)

    def report(
        self,
        task: str = "",
        *,
        budget_tokens: int | None = None,
        maximum_files: int | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> str:
        """Return one self-contained HTML page: graph with heat, budget of a task, ledger, smells and savings.

        Args:
            task: what the heat and the budget are about; without one the heat is the files' importance.
            budget_tokens: the task's budget; the settings' `budget.total_tokens` by default.
            maximum_files: draw at most so many; the settings' `report.maximum_files` by default.
            on_progress: see `graph`.
        """
        from ctxsieve.api.report import write_project_report

        return write_project_report(
            self, task, budget_tokens=budget_tokens, maximum_files=maximum_files, on_progress=on_progress
        )

    def benchmark(
        self,
        *,
        modes: tuple[str, ...] | None = None,
        maximum_files: int | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> "BenchmarkReport":
        """Return what the reading modes save and preserve on this tree; by default the modes that need no task.

        Args:
            modes: each file is read in all of them.
            maximum_files: of more files so many are taken, evenly over the paths; 0 for all.
            on_progress: see `graph`.
        """
        from ctxsieve.benchmark import BenchmarkOptions, run_benchmark

        options = BenchmarkOptions()
        options = replace(
            options,
            modes=options.modes if modes is None else modes,
            maximum_files=options.maximum_files if maximum_files is None else maximum_files,
        )
        graph = self.graph(on_progress=on_progress)
        return run_benchmark(
            self.root,
            graph.index,
            options=options,
            read_options=self.settings.read,
            compression=self.settings.compression,
            dedup=self.settings.dedup,
            spelling=self._spelling,
            rank=lambda task: [file.path for file in self._ranked(graph, task).files],
            on_progress=on_progress,
        )


def _widened(options: "RelevanceOptions", depth: "ContextDepthConfig | None") -> "RelevanceOptions":
    """Return the options for a role's reach: files pass on more of their relevance, and less of it suffices."""
    if depth is None or depth.graph_reach == 1.0:
        return options
    return replace(
        options,
        heat_retention=options.heat_retention / depth.graph_reach,
        threshold=options.threshold / depth.graph_reach,
    )


def _threads(environment: Mapping[str, str]) -> int:
    """Return the bound of CTXSIEVE_THREADS, else the processors that this process may use."""
    text = environment.get("CTXSIEVE_THREADS")
    if text is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= MOST_THREADS):
        raise ConfigError(f"CTXSIEVE_THREADS is {text!r}: it must be a whole number from 1 to {MOST_THREADS}")
    return int(text)
