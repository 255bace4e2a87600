import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ctxsieve.knowledge import Fact, KnowledgeBase
from ctxsieve.store import Store, store_path
from integration.command import ctxsieve

TOOLS = [
    {"name": "read_file", "description": "Read a file [verified]", "inputSchema": {"type": "object"}},
    {"name": "file_delete", "description": "Delete a file"},
    {"type": "function", "function": {"name": "run_tests", "description": "Run the tests"}},
]


@pytest.fixture
def tools_file(tmp_path: Path) -> Path:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"tools": TOOLS}))
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src/app").mkdir(parents=True)
    (root / "src/app/main.py").write_text("x = 1\n")
    (root / ".env").write_text("TOKEN=1\n")
    (root / "AGENTS.md").write_text("# Style\n- Use tabs.\n")
    (root / "src/AGENTS.md").write_text("Use spaces.\n")
    return root


def answer(done: subprocess.CompletedProcess[bytes]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_filter_prints_names_or_unchanged_definitions(tools_file: Path, tmp_path: Path) -> None:
    done = ctxsieve("tools", "filter", tools_file, "--exclude", "FILE_*", home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"read_file\nrun_tests\n", b"")
    done = ctxsieve("tools", "filter", tools_file, "--include", "r*", "--format", "json", home=tmp_path)
    assert answer(done) == [TOOLS[0], TOOLS[2]]


def test_filter_reads_standard_input_and_a_profile(tmp_path: Path) -> None:
    (tmp_path / "profile.json").write_text('{"require_verified": true}')
    given = json.dumps({"jsonrpc": "2.0", "result": {"tools": TOOLS}}).encode()
    done = ctxsieve("tools", "filter", "-", "--profile", tmp_path / "profile.json", home=tmp_path, given=given)
    assert done.stdout == b"read_file\n"


def test_options_add_to_the_profile(tools_file: Path, tmp_path: Path) -> None:
    (tmp_path / "profile.json").write_text('{"exclude": ["file_*"]}')
    more = ["--profile", tmp_path / "profile.json", "--exclude", "run_*", "--task", "tests", "--max-tools", "1"]
    assert ctxsieve("tools", "filter", tools_file, *more, home=tmp_path).stdout == b"read_file\n"


def test_pinned_tools_pass_their_own_profile(tools_file: Path, tmp_path: Path) -> None:
    hashes = answer(ctxsieve("tools", "pin", tools_file, "--include", "r*", home=tmp_path))
    assert list(hashes) == ["read_file", "run_tests"]
    profile = tmp_path / "profile.json"
    profile.write_text(json.dumps({"require_verified": True, "verified_definitions": hashes}))
    done = ctxsieve("tools", "filter", tools_file, "--profile", profile, home=tmp_path)
    assert done.stdout == b"read_file\nrun_tests\n"


@pytest.mark.parametrize("output", ["text", "json", "markdown", "xml"])
def test_explain_says_which_rule_removed_what(tools_file: Path, tmp_path: Path, output: str) -> None:
    done = ctxsieve("tools", "explain", tools_file, "--exclude", "file_*", "--format", output, home=tmp_path)
    assert done.returncode == 0
    assert b"matches file_*" in done.stdout
    assert b"require_verified" not in done.stdout


def test_lint_fails_where_a_rule_matches_nothing(tools_file: Path, tmp_path: Path) -> None:
    done = ctxsieve("tools", "lint", tools_file, "--include", "Read_*", home=tmp_path)
    assert done.returncode == 1
    assert done.stdout == b"include pattern 'Read_*' matches no tool; 'read_file' differs only in case\n"
    assert ctxsieve("tools", "lint", tools_file, "--include", "read_*", home=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        ("[", [], b"is not valid JSON"), ("{}", [], b"holds no list of tools"),
        ("[{}]", [], b"tool 0: its name is None"),
        ("3", [], b"holds no list of tools"), ("[]", ["--include", "["], b"has a [ without ]"),
        ("[]", ["--max-tools", "-1"], b"max_tools is -1"), ("[]", ["--profile", "missing.json"], b"cannot be read"),
    ],
)  # fmt: skip
def test_bad_input_exits_with_2(tmp_path: Path, text: str, more: list[str], message: bytes) -> None:
    done = ctxsieve("tools", "filter", "-", *more, home=tmp_path, given=text.encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr
    assert b"Traceback" not in done.stderr


def test_misspelt_profile_does_not_fail_open(tools_file: Path, tmp_path: Path) -> None:
    (tmp_path / "profile.json").write_text('{"exlude": ["*"]}')
    done = ctxsieve("tools", "filter", tools_file, "--profile", tmp_path / "profile.json", home=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"did you mean 'exclude'?" in done.stderr


def test_hydrate_prints_one_block_and_says_what_it_left_out(project: Path, tmp_path: Path) -> None:
    task = "fix src/app/main.py:1, see ./.env, ../outside.py, #5 and https://example.org"
    done = ctxsieve("hydrate", task, "--path", project, home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith(b"[PRE_HYDRATED_CONTEXT]\n")
    assert b"\nx = 1\n" in done.stdout
    assert b"TOKEN" not in done.stdout
    assert b".env failed: PathError: path '.env' is a secrets file" in done.stderr
    assert b"#5 skipped: no tool resolves references of the type issue" in done.stderr
    assert b"https://example.org skipped: the tool web_fetch is not offered" in done.stderr


def test_hydrate_finds_a_bare_name_and_counts_exactly(project: Path, tmp_path: Path) -> None:
    from ctxsieve.tokens import count_tokens

    made = answer(ctxsieve("hydrate", "fix main.py", "--path", project, "--format", "json", home=tmp_path))
    assert made["tokens"] == count_tokens(made["text"])
    assert made["references"] == [
        {"type": "file", "text": "main.py", "key": "main.py", "state": "resolved", "reason": "", "note": ""}
    ]


def test_hydrate_with_nothing_to_fetch_prints_nothing(project: Path, tmp_path: Path) -> None:
    done = ctxsieve("hydrate", "-", "--path", project, home=tmp_path, given=b"do something good")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--budget", "-3"], b"max_context_tokens is -3"), (["--config", "missing"], b"cannot be read"),
        (["--path", "missing"], b"exist"),
    ],
)  # fmt: skip
def test_hydrate_refuses_bad_input(tmp_path: Path, more: list[str], message: bytes) -> None:
    done = ctxsieve("hydrate", "fix main.py", *more, home=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr


def test_conventions_come_from_files_and_facts(project: Path, tmp_path: Path) -> None:
    with Store(store_path(project, state_directory=tmp_path / "state")) as store:
        KnowledgeBase(store).record(Fact("conventions", "names", "whole words", agent="coder", directory="src"))
    done = ctxsieve("conventions", "src/app", "--path", project, home=tmp_path)
    assert done.stdout.decode().splitlines() == [
        "knowledge: coder: conventions:names = whole words", "src/AGENTS.md:1: Use spaces.", "AGENTS.md:2: Use tabs.",
    ]  # fmt: skip
    rows = answer(
        ctxsieve("conventions", "src", "--path", project, "--query", "tabs", "--format", "json", home=tmp_path)
    )
    assert [(row["text"], row["heading"], row["distance"]) for row in rows] == [("Use tabs.", "Style", 1)]


@pytest.mark.parametrize(("output", "written"), [("text", b""), ("json", b"[]\n")])
def test_conventions_that_are_not_found_are_said_beside_the_answer(tmp_path: Path, output: str, written: bytes) -> None:
    (tmp_path / "empty" / "src").mkdir(parents=True)
    done = ctxsieve("conventions", "src", "--path", tmp_path / "empty", "--format", output, home=tmp_path)
    assert (done.returncode, done.stdout) == (0, written)
    assert done.stderr == b"ctxsieve: no conventions found for src\n"


def test_conventions_create_no_store(project: Path, tmp_path: Path) -> None:
    assert ctxsieve("conventions", "--path", project, home=tmp_path).stdout == b"AGENTS.md:2: Use tabs.\n"
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("directory", ["../x", "/etc"])
def test_conventions_outside_the_root_exit_with_2(project: Path, tmp_path: Path, directory: str) -> None:
    done = ctxsieve("conventions", directory, "--path", project, home=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"relative to the project root" in done.stderr
