"""The modes of `ctxsieve read`, from the command line."""

import json
from pathlib import Path

import pytest

from integration.command import ctxsieve

CODE = '''"""Payments."""

import logging


def charge_customer(customer, amount_cents):
    """Charge the customer and return the receipt of the payment provider."""
    # The provider refuses amounts below one cent, and we would rather say so ourselves.
    if amount_cents < 1:
        raise ValueError(f"amount is {amount_cents}: it must be 1 or more")
    logging.info("charging %s with %s cents through the payment provider", customer, amount_cents)
    return customer.provider.charge(customer, amount_cents)


def export_ledger_to_spreadsheet(rows, destination):
    """Write the rows as a spreadsheet, with a header and a line for each of the rows."""
    # Old versions of the office suite need the semicolon.
    destination.write("date;sum;receiver;reference\\\\n")
    for row in rows:
        destination.write(f"{row.date};{row.total};{row.receiver};{row.reference}\\\\n")
    destination.write(f"total;{sum(row.total for row in rows)};;\\\\n")
    return destination
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "payments.py").write_text(CODE)
    return root


def read(project: Path, *arguments: str) -> dict[str, object]:
    done = ctxsieve(
        "read", "payments.py", "--path", project, "--format", "json", *arguments, home=project.parent / "home"
    )
    assert done.returncode == 0, done.stderr
    (entry,) = json.loads(done.stdout)
    return dict(entry)


def test_task_shows_what_the_task_is_about(project: Path) -> None:
    entry = read(project, "--mode", "task", "--task", "fix the bug in charge_customer for small amounts")
    content = str(entry["content"])
    assert entry["mode"] == "task"
    assert "if amount_cents < 1:" in content
    assert "def export_ledger_to_spreadsheet(rows, destination):" in content
    assert "date;sum" not in content
    compile(content, "payments.py", "exec")


def test_task_needs_a_task(project: Path) -> None:
    done = ctxsieve("read", "payments.py", "--path", project, "--mode", "task", home=project.parent / "home")
    assert done.returncode == 2
    assert b"no task is named" in done.stderr


def test_aggressive_and_entropy_leave_valid_code_and_cost_less(project: Path) -> None:
    for mode in ("aggressive", "entropy:0.6"):
        entry = read(project, "--mode", mode)
        assert entry["mode"] == mode.partition(":")[0]
        assert int(str(entry["tokens"])) < int(str(entry["original_tokens"]))
        compile(str(entry["content"]), "payments.py", "exec")


@pytest.mark.parametrize("mode", ["entropy:0", "entropy:2", "entropy:x", "aggressive:3", "entropy:"])
def test_wrong_shares_are_named(project: Path, mode: str) -> None:
    done = ctxsieve("read", "payments.py", "--path", project, "--mode", mode, home=project.parent / "home")
    assert done.returncode == 2
    assert f"mode is '{mode}'".encode() in done.stderr


def test_auto_says_why(project: Path) -> None:
    plain = read(project, "--mode", "auto")
    size = plain["original_tokens"]
    assert plain["reason"] == f"auto: no task is named, {size} tokens"
    bug = read(project, "--mode", "auto", "--task", "fix the bug in charge_customer")
    assert (bug["mode"], bug["reason"]) == ("full", f"auto: fix_bug task, {size} tokens")
    small = read(project, "--mode", "auto", "--task", "fix the bug in charge_customer", "--budget", "60")
    assert small["mode"] == "signatures"
    assert small["reason"] == "auto: full does not fit in 60 tokens"
    assert int(str(small["tokens"])) <= 60


@pytest.mark.parametrize("mode", ["full", "raw", "lines:1-2", "map", "aggressive", "reference"])
def test_a_budget_belongs_to_auto(project: Path, mode: str) -> None:
    home = project.parent / "home"
    done = ctxsieve("read", "payments.py", "--path", project, "--mode", mode, "--budget", "60", home=home)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"it bounds each file in the mode auto alone; leave it out or read in the mode auto" in done.stderr
    (project / "ctxsieve.toml").write_text('[read]\nmode = "auto"\n')
    assert int(str(read(project, "--budget", "60")["tokens"])) <= 60
    assert read(project, "--budget", "1")["mode"] == "reference"


def test_a_budget_belongs_to_auto_for_diffs_too(project: Path) -> None:
    arguments = ("read", "payments.py", "--path", project, "--consumer", "one", "--mode", "diff", "--budget", "60")
    done = ctxsieve(*arguments, home=project.parent / "home")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"it bounds each file in the mode auto alone" in done.stderr


@pytest.mark.parametrize(
    ("style", "header"),
    [
        ("text", "=== eight.py (lines 2-3, 6-8)\n"),
        ("markdown", "## eight.py (lines 2-3, 6-8)\n"),
        ("xml", '<file path="eight.py" mode="lines 2-3, 6-8">'),
    ],
)
def test_the_header_names_the_lines_that_are_shown(project: Path, style: str, header: str) -> None:
    lines = [f"a{number} = {number}\n" for number in range(1, 9)]
    (project / "eight.py").write_text("".join(lines))
    home = project.parent / "home"
    asked = ("read", "eight.py", "--path", project, "--mode", "lines:2-3,6-12", "--format")
    said = ctxsieve(*asked, style, home=home).stdout.decode()
    assert header in said
    assert "".join([*lines[1:3], *lines[5:]]) in said
    (record,) = json.loads(ctxsieve(*asked, "json", home=home).stdout)
    assert (record["mode"], record["lines"]) == ("lines", [[2, 3], [6, 8]])


def test_the_default_mode_is_a_setting(project: Path) -> None:
    (project / "ctxsieve.toml").write_text('[read]\nmode = "signatures"\n')
    assert read(project)["mode"] == "signatures"


def test_benchmark_prints_all_formats(project: Path) -> None:
    home = project.parent / "home"
    text = ctxsieve("benchmark", "run", project, "--modes", "aggressive,map", home=home)
    assert text.returncode == 0, text.stderr
    assert b"By mode" in text.stdout
    assert b"1/1" in text.stdout
    values = json.loads(ctxsieve("benchmark", "run", project, "--modes", "map", "--format", "json", home=home).stdout)
    assert values["modes"]["map"]["saved"] > 0.5
    markdown = ctxsieve("benchmark", "run", project, "--modes", "map", "--format", "markdown", home=home)
    assert b"| mode | files |" in markdown.stdout
    refused = ctxsieve("benchmark", "run", project, "--modes", "task", home=home)
    assert refused.returncode == 2


def test_the_header_of_a_minified_file_says_why_its_outline_is_short(project: Path) -> None:
    (project / "app.min.js").write_text("function a(b){return b};export function load(e){return a(e)};" * 200)
    for mode in ("map", "signatures"):
        done = ctxsieve("read", "app.min.js", "--path", project, "--mode", mode, home=project.parent / "home")
        header, _, rest = done.stdout.decode().partition("\n")
        assert header == f"=== app.min.js ({mode}: minified: 350 of 400 definitions on 1 line are not listed)"
        assert len(rest) < 1000
