"""Past commits are read from real repositories, and nothing of theirs is run."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ctxsieve.graph import load_or_build
from ctxsieve.relevance import HistoryOptions, rank_files, read_history
from ctxsieve.relevance.commits import match_tickets, place_history

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def _git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, "-C", str(root), *arguments], check=True, capture_output=True)


def _commit(root: Path, message: str, files: dict[str, str]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", message)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    _git(root, "init", "-q", "-b", "main")
    _commit(root, "Start", {"engine.py": "def step():\n    pass\n", "wheel.py": "def turn():\n    pass\n"})
    _commit(root, "Throttle the spindle when it overheats", {"engine.py": "def step():\n    return 1\n"})
    return root


def test_file_whose_commits_resemble_the_task_comes_first(repository: Path, tmp_path: Path) -> None:
    graph = load_or_build(repository, cache_directory=tmp_path / "cache")
    history = read_history(repository)
    assert history is not None
    ranking = rank_files(graph, "spindle overheats again", history=history)
    assert ranking.files[0].path == "engine.py"
    assert ranking.explain(ranking.files[0].document).signals["history"] > 0
    assert not rank_files(graph, "spindle overheats again").has_match


def test_renamed_file_keeps_its_past(repository: Path) -> None:
    _git(repository, "mv", "engine.py", "motor.py")
    _git(repository, "commit", "-q", "-m", "Rename")
    history = read_history(repository)
    assert history is not None
    commit = int(history.term_commits[history.term_indptr[history.term_keys.index("spindl")]])
    touched = history.commit_paths[history.commit_indptr[commit] : history.commit_indptr[commit + 1]]
    assert [history.paths[number] for number in touched] == ["motor.py"]


def test_only_ancestors_of_head_are_read(repository: Path) -> None:
    _commit(repository, "Secret gearbox", {"wheel.py": "def turn():\n    return 2\n"})
    _git(repository, "checkout", "-q", "HEAD~1")
    history = read_history(repository)
    assert history is not None
    assert "gearbox" not in history.term_keys


def test_paths_are_relative_to_the_folder_that_was_asked_for(repository: Path) -> None:
    _commit(repository, "Add a lamp", {"front/lamp.py": "def shine():\n    pass\n"})
    history = read_history(repository / "front")
    assert history is not None
    assert history.paths == ("lamp.py",)


def test_cached_history_equals_the_fresh_one_and_follows_head(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    fresh = read_history(repository, cache_directory=cache)
    again = read_history(repository, cache_directory=cache)
    assert fresh is not None
    assert again is not None
    assert again.term_keys == fresh.term_keys
    assert again.commit_paths.tobytes() == fresh.commit_paths.tobytes()
    _commit(repository, "Polish the chrome", {"wheel.py": "def turn():\n    return 3\n"})
    later = read_history(repository, cache_directory=cache)
    assert later is not None
    assert "chrom" in later.term_keys


def test_damaged_cache_is_read_anew(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    fresh = read_history(repository, cache_directory=cache)
    (stored,) = cache.iterdir()
    stored.write_bytes(stored.read_bytes()[:-9] + b"damaged!!")
    again = read_history(repository, cache_directory=cache)
    assert fresh is not None
    assert again is not None
    assert again.term_keys == fresh.term_keys


def test_large_commits_say_nothing(repository: Path) -> None:
    _commit(repository, "Reformat everything", {f"part{number}.py": "x = 1\n" for number in range(5)})
    history = read_history(repository, options=HistoryOptions(max_files=4))
    assert history is not None
    assert "reformat" not in history.term_keys
    assert history.ages.tolist() == [1, 2]


def test_nothing_that_the_repository_configures_is_run(repository: Path, tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    script = tmp_path / "script.sh"
    script.write_text(f"#!/bin/sh\ntouch {witness}\n")
    script.chmod(0o755)
    (repository / ".gitattributes").write_text("*.py diff=mine\n")
    for name, value in {
        "core.fsmonitor": str(script),
        "core.pager": str(script),
        "pager.log": str(script),
        "diff.external": str(script),
        "diff.mine.textconv": str(script),
        "diff.mine.command": str(script),
        "gpg.program": str(script),
        "log.showSignature": "true",
        "core.sshCommand": str(script),
    }.items():
        _git(repository, "config", name, value)
    assert read_history(repository) is not None
    assert not witness.exists()


def test_tree_without_git_has_no_history(tmp_path: Path) -> None:
    assert read_history(tmp_path) is None


def test_missing_git_is_no_error(repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_history(repository) is None


def test_repository_without_commits_has_no_history(tmp_path: Path) -> None:
    _git(tmp_path, "init", "-q")
    assert read_history(tmp_path) is None


def test_file_that_changed_for_the_ticket_is_found(repository: Path, tmp_path: Path) -> None:
    _commit(repository, "ENG-70: Grease it", {"wheel.py": "def turn():\n    return 3\n"})
    _commit(repository, "Unrelated", {"engine.py": "def step():\n    return 4\n"})
    history = read_history(repository, cache_directory=tmp_path / "cache")
    assert history is not None
    graph = load_or_build(repository, cache_directory=tmp_path / "cache")
    ranking = rank_files(graph, "ENG-70", history=history)
    assert ranking.has_match
    assert ranking.files[0].path == "wheel.py"
    assert ranking.explain(ranking.files[0].document).signals["tickets"] > 0
    assert not rank_files(graph, "ENG-71", history=history).has_match


def test_many_commits_of_one_ticket_share_its_weight(repository: Path) -> None:
    for number in range(3):
        _commit(repository, "Work on #31", {"engine.py": f"def step():\n    return {number + 5}\n"})
    _commit(repository, "More of GH-31", {"wheel.py": "def turn():\n    return 9\n"})
    history = read_history(repository)
    assert history is not None
    share = match_tickets(place_history(history, ["engine.py", "wheel.py"]), ("#31", "#32"))
    assert share.tolist() == [0.75, 0.25]


def test_word_that_looks_like_a_key_of_a_ticket_is_none(repository: Path) -> None:
    history = read_history(repository)
    assert history is not None
    assert not match_tickets(place_history(history, ["engine.py", "wheel.py"]), ("spindl", "")).any()
