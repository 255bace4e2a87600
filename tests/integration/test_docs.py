"""The blocks of the documentation that can run do run, in a copy of a small project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from integration.command import SOURCE

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["index.md", "cookbook.md", "configuration.md", "budget.md", "surprise.md"]
SHELL = ["bash", "-euo", "pipefail", "-c"]
PYTHON = [sys.executable, "-W", "error", "-c"]
_BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "tests" / "fixtures" / "auth_example", tmp_path / "project")
    command = tmp_path / "bin" / "ctxsieve"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ctxsieve "$@"\n')
    command.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_blocks_of_a_page_run(page: str, place: Path) -> None:
    blocks = _BLOCK.findall((ROOT / "docs" / page).read_text())
    assert blocks
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("CTXSIEVE_")},
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(SOURCE),
        "CTXSIEVE_CACHE_DIR": str(place / "cache"),
        "CTXSIEVE_STATE_DIR": str(place / "state"),
    }
    for kind, text in blocks:
        if "watch()" in text:
            pytest.importorskip("watchfiles")
        command = [*(SHELL if kind == "sh" else PYTHON), text]
        done = subprocess.run(
            command, cwd=place / "project", env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, f"{text}\n{done.stdout[-2000:]}\n{done.stderr}"


def test_pages_in_the_navigation_exist() -> None:
    named = re.findall(r": ([a-z/]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / "docs" / name).is_file()] == []
