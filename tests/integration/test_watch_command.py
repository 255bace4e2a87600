import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctxsieve import Project
from integration.command import SOURCE
from project_trees import FILES, write_tree

pytest.importorskip("watchfiles")


class Watching:
    """`ctxsieve watch` in a process of its own, and the lines that it writes."""

    def __init__(self, root: Path, home: Path) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("CTXSIEVE_")}
        places = {"CTXSIEVE_CACHE_DIR": str(home / "cache"), "CTXSIEVE_STATE_DIR": str(home / "state")}
        self.environment = {**clean, **places}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ctxsieve", "watch", "--path", str(root)],
            env={**self.environment, "PYTHONPATH": str(SOURCE)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        # A test that waits for a line in vain ends all the same.
        self.timer = threading.Timer(60, self.process.kill)
        self.timer.start()

    def line_with(self, text: str) -> str:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if text in line.decode():
                return line.decode()
        raise AssertionError(f"no line with {text!r}")

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.timer.cancel()


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    write_tree(tmp_path / "tree", FILES)
    started = Watching(tmp_path / "tree", tmp_path / "home")
    yield started
    started.close()


def test_watch_keeps_the_index_on_disk_current(watching: Watching, tmp_path: Path) -> None:
    assert "9 files, 9 read again" in watching.line_with("index is current")
    watching.line_with("watching")
    write_tree(tmp_path / "tree", {"pkg/core.py": "def written_meanwhile(): pass\n"})
    assert "1 read again" in watching.line_with("index is current")
    graph = Project.open(tmp_path / "tree", environment=watching.environment).graph()
    assert graph.rescanned == 0
    assert graph.index.documents_defining("written_meanwhile").size == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_watch_cleanly(watching: Watching, number: signal.Signals) -> None:
    watching.line_with("watching")
    watching.process.send_signal(number)
    written, said = watching.process.communicate()
    assert watching.process.returncode == 0
    assert written == b""
    assert said == b"ctxsieve: ended\n"


def test_watch_without_watchfiles_says_what_to_install(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "", "watchfiles.py": "raise ImportError('as if it were not installed')\n"})
    found = subprocess.run(
        [sys.executable, "-m", "ctxsieve", "watch", "--path", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(SOURCE)))},
        capture_output=True,
        check=False,
    )
    assert found.returncode == 2
    assert b"pip install 'ctxsieve[watch]'" in found.stderr


def test_watched_project_answers_like_the_project(tmp_path: Path) -> None:
    write_tree(tmp_path / "tree", FILES)
    places = {"CTXSIEVE_CACHE_DIR": str(tmp_path / "cache"), "CTXSIEVE_STATE_DIR": str(tmp_path / "state")}
    project = Project.open(tmp_path / "tree", environment=places)
    with project.watch() as watched:
        for content in ("def run(): pass\n", "def run_twice(): pass\n"):
            write_tree(tmp_path / "tree", {"pkg/core.py": content})
            task = "where does run_twice start"
            assert watched.preload(task).text == project.preload(task).text
            with watched.session(consumer="one", is_durable=False) as session:
                assert content in session.read(["pkg/core.py"], mode="raw", is_framed=False).text
        assert watched.live.problem is None
        assert watched.live.walks == 1
