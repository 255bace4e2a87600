"""The worked example of docs/ledger.md and the commands around it, through the command line."""

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ctxsieve.cli import run_command_line
from ctxsieve.tokens import count_tokens

Run = Callable[..., Any]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CTXSIEVE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("CTXSIEVE_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    return root


@pytest.fixture
def call(project: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command on the project and return what it printed; JSON comes decoded."""

    def call_command(*arguments: str, code: int = 0) -> Any:
        assert run_command_line([*arguments, "--path", str(project)]) == code
        out, err = capsysbinary.readouterr()
        if code:
            return err.decode()
        return json.loads(out) if "json" in arguments else out.decode()

    return call_command


# Imports and constants, which the map lists and the signatures leave out.
PLAIN = (
    "use std::collections::BTreeMap;\nuse std::fmt::Debug;\nuse std::io::Read;\n\n"
    "const FIRST: u8 = 1;\nconst SECOND: u8 = 2;\n\nimpl Thing {}\n"
)
# Long signatures: the map is smaller.
WORDY = (
    "pub fn assemble<'a, T: Clone + Send>(first: &'a [T], second: Option<Vec<T>>, third: &'a str) -> Option<T> {\n"
    "    todo!()\n}\n"
)


def write_to_size(project: Path, call: Run, path: str, text: str, held_tokens: int) -> None:
    """Write a file whose `read` answer has exactly this many tokens; a comment takes up what is missing."""
    target = project / path
    target.parent.mkdir(exist_ok=True)

    def answer(words: int) -> int:
        target.write_text(f"{text}//{' a' * words}\n")
        return count_tokens(call("read", path))

    words = held_tokens - answer(1) + 1
    assert answer(words) == held_tokens
    call("ledger", "reset")


@pytest.fixture
def example(project: Path, call: Run) -> dict[str, int]:
    """Files of the example; the forms of utils, helpers and config are as much smaller as it says."""
    sizes = {}
    for path, text, mode, gain in (
        ("src/utils.rs", PLAIN, "signatures", 2_400),
        ("src/helpers.rs", WORDY, "map", 1_800),
        ("src/config.rs", PLAIN, "signatures", 1_200),
    ):
        (project / "src").mkdir(exist_ok=True)
        (project / path).write_text(f"{text}// a\n")
        small = count_tokens(call("read", path, "--mode", mode))
        sizes[path] = small + gain
        write_to_size(project, call, path, text, sizes[path])
        assert count_tokens(call("read", path, "--mode", mode)) == small
    sizes["src/auth.rs"] = 40_000
    sizes["web/login.ts"] = 89_600 - sum(sizes.values())
    sizes["src/more.rs"] = 115_200 - 89_600
    for path in ("src/auth.rs", "web/login.ts", "src/more.rs"):
        write_to_size(project, call, path, "", sizes[path])
    return sizes


def test_pressure_and_reinjection_example(project: Path, call: Run, example: dict[str, int]) -> None:
    who = ("--consumer", "coder")
    call("ledger", "reset", "--window", "128000", *who)
    for path in ("src/auth.rs", "web/login.ts", "src/utils.rs", "src/helpers.rs", "src/config.rs"):
        call("read", path, *who)
    assert call("ledger", "pressure", *who) == "none\n"
    shown = call("ledger", "show", "--format", "json", *who)
    assert (shown["resident_tokens"], shown["utilisation"]) == (89_600, 0.7)
    assert len(shown["entries"]) == 5
    call("read", "src/more.rs", *who)
    assert call("ledger", "pressure", *who) == "compress\n"

    targets = ("--target", "auth.rs", "--target", "login.ts", "--target", "more.rs")
    plan = call("ledger", "plan", *targets, "--format", "json", *who)
    assert plan["pressure"] == "compress"
    assert plan["resident_tokens"] == 115_200
    assert [(row["path"], row["from"], row["to"], row["freed_tokens"]) for row in plan["changes"]] == [
        ("src/utils.rs", "full", "signatures", 2_400),
        ("src/helpers.rs", "full", "map", 1_800),
        ("src/config.rs", "full", "signatures", 1_200),
    ]
    assert plan["protected"] == ["src/auth.rs", "src/more.rs", "web/login.ts"]
    assert call("ledger", "show", "--format", "json", *who)["resident_tokens"] == 115_200

    applied = call("ledger", "apply", *targets, "--format", "json", *who)
    assert applied["freed_tokens"] == 5_400
    assert count_tokens(applied["text"]) == applied["tokens"]
    assert "=== src/utils.rs (signatures)\n" in applied["text"]
    after = call("ledger", "show", "--format", "json", *who)
    assert after["resident_tokens"] == 115_200 - 5_400
    assert after["emitted_tokens"] == 115_200 + applied["tokens"]


def test_one_token_above_ninety_percent_is_evict(project: Path, call: Run) -> None:
    write_to_size(project, call, "a.rs", "", 91)
    call("read", "a.rs", "--consumer", "coder")
    assert call("ledger", "pressure", "--window", "101", "--consumer", "coder") == "evict\n"
    assert call("ledger", "pressure", "--window", "102", "--consumer", "coder") == "compress\n"
    assert call("ledger", "pressure", "--window", "130", "--consumer", "coder") == "none\n"
    plan = call("ledger", "plan", "--window", "101", "--consumer", "coder", "--format", "json")
    assert plan["changes"] == [{"path": "a.rs", "from": "full", "to": "evicted", "freed_tokens": 91}]


def test_named_consumer_gets_a_stub_others_the_text(project: Path, call: Run) -> None:
    (project / "a.py").write_text("def f():\n    return 1\n" * 20)
    first = call("read", "a.py", "--consumer", "coder")
    stub = call("read", "a.py", "--consumer", "coder")
    assert stub == "a.py: unchanged, already sent (full)\n"
    assert call("read", "./a.py", "--consumer", "coder") == stub
    assert call("read", "a.py", "--consumer", "reviewer") == first
    assert call("read", "a.py") == call("read", "a.py") == first
    assert call("read", "a.py", "--mode", "raw", "--consumer", "other") == (project / "a.py").read_text()


@pytest.mark.parametrize("name", ["two\nlines.py", "a\udcff.py", "a b.py", "é.py"])
def test_odd_names_are_recorded_and_cannot_forge_a_line(project: Path, call: Run, name: str) -> None:
    (project / name).write_text("def f():\n    return 1\n" * 20)
    if "\n" in name:
        assert call("read", name, "--consumer", "coder", code=2)
        return
    call("read", name, "--consumer", "coder")
    stub = call("read", name, "--consumer", "coder")
    assert stub.endswith(": unchanged, already sent (full)\n")
    assert stub.count("\n") == 1
    call("ledger", "show", "--consumer", "coder", "--format", "json")


def test_dropped_or_edited_text_is_sent_again(project: Path, call: Run) -> None:
    path = project / "a.py"
    path.write_text("def f():\n    return 1\n" * 20)
    first = call("read", "a.py", "--consumer", "coder")
    call("ledger", "evict", "./a.py", "--consumer", "coder")
    assert call("read", "a.py", "--consumer", "coder") == first
    call("ledger", "reset", "--consumer", "coder")
    assert call("read", "a.py", "--consumer", "coder") == first
    stamp = path.stat()
    path.write_text("def f():\n    return 2\n" * 20)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert "return 2" in call("read", "a.py", "--consumer", "coder")


def test_diff_shows_what_changed_since_it_was_seen(project: Path, call: Run) -> None:
    path = project / "a.py"
    lines = [f"value_{n} = {n}\n" for n in range(100)]
    path.write_text("".join(lines))
    assert "not sent to you before" in call("read", "a.py", "--mode", "diff", "--consumer", "coder").split("\n")[0]
    assert call("read", "a.py", "--mode", "diff", "--consumer", "coder").startswith("a.py: unchanged")
    path.write_text("".join([*lines[:50], "value_50 = 'new'\n", *lines[51:]]))
    answer = call("read", "a.py", "--mode", "diff", "--consumer", "coder", "--format", "json")
    assert answer[0]["mode"] == "diff"
    assert "-value_50 = 50\n+value_50 = 'new'\n" in answer[0]["content"]
    assert call("read", "a.py", "--mode", "diff", "--consumer", "coder").startswith("a.py: unchanged")
    assert "no consumer is named" in call("read", "a.py", "--mode", "diff", code=2)


def test_what_a_preload_showed_can_be_compared_later(project: Path, call: Run) -> None:
    path = project / "token_check.py"
    body = [f"def check_token_{n}(token):\n    return token == {n}\n\n\n" for n in range(20)]
    path.write_text("".join(body))
    call("preload", "fix check_token_3 in token_check.py", "--consumer", "coder")
    path.write_text("".join([*body[:3], body[3].replace("==", "!="), *body[4:]]))
    diff = call("read", "token_check.py", "--mode", "diff", "--consumer", "coder")
    assert "-    return token == 3\n+    return token != 3\n" in diff


def test_damaged_cache_costs_the_diff_not_the_answer(
    project: Path, call: Run, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = project / "a.py"
    path.write_text("x = 1\n" * 50)
    call("read", "a.py", "--consumer", "coder")
    (store,) = project.parent.joinpath("state").rglob("store.sqlite3")
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE cache_contents SET data = x'00'")
    connection.close()
    path.write_text("x = 2\n" * 50)
    assert run_command_line(["read", "a.py", "--mode", "diff", "--consumer", "coder", "--path", str(project)]) == 0
    out, err = capsysbinary.readouterr()
    assert out.endswith(b"x = 2\n" * 50)
    assert b"is damaged" in err


def test_stats_say_where_the_savings_come_from(project: Path, call: Run) -> None:
    (project / "a.py").write_text("def f():\n    return 1\n" * 50)
    for _ in range(3):
        call("read", "a.py", "--consumer", "coder", "--session", "one")
    call("read", "a.py", "--session", "two")
    stats = call("stats", "--session", "one", "--format", "json")
    assert [(row["name"], row["runs"]) for row in stats["modes"]] == [("full", 1), ("stub", 2)]
    (consumer,) = stats["consumers"]
    assert consumer["saved_tokens"] == consumer["original_tokens"] - consumer["emitted_tokens"] > 0
    assert {row["session"] for row in call("stats", "--format", "json")["consumers"]} == {"one", "two"}
    assert "session 'three' is not known" in call("stats", "--session", "three", code=2)


@pytest.mark.parametrize("output", ["text", "json", "markdown", "xml"])
@pytest.mark.parametrize("command", [("ledger", "show"), ("ledger", "pressure"), ("ledger", "plan"), ("stats",)])
def test_every_answer_has_four_formats(project: Path, call: Run, command: tuple[str, ...], output: str) -> None:
    (project / "a.py").write_text("x = 1\n")
    call("read", "a.py")
    answer = call(*command, "--format", output)
    assert answer
    if output == "xml":
        ElementTree.fromstring(answer)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ledger", "evict", "missing.py"), "'missing.py' is not in the window"),
        (("ledger", "show", "--window", "0"), "window is 0 tokens"),
        (("ledger", "plan", "--incoming", "-1"), "incoming_tokens is -1"),
        (("ledger", "show", "--consumer", ""), "consumer is ''"),
    ],
)
def test_bad_input_is_named(call: Run, arguments: tuple[str, ...], message: str) -> None:
    assert message in call(*arguments, code=2)


def test_damaged_store_costs_the_record_not_the_answer(
    project: Path, call: Run, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    (project / "a.py").write_text("x = 1\n")
    call("read", "a.py")
    (store,) = project.parent.joinpath("state").rglob("store.sqlite3")
    store.write_bytes(b"no database")
    for extra in store.parent.glob("store.sqlite3-*"):
        extra.unlink()
    assert run_command_line(["read", "a.py", "--path", str(project)]) == 0
    out, err = capsysbinary.readouterr()
    assert out.endswith(b"x = 1\n")
    assert b"not recorded: " in err
    assert store.read_bytes() == b"no database"
    assert "is damaged" in call("ledger", "show", code=1)
