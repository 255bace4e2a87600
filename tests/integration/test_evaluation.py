"""The evaluations say what keeps them from running, and measure; the figures themselves are `make eval`."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_evaluation(
    cache: Path, *arguments: str, module: str = "evaluation", **environment: str
) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    kept["PYTHONPATH"] = str(ROOT / "python")
    return subprocess.run(
        [sys.executable, "-m", module, "--cache", str(cache), *arguments],
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


def make_clone(root: Path, name: str) -> dict[str, object]:
    """Make a repository whose last commit changed what its message names; return the row that asks for it."""
    clone = root / name
    clone.mkdir(parents=True)

    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *identity, *arguments], cwd=clone, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "--quiet")
    for word in ("cookies", "redirects", "proxies"):
        (clone / f"{word}.py").write_text(f"def read_{word}():\n    return '{word}'\n")
    git("add", ".")
    git("commit", "--quiet", "-m", "Read cookies")
    return {"repo": name, "parent": git("rev-parse", "HEAD"), "task": "Fix redirects", "gold": ["redirects.py"]}


def test_weights_are_tuned_without_each_repository_in_turn(tmp_path: Path) -> None:
    rows = [make_clone(tmp_path / "clones", name) for name in ("one", "two")]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = (str(tmp_path / "rows.jsonl"), "--repositories", str(tmp_path / "clones"), "--workers", "1")
    done = run_evaluation(tmp_path / "cache", *arguments, "--leave-one-out", module="evaluation.commits")
    assert done.returncode == 0, done.stderr
    table = {line[:28].strip(): line[28:].split() for line in done.stdout.splitlines()}
    assert table["one"] == ["1", "1.000", "1.000", "1.000"]
    assert table["tuned"] == table["left out"] == ["2", "1.000", "1.000", "1.000"]
    assert "tuned on all: roles.test " in done.stdout
