"""The evaluation on released packages says what keeps it from running; the measuring itself is `make eval`."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_evaluation(cache: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    kept["PYTHONPATH"] = str(ROOT / "python")
    return subprocess.run(
        [sys.executable, "-m", "evaluation", "--cache", str(cache), *arguments],
        cwd=ROOT,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_an_unreachable_registry_is_named_with_what_to_do(tmp_path: Path) -> None:
    done = run_evaluation(tmp_path, "--attempts", "1", PIP_NO_INDEX="1")
    assert done.returncode == 1
    assert "flask 3.0.3 cannot be fetched" in done.stderr
    assert "point --cache at a folder where it ran before" in done.stderr


def test_packages_without_their_client_are_left_out_and_named(tmp_path: Path) -> None:
    done = run_evaluation(tmp_path, "--attempts", "1", PIP_NO_INDEX="1", PATH=str(tmp_path))
    for name, client in (("express", "npm"), ("h2", "cargo"), ("github.com/go-chi/chi/v5", "go")):
        assert f"{name} is left out: {client} is not installed" in done.stderr


def test_a_cached_tree_needs_no_network_and_must_hold_the_answers(tmp_path: Path) -> None:
    # An unpacked archive that lacks what tasks.toml asks for.
    (tmp_path / "flask-3.0.3" / "flask-3.0.3" / "src").mkdir(parents=True)
    done = run_evaluation(tmp_path, "--attempts", "1", PIP_NO_INDEX="1", PATH=str(tmp_path))
    assert done.returncode == 1
    assert "tasks.toml names a file that is not there" in done.stderr
