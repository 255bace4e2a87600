"""The same tree, task and options give the same bytes, whatever runs them."""

import json
import shutil
from pathlib import Path

import pytest

from integration.command import ctxsieve

PROJECT = Path(__file__).resolve().parents[1] / "fixtures" / "auth_example"
TASK = "fix authentication bug"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PROJECT, tmp_path / "project"))


def answer(project: Path, home: Path, **environment: str) -> bytes:
    done = ctxsieve("preload", TASK, "--path", project, "--format", "json", home=home, environment=environment)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_two_runs_give_the_same_bytes(project: Path, tmp_path: Path) -> None:
    assert answer(project, tmp_path / "a") == answer(project, tmp_path / "a") == answer(project, tmp_path / "b")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1"},
        {"CTXSIEVE_THREADS": "1"},
        {"CTXSIEVE_THREADS": "2"},
        {"CTXSIEVE_BACKEND": "python"},
    ],
    ids=lambda environment: "=".join(next(iter(environment.items()))),
)
def test_nothing_about_the_run_changes_a_byte(project: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    assert answer(project, tmp_path / "a") == answer(project, tmp_path / "b", **environment)


def test_an_updated_index_answers_like_a_fresh_one(project: Path, tmp_path: Path) -> None:
    answer(project, tmp_path / "updated")
    (project / "src" / "login.ts").write_text(
        'import { authenticate } from "./auth";\nexport const login = authenticate;\n'
    )
    (project / "src" / "new.ts").write_text('import { login } from "./login";\nexport const authentication = login;\n')
    (project / "src" / "profile.ts").unlink(missing_ok=True)
    assert answer(project, tmp_path / "updated") == answer(project, tmp_path / "fresh")


def test_a_copy_elsewhere_gives_the_same_answer(project: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(project, tmp_path / "elsewhere" / "other"))
    assert json.loads(answer(project, tmp_path / "a"))["text"] == json.loads(answer(other, tmp_path / "b"))["text"]
