"""What the command says and returns where its answer cannot be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = (
    ("--version",),
    ("--help",),
    ("preload", "change add", "--path", "."),
    ("rank", "change add", "--path", "."),
    ("read", "a.py"),
    ("graph", "stats", "--path", "."),
    ("terse", "a.py"),
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("def add(a, b):\n    return a + b\n", encoding="utf-8")
    return tmp_path


def run(command: tuple[str, ...], directory: Path, descriptor: int) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "CTXSIEVE_CACHE_DIR": str(directory / ".c"),
        "CTXSIEVE_STATE_DIR": str(directory / ".s"),
    }
    return subprocess.run(
        [sys.executable, "-m", "ctxsieve", *command],
        cwd=directory, env=environment, stdout=descriptor, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_device_is_one_line_and_code_1(command: tuple[str, ...], project: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = run(command, project, full.fileno())
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"ctxsieve: cannot write the answer: {os.strerror(28)}"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_reader_that_went_away_is_code_1_without_a_word(command: tuple[str, ...], project: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run(command, project, writing)
    os.close(writing)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "cannot write" not in done.stderr


def test_a_command_that_is_run_keeps_its_code_when_its_output_cannot_be_written(project: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = run(("run", "--", "sh", "-c", "sleep .1; exit 7"), project, writing)
    os.close(writing)
    assert done.returncode == 7
    assert "Traceback" not in done.stderr
