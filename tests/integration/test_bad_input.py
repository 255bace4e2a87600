"""Bad input gets a clear message or a documented skip, never a traceback."""

import json
import os
from pathlib import Path

import pytest

from integration.command import ctxsieve

# Mostly not UTF-8, the first NUL after some text.
BINARY = b"some text before the first NUL, as archives and images have it" + bytes(range(256)) * 11


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "parser.py").write_text("def parse_header(line):\n    return line.split(':')\n")
    return root


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["preload", "task", "--path", "missing"], "does not exist"),
        (["preload", "task", "--path", "project/parser.py"], "is not a directory"),
        (["preload", "", "--path", "project"], "the task is empty"),
        (["preload", " \n ", "--path", "project"], "the task is empty"),
        (["preload", "task", "--path", "project", "--budget", "0"], "budget is 0 tokens: it must be 1 or more"),
        (["preload", "task", "--path", "project", "--budget", "-5"], "budget is -5 tokens: it must be 1 or more"),
        (["preload", "task", "--path", "project", "--budget", "many"], "many"),
        (["preload", "task", "--path", "project", "--format", "yaml"], "yaml"),
        (["preload", "task", "--path", "project", "--colour"], "colour"),
        (["read", "parser.py", "--path", "project", "--mode", "fullest"], "mode is 'fullest'"),
        (["read", "parser.py", "--path", "project", "--mode", "lines"], "mode is 'lines'"),
        (["read", "parser.py", "--path", "project", "--mode", "lines:9-3"], "line range is '9-3'"),
        (["read", "parser.py", "--path", "project", "--mode", "lines:50"], "parser.py has 2 lines"),
        (["read", "nothing.py", "--path", "project"], "nothing.py"),
        (["read", "../outside.py", "--path", "project"], "../outside.py"),
        (["graph", "neighbors", "nothing.py", "--path", "project"], "nothing.py"),
        (["fly"], "fly"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_wrong_argument_is_named_and_exits_with_2(
    project: Path, tmp_path: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = ctxsieve(*arguments, home=tmp_path / "home")
    error = done.stderr.decode()
    assert done.returncode == 2, error
    assert message in error
    assert "Traceback" not in error
    assert done.stdout == b""


def test_an_empty_repository_is_answered(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = ctxsieve("preload", "anything", "--path", tmp_path / "empty", "--format", "json", home=tmp_path / "home")
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["files"] == []


@pytest.mark.parametrize("style", ["text", "markdown", "xml"])
def test_a_project_without_text_says_so(tmp_path: Path, style: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / "bin.dat").write_bytes(BINARY)
    for name in ("empty", "binary"):
        for task in ("zzqq", "fix bin.dat"):
            done = ctxsieve("preload", task, "--path", tmp_path / name, "--format", style, home=tmp_path / "home")
            assert done.returncode == 0, done.stderr.decode()
            assert b"The project has no text file." in done.stdout
            assert len(done.stdout) < 100, done.stdout


def test_binary_files_take_no_place_among_the_hubs(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    for number in range(30):
        (root / f"image{number}.dat").write_bytes(BINARY)
    (root / "notes.txt").write_text("what is to be known\n")
    done = ctxsieve("preload", "zzqq", "--path", root, home=tmp_path / "home")
    notice = "No file matches the task; these are the hubs of the project.\n"
    assert done.stdout.decode().startswith(f"{notice}=== notes.txt (full)\nwhat is to be known\n")
    assert b"image" not in done.stdout


def test_a_binary_file_that_the_task_names_is_not_shown(project: Path, tmp_path: Path) -> None:
    (project / "bin.dat").write_bytes(BINARY)
    home = tmp_path / "home"
    named = ctxsieve("preload", "fix bin.dat", "--path", project, home=home).stdout
    assert named == b"Only binary files match the task: they have no text to show.\n"
    answer = json.loads(
        ctxsieve("preload", "fix parse_header in bin.dat", "--path", project, "--format", "json", home=home).stdout
    )
    assert [file["path"] for file in answer["files"]] == ["parser.py"]
    assert answer["omitted"] == [{"path": "bin.dat", "reason": "binary: not scanned"}]
    assert "\0" not in answer["text"]


def odd_files(root: Path) -> None:
    (root / "binary.py").write_bytes(b"\x00\x01\x02parse_header" * 100)
    (root / "wide.py").write_bytes("def parse_header(): pass\n".encode("utf-16"))
    (root / "broken.py").write_bytes(b"def parse_header():\n    return '\xff\xfe\xfa'\n")
    (root / "marked.py").write_bytes(b"\xef\xbb\xbfdef parse_header():\r\n    return 1\r\n")
    (root / "one_line.js").write_bytes(b"var parse_header=1;" * (50_000_000 // 19))
    (root / "loop").symlink_to(".")
    (root / "dangling.py").symlink_to("nowhere.py")
    (root / "name\nwith newline.py").write_text("def parse_header(): pass\n")
    (root / os.fsdecode(b"bad\xff.py")).write_text("def parse_header(): pass\n")
    os.mkfifo(root / "pipe.py")


def test_odd_files_are_skipped_with_a_reason_or_shown(project: Path, tmp_path: Path) -> None:
    odd_files(project)
    done = ctxsieve("preload", "fix parse_header", "--path", project, "--format", "json", home=tmp_path / "home")
    assert done.returncode == 0, done.stderr.decode()
    answer = json.loads(done.stdout)
    assert answer["tokens"] <= 8000
    assert "parser.py" in [file["path"] for file in answer["files"]]
    reasons = {entry["path"]: entry["reason"] for entry in answer["omitted"]}
    for path in ("binary.py", "one_line.js", "pipe.py"):
        assert reasons.get(path), reasons


def test_odd_files_read_by_name(project: Path, tmp_path: Path) -> None:
    odd_files(project)
    home = tmp_path / "home"
    for path in ("binary.py", "pipe.py", "dangling.py", "loop"):
        done = ctxsieve("read", path, "--path", project, home=home)
        assert (done.returncode, b"Traceback" in done.stderr, done.stdout) == (2, False, b""), path
    raw = ctxsieve("read", "marked.py", "--path", project, "--mode", "raw", home=home)
    assert raw.stdout.endswith(b"def parse_header():\r\n    return 1\r\n")
    broken = json.loads(ctxsieve("read", "broken.py", "--path", project, "--format", "json", home=home).stdout)
    assert broken[0]["lossless"] is False
    wide = json.loads(ctxsieve("read", "wide.py", "--path", project, "--format", "json", home=home).stdout)
    assert (wide[0]["encoding"], wide[0]["content"]) == ("utf-16", "def parse_header(): pass\n")


def test_a_budget_of_one_token_is_kept(project: Path, tmp_path: Path) -> None:
    done = ctxsieve(
        "preload", "fix parse_header", "--path", project, "--budget", "1", "--format", "json", home=tmp_path
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["tokens"] <= 1


def test_the_task_may_come_from_standard_input(project: Path, tmp_path: Path) -> None:
    done = ctxsieve("preload", "-", "--path", project, home=tmp_path, given=b"fix parse_header")
    assert done.returncode == 0
    assert b"parse_header" in done.stdout


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 20_000])
@pytest.mark.parametrize("arguments", [("overview",), ("smells",), ("rank", "parse the header")])
def test_manifests_that_no_parser_takes_are_passed_over(
    project: Path, tmp_path: Path, value: str, arguments: tuple[str, ...]
) -> None:
    for name in ("pyproject.toml", "Cargo.toml"):
        (project / name).write_text(f"[package]\nversion = {value}\n")
    (project / "package.json").write_text(f'{{"version": {value}')
    (project / "main.rs").write_text("mod parser;\nfn main() {}\n")
    (project / "main.js").write_text("import './other'\n")
    done = ctxsieve(*arguments, "--path", project, home=tmp_path / "home")
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr.decode()
    assert done.stdout


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("arguments", [("rank", "parse_header"), ("graph", "neighbors", "parser.py")])
def test_file_names_shape_neither_tables_nor_the_terminal(
    project: Path, tmp_path: Path, arguments: tuple[str, ...], form: str
) -> None:
    (project / "red\x1b[31m\nforged.py").write_text("import parser\n\n\ndef parse_header():\n    pass\n")
    done = ctxsieve(*arguments, "--path", project, "--format", form, home=tmp_path / "home")
    assert b"\x1b" not in done.stdout
    assert b"red\\x1b[31m\\nforged.py" in done.stdout


def test_threads_beyond_what_systems_start_are_an_error(project: Path, tmp_path: Path) -> None:
    done = ctxsieve(
        "rank", "x", "--path", project, home=tmp_path / "home", environment={"CTXSIEVE_THREADS": "9" * 5000}
    )
    assert (done.returncode, b"it must be a whole number from 1 to 1024" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("read", "{}"),
        ("read", "{}", "--mode", "map"),
        ("graph", "neighbors", "{}"),
        ("graph", "impact", "{}"),
        ("graph", "path", "{}", "user.py"),
        ("smells", "{}"),
    ],
)
def test_an_absolute_path_below_the_root_serves_like_a_relative_one(
    project: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (project / "user.py").write_text("import parser\n")
    home = tmp_path / "home"

    def run(name: str | Path) -> tuple[int, bytes]:
        done = ctxsieve(*(part.format(name) for part in arguments), "--path", project, home=home)
        assert b"Traceback" not in done.stderr
        return done.returncode, done.stdout

    relative = run("parser.py")
    assert relative[0] == 0
    assert run(project / "parser.py") == relative
    assert run(project.parent / "elsewhere.py") == (2, b"")


def test_hydrate_and_conventions_take_absolute_paths_below_the_root(project: Path, tmp_path: Path) -> None:
    (project / "AGENTS.md").write_text("Tabs are two columns wide.\n")
    home = tmp_path / "home"
    fetched = ctxsieve("hydrate", f"see {project}/parser.py:1", "--path", project, home=home)
    assert b"def parse_header" in fetched.stdout
    for directory in (project, project / "src"):
        said = ctxsieve("conventions", directory, "--path", project, home=home)
        assert said.stdout == b"AGENTS.md:1: Tabs are two columns wide.\n", said.stderr


def test_a_file_is_evicted_by_its_absolute_path(project: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert ctxsieve("read", "parser.py", "--path", project, home=home).returncode == 0
    done = ctxsieve("ledger", "evict", project / "parser.py", "--path", project, "--format", "json", home=home)
    assert json.loads(done.stdout)["freed_tokens"] > 0
