"""The wheel works in an empty environment without a compiler."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ROOT / "tests" / "fixtures" / "auth_example"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel from dist/ (`make wheel`) and its dependencies, and nothing else."""
    wheels = sorted((ROOT / "dist").glob("ctxsieve-*.whl"))
    assert len(wheels) == 1, "run `make wheel` first"
    assert "-abi3-" in wheels[0].name
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=True, symlinks=os.name != "nt")
    python = home / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wheels[0]], check=True, env=_bare(home)
    )
    return home


def _bare(home: Path) -> dict[str, str]:
    """An environment without this checkout, without a compiler on the path."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "HTTP", "http"))}
    return {**kept, "PATH": str(home / "bin"), "HOME": str(home), "NO_COLOR": "1"}


def test_the_main_job_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    project = shutil.copytree(PROJECT, tmp_path / "project")
    environment = _bare(installed)
    version = subprocess.run([installed / "bin" / "ctxsieve", "--version"], env=environment, capture_output=True)
    assert version.stdout.endswith(b"(rust)\n"), version.stderr.decode()
    command = ["preload", "fix authentication bug", "--path", str(project), "--format", "json"]
    done = subprocess.run([installed / "bin" / "ctxsieve", *command], env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    from_source = subprocess.run(
        [sys.executable, "-m", "ctxsieve", *command],
        env={**environment, "PYTHONPATH": str(ROOT / "python"), "CTXSIEVE_BACKEND": "python"},
        capture_output=True,
    )
    assert done.stdout == from_source.stdout, from_source.stderr.decode()


def test_the_wheel_is_typed(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    script = shutil.copy(ROOT / "tests" / "fixtures" / "typed" / "user.py", tmp_path)
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", installed / "bin" / "python", script],
        cwd=tmp_path,
        env=_bare(installed),
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr
