"""What a user's type checker sees of the installed package: py.typed, and names that load on first use."""

import importlib
import pkgutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import ctxsieve

ROOT = Path(__file__).resolve().parents[2]
USER = ROOT / "tests" / "fixtures" / "typed" / "user.py"

pytest.importorskip("mypy")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment in which this tree and its dependencies are installed by path."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False, symlinks=True)
    found = home / "bin" / "python"
    command = [found, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    paths = (str(ROOT / "python"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    (Path(site) / "installed.pth").write_text("\n".join(dict.fromkeys(paths)) + "\n")
    return found


def check(python: Path, script: Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python), str(script)]
    return subprocess.run(
        [*command, "--cache-dir", str(python.parent.parent / "mypy")], cwd=folder, capture_output=True, text=True
    )


def test_users_code_passes_strict_checks(python: Path, tmp_path: Path) -> None:
    script = tmp_path / "user.py"
    script.write_text(USER.read_text())
    found = check(python, script, tmp_path)
    assert found.stdout == "Success: no issues found in 1 source file\n", found.stdout + found.stderr


def test_wrong_use_is_found(python: Path, tmp_path: Path) -> None:
    script = tmp_path / "user.py"
    script.write_text(
        "from ctxsieve import Project, compress_messages\n"
        "Project.open('.').preload('x', budget_tokens='many')\n"
        "compress_messages([], strength=3)\n"
        "reveal_type(Project.open('.').watch())\n"
    )
    said = check(python, script, tmp_path).stdout
    assert 'Argument "budget_tokens" to "preload" of "Project" has incompatible type "str"' in said
    assert 'Unexpected keyword argument "strength" for "compress_messages"' in said
    assert 'Revealed type is "ctxsieve.api.watched.WatchedProject"' in said


def test_every_public_name_is_visible(python: Path, tmp_path: Path) -> None:
    lines = []
    for entry in pkgutil.iter_modules(ctxsieve.__path__):
        # What a framework must be installed for is checked where it is.
        if not entry.ispkg or entry.name in ("_kernels", "adapters"):
            continue
        module = importlib.import_module(f"ctxsieve.{entry.name}")
        lines += [f"from {module.__name__} import {name} as {name}_{entry.name}" for name in module.__all__]
    lines += [f"from ctxsieve import {name}" for name in ctxsieve.__all__]
    script = tmp_path / "user.py"
    script.write_text("\n".join(lines) + "\n")
    assert len(lines) > 200
    found = check(python, script, tmp_path)
    assert found.stdout == "Success: no issues found in 1 source file\n", found.stdout + found.stderr
