"""Shared knowledge, handoff and roles, through the command line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ctxsieve.agents import ROLES
from ctxsieve.cli import run_command_line

Run = Callable[..., Any]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command and return what it printed; JSON comes decoded."""
    monkeypatch.setenv("CTXSIEVE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("CTXSIEVE_CACHE_DIR", str(tmp_path / "cache"))

    def call_command(*arguments: str, code: int = 0) -> Any:
        assert run_command_line(arguments) == code
        out, err = capsysbinary.readouterr()
        if code:
            return err.decode()
        return json.loads(out) if "json" in arguments else out.decode()

    return call_command


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Twelve modules around one, with a test."""
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "tests").mkdir()
    body = "\n".join(f"def check_token_{n}(token: str) -> bool:\n    return len(token) > {n}\n" for n in range(12))
    (root / "src" / "auth.py").write_text(f'"""Token validation."""\n\n{body}')
    for n in range(12):
        (root / "src" / f"middleware_{n}.py").write_text(
            f'"""Token middleware {n}."""\n\nfrom src.auth import check_token_{n}\n\n'
            + "\n".join(
                f"def validate_token_{n}_{k}(token: str) -> bool:\n"
                f"    # Rejects what is too short.\n    result = check_token_{n}(token)\n    return result\n"
                for k in range(6)
            )
        )
    (root / "tests" / "test_auth.py").write_text("from src.auth import check_token_1\n\n\ndef test_it() -> None: ...\n")
    return root


def test_published_fact_through_the_command_line(call: Run, project: Path) -> None:
    at = ("--path", str(project))
    fact = 'K:discovery:auth_bug = "null check missing in line 42"'
    assert call("knowledge", "add", fact, "--agent", "debugger", "--source", "src/auth.py:42", *at) == f"{fact}\n"
    (found,) = call("knowledge", "search", "auth bug", "--format", "json", *at)
    assert (found["category"], found["key"], found["value"]) == (
        "discovery",
        "auth_bug",
        "null check missing in line 42",
    )
    assert (found["agent"], found["source"], found["project"], found["disputed"]) == (
        "debugger",
        "src/auth.py:42",
        "shop",
        False,
    )
    call("knowledge", "add", "discovery:auth_bug = it is in line 40", "--agent", "reviewer", "--confidence", "0.5", *at)
    conflicts = call("knowledge", "conflicts", "--format", "json", *at)
    assert [(row["agent"], row["value"]) for row in conflicts] == [
        ("debugger", "null check missing in line 42"),
        ("reviewer", "it is in line 40"),
    ]
    assert len(call("knowledge", "list", "--format", "json", *at)) == 2
    call("knowledge", "remove", "discovery:auth_bug", "--agent", "reviewer", *at)
    assert call("knowledge", "conflicts", *at) == ""
    history = call("knowledge", "history", "discovery:auth_bug", "--format", "json", *at)
    assert [row["state"] for row in history] == ["current", "removed"]


def test_new_agent_inherits_what_concerns_its_task(call: Run, project: Path) -> None:
    at = ("--path", str(project))
    call("knowledge", "add", "discovery:auth_bug = null check missing in line 42", *at)
    call("knowledge", "add", "discovery:colours = the palette is in charts.css", *at)
    task = "fix the bug in auth"
    assert call("knowledge", "inherit", task, *at) == 'K:discovery:auth_bug = "null check missing in line 42"\n'
    assert call("knowledge", "inherit", task, "--budget", "5", *at) == ""
    assert "task is empty" in call("knowledge", "inherit", " ", *at, code=2)


def test_facts_travel_as_a_file(call: Run, project: Path, tmp_path: Path) -> None:
    call("knowledge", "add", "a:b = one", "--path", str(project))
    call("knowledge", "add", "conventions:indent = tabs", "--directory", "src", "--path", str(project))
    exported = call("knowledge", "export", "--path", str(project))
    (tmp_path / "facts.json").write_text(exported)
    other = tmp_path / "other"
    other.mkdir()
    assert call("knowledge", "import", str(tmp_path / "facts.json"), "--format", "json", "--path", str(other)) == {
        "facts": 2,
        "changed": 2,
    }
    assert call("knowledge", "export", "--path", str(other)) == exported
    lines = call("knowledge", "list", "--path", str(other))
    assert lines == 'K:a:b = "one"\nK:conventions:indent = "tabs"\n'
    nearest = ("--scope", "conventions", "--directory", "src/web", "--format", "json")
    assert [row["distance"] for row in call("knowledge", "search", "", *nearest, "--path", str(other))] == [1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("add", "nonsense"), "'nonsense' is no fact"),
        (("add", "a:b = c", "--confidence", "2"), "confidence of fact a:b is 2.0"),
        (("add", "a:b = c", "--directory", "../x"), "contains '..'"),
        (("search", "x", "--scope", "everything"), "scope is 'everything'"),
        (("remove", "a:b"), "fact 'a:b' is not known"),
        (("import", "missing.json"), "missing.json cannot be read"),
    ],
)
def test_bad_facts_are_named(call: Run, project: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in call("knowledge", *arguments, "--path", str(project), code=2)


@pytest.fixture
def package(call: Run, project: Path, tmp_path: Path) -> Path:
    at = ("--path", str(project), "--consumer", "debugger")
    call("ledger", "reset", "--window", "64000", *at)
    call("read", "src/auth.py", *at)
    call("read", "src/middleware_1.py", "--mode", "signatures", *at)
    call("knowledge", "add", "discovery:auth_bug = null check", "--path", str(project))
    path = tmp_path / "session.handoff"
    task = ("--task", "fix the token bug in auth.py", "--note", "look at line 4", "--role", "debugger")
    call("handoff", "export", str(path), *task, *at)
    return path


def test_receiver_starts_with_everything(call: Run, project: Path, package: Path, tmp_path: Path) -> None:
    shown = call("handoff", "show", str(package), "--format", "json")
    assert (shown["sender"], shown["role"], shown["task_type"], shown["targets"]) == (
        "debugger",
        "debugger",
        "fix_bug",
        ["auth.py"],
    )
    assert [(file["path"], file["mode"]) for file in shown["files"]] == [
        ("src/auth.py", "full"),
        ("src/middleware_1.py", "signatures"),
    ]
    elsewhere = tmp_path / "elsewhere" / "shop"
    shutil.copytree(project, elsewhere)
    (elsewhere / "src" / "middleware_1.py").write_text("changed = True\n")
    at = ("--path", str(elsewhere), "--consumer", "coder")
    received = call("handoff", "import", str(package), "--format", "json", *at)
    assert received["text"].startswith("=== src/auth.py (full)\n")
    assert (received["new_facts"], received["outdated"], received["missing"]) == (1, ["src/middleware_1.py"], [])
    ledger = call("ledger", "show", "--format", "json", *at)
    assert (ledger["resident_tokens"], ledger["window_tokens"]) == (received["tokens"], 64_000)
    assert call("read", "src/auth.py", *at) == "src/auth.py: unchanged, already sent (full)\n"
    assert "changed = True" in call("read", "src/middleware_1.py", *at)
    assert "auth_bug" in call("knowledge", "search", "auth bug", "--path", str(elsewhere))


def test_secrets_are_not_handed_over(call: Run, project: Path, tmp_path: Path) -> None:
    (project / ".env").write_text("TOKEN=verysecret\n")
    at = ("--path", str(project), "--consumer", "coder")
    assert "verysecret" in call("read", ".env", *at)
    call("handoff", "export", str(tmp_path / "package"), *at)
    assert "verysecret" not in (tmp_path / "package").read_text()
    for store in (tmp_path / "state").rglob("store.sqlite3*"):
        assert b"verysecret" not in store.read_bytes()


def test_tampering_and_other_versions_are_clear_errors(call: Run, project: Path, package: Path) -> None:
    original = package.read_text()
    at = ("--path", str(project))
    package.write_text(original.replace("null check", "no check at all"))
    assert "was changed after it was exported" in call("handoff", "import", str(package), *at, code=2)
    package.write_text(original.replace('"version":1', '"version":9'))
    assert "has version 9, this program reads 1" in call("handoff", "show", str(package), code=2)
    package.write_text(original[: len(original) // 2])
    assert "is not valid JSON" in call("handoff", "import", str(package), *at, code=2)


@pytest.mark.parametrize("role", list(ROLES))
def test_preload_obeys_the_role(call: Run, project: Path, role: str) -> None:
    depth = ROLES[role]  # type: ignore[index]
    task = "fix the token validation in auth middleware"
    at = ("--path", str(project), "--format", "json", "--budget", "6000")
    answer = call("preload", task, "--role", role, *at)
    assert 0 < answer["tokens"] <= depth.budget_of(6000)
    shown = [file for file in answer["files"] if file["sent_tokens"]]
    for rank, file in enumerate(answer["files"]):
        if rank >= depth.full_files and file["sent_tokens"] and file["mode"] in ("full", "task"):
            # Nothing is inflated: a file that is smaller than its outline comes whole all the same.
            outline = depth.preferred_mode if depth.preferred_mode == "signatures" else "map"
            (reading,) = call("read", file["path"], "--mode", outline, *at[:4])
            assert (reading["mode"], reading["reason"]) == (
                "full",
                f"{outline} would cost more than the file itself",
            )
    allowed = (
        {"full", "task", "map", "signatures"}
        if depth.preferred_mode != "signatures"
        else {"full", "task", "signatures"}
    )
    assert {file["mode"] for file in shown} <= allowed


def test_unknown_role_lists_the_known(call: Run, project: Path) -> None:
    assert "role is 'boss': it must be coder" in call("preload", "x", "--role", "boss", "--path", str(project), code=2)


def test_bug_fix_without_its_test_is_a_deficit(call: Run, project: Path) -> None:
    at = ("--path", str(project), "--consumer", "coder", "--format", "json")
    call("read", "src/auth.py", *at)
    (found,) = call("ledger", "deficits", "fix the bug in auth.py", *at)
    assert (found["path"], found["kind"], found["exists"]) == ("tests/test_auth.py", "test", True)
    call("read", "tests/test_auth.py", *at)
    assert call("ledger", "deficits", "fix the bug in auth.py", *at) == []
    plan = call("ledger", "plan", "fix the bug in middleware_2.py", *at)
    assert [(row["path"], row["exists"]) for row in plan["deficits"]] == [("tests/test_middleware_2.py", False)]
