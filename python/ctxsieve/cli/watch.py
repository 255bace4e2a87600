"""`ctxsieve watch`: keeps the index of a project current while it runs."""

import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ctxsieve.cli.options import PathOption
from ctxsieve.cli.progress import show_progress

if TYPE_CHECKING:
    from ctxsieve.api import WatchedProject
    from ctxsieve.graph import ProjectGraph

__all__ = ["watch"]


def watch(path: PathOption = Path(".")) -> None:
    """Keep the index current on file events until interrupted; says what it does on standard error."""
    from ctxsieve.api import Project

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: stop.set())
    with Project.open(path).watch() as project:
        current = _say_if_changed(project, None)
        _say(f"watching {project.root}; Ctrl-C ends it")
        while project.wait(stop):
            current = _say_if_changed(project, current)
    _say("ended")


def _say_if_changed(project: "WatchedProject", before: "ProjectGraph | None") -> "ProjectGraph":
    walks, started = project.live.walks, time.perf_counter()
    graph = project.graph(on_progress=show_progress() if before is None else None)
    if before is not None and graph.index.state == before.index.state:
        return graph
    duration_ms = 1000 * (time.perf_counter() - started)
    how = "walked the tree" if project.live.walks > walks else "followed the events"
    for notice in graph.notices:
        _say(notice)
    if project.live.problem is not None:
        _say(project.live.problem)
    _say(
        f"{time.strftime('%H:%M:%S')} index is current: {len(graph.index):,} files, {graph.rescanned:,} read again, "
        f"{how}, {duration_ms:,.0f} ms"
    )
    return graph


def _say(text: str) -> None:
    sys.stderr.write(f"ctxsieve: {text}\n")
    sys.stderr.flush()
