"""What a user sees of several files at once: order, bridges, anchors, repeats, stubs and pressure."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ctxsieve.languages import LANGUAGES, parse
from ctxsieve.tokens import count_tokens
from integration.command import ctxsieve

LICENCE = "".join(f"# Line {n} of a licence text that every file of the project has at its top.\n" for n in range(8))
SHARED = """def normalise_amount(value):
    if value is None:
        raise ValueError('no amount was given at all')
    return round(float(value), 2)


"""

TARGET = """def settle_invoice(invoice):
    if invoice.is_paid:
        raise ValueError('invoice was paid')
    amount = normalise_amount(invoice.open)
    invoice.pay(amount)
    return amount
"""


def module(name: str, functions: int = 12) -> str:
    body = "".join(
        f"def {name}_step_{n}(ledger):\n    total_{n} = ledger.read_{name}({n})\n    return total_{n} + {n}\n\n\n"
        for n in range(functions)
    )
    return f'{LICENCE}\n"""The {name} module."""\n\nimport json\nimport logging\n\n\n{SHARED}{body}'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "billing.py").write_text(module("billing", 40) + TARGET)
    (root / "orders.py").write_text(module("orders", 40))
    (root / "stock.py").write_text(module("stock"))
    return root


def run(project: Path, *arguments: str, **environment: str) -> str:
    done = ctxsieve(*arguments, "--path", project, home=project.parent / "home", environment=environment)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def preload(project: Path, task: str, budget: int, *arguments: str, **environment: str) -> dict[str, Any]:
    given = ("preload", task, "--budget", str(budget), "--format", "json", *arguments)
    return dict(json.loads(run(project, *given, **environment)))


TASK = "fix the bug in settle_invoice of billing.py"


@pytest.mark.parametrize("budget", [300, 700, 1500, 4000])
def test_the_bound_holds_and_the_lines_stand_in_the_text(project: Path, budget: int) -> None:
    answer = preload(project, TASK, budget)
    assert answer["tokens"] == count_tokens(answer["text"]) <= budget
    rows = {row.strip() for row in answer["text"].split("\n")}
    for file in answer["files"]:
        lines = (project / file["path"]).read_text().split("\n")
        for first, last in file["lines"]:
            assert all(line.strip() in rows for line in lines[first - 1 : last])


def test_what_matches_comes_first_behind_its_line_numbers_and_is_the_anchor(project: Path) -> None:
    steps = "".join(
        f"def step_{n}(ledger):\n" + "".join(f"    ledger.read({n}, {k})\n" for k in range(20)) + "\n\n"
        for n in range(12)
    )
    (project / "long.py").write_text(f"import json\n\n\n{steps}{TARGET}")
    text = preload(project, "fix the bug in settle_invoice of long.py", 330)["text"]
    block = text.split("=== ")[1]
    assert block.startswith("long.py (task)\n")
    first, second = block.split("\n---\n")[:2]
    assert "def settle_invoice(invoice):" in first
    assert second.startswith("import json")
    mark, shown = first.split("\n")[1:3]
    hidden = int(mark.split("-")[-1])
    assert (project / "long.py").read_text().split("\n")[hidden] == shown
    text = preload(project, "fix the bug in settle_invoice of long.py", 1500)["text"]
    assert text.endswith("---\n# anchor: settle_invoice\n# invoice.pay(amount)\n# return amount\n")


def test_order_and_anchor_can_be_switched_off(project: Path) -> None:
    plain = preload(project, TASK, 900, CTXSIEVE_CHUNKING_ORDERED="false", CTXSIEVE_CHUNKING_ANCHOR="false")["text"]
    assert "---\n" not in plain
    assert "anchor:" not in plain


def test_repeats_are_named_by_where_they_stand_before(project: Path) -> None:
    text = run(project, "read", "orders.py", "stock.py", "--mode", "entropy:0.9")
    marks = re.findall(r"(\d+)-(\d+) = (\S+):(\d+)[,\n]", text)
    assert marks
    for first, last, path, at in marks:
        hidden = (project / "stock.py").read_text().split("\n")[int(first) - 1 : int(last)]
        shown = (project / path).read_text().split("\n")[int(at) - 1 : int(at) - 1 + len(hidden)]
        assert [line.strip() for line in hidden] == [line.strip() for line in shown]
        assert path == "orders.py"
        assert all(line in text.split("=== stock.py")[0] for line in shown)
    switched = run(project, "read", "orders.py", "stock.py", "--mode", "entropy:0.9", CTXSIEVE_DEDUP_ENABLED="false")
    assert " = orders.py:" not in switched
    assert count_tokens(text) < count_tokens(switched)


def test_single_files_and_verbatim_modes_are_untouched(project: Path) -> None:
    alone = run(project, "read", "stock.py", "--mode", "aggressive")
    assert not re.search(r"\d = \S*\d[,\n]", alone)
    for mode in ("full", "raw", "lines:1-30"):
        entries = json.loads(run(project, "read", "orders.py", "stock.py", "--mode", mode, "--format", "json"))
        for entry in entries:
            content = (project / entry["path"]).read_text()
            assert content.startswith(entry["content"])
    assert (
        run(project, "read", "orders.py", "stock.py", "--mode", "raw")
        == (project / "orders.py").read_text() + (project / "stock.py").read_text()
    )


@pytest.mark.parametrize("mode", ["aggressive", "entropy:0.8", "task"])
def test_contents_of_many_files_parse_and_keep_the_order_of_the_source(project: Path, mode: str) -> None:
    task = ("--task", TASK) if mode == "task" else ()
    entries = json.loads(
        run(project, "read", "billing.py", "orders.py", "stock.py", "--mode", mode, "--format", "json", *task)
    )
    for entry in entries:
        lines = (project / entry["path"]).read_text().split("\n")
        assert parse(entry["content"].encode(), LANGUAGES["python"]).error_nodes == 0
        assert "---\n" not in entry["content"]
        shown = [line for first, last in entry["lines"] for line in lines[first - 1 : last]]
        rows = iter([row.strip() for row in entry["content"].split("\n")])
        assert all(line.strip() in rows for line in shown)
        covered = sorted(n for span in (*entry["lines"], *entry["omitted_lines"]) for n in range(span[0], span[1] + 1))
        assert covered == list(range(1, len(lines)))
        assert entry["tokens"] == count_tokens(entry["content"])


def test_the_text_of_many_files_for_a_task_is_ordered_and_anchored(project: Path) -> None:
    text = run(project, "read", "orders.py", "billing.py", "--mode", "task", "--task", TASK)
    block = text.split("=== billing.py")[1]
    assert block.index("def settle_invoice") < block.index("def billing_step_0")
    assert block.index("def settle_invoice") < block.index("---\n# lines 1-") if "---\n# lines 1-" in block else True
    assert "# anchor: settle_invoice\n" in text
    alone = run(project, "read", "billing.py", "--mode", "task", "--task", TASK)
    assert "anchor:" not in alone
    assert alone.index("def billing_step_0") < alone.index("def settle_invoice")


def test_a_named_consumer_gets_a_line_for_what_it_holds_and_room_for_more(project: Path) -> None:
    first = preload(project, TASK, 900, "--consumer", "coder")
    second = preload(project, TASK, 900, "--consumer", "coder")
    stubs = [file for file in second["files"] if file["mode"] == "stub"]
    shown = [file["path"] for file in first["files"] if file["sent_tokens"]]
    assert stubs
    assert {file["path"] for file in stubs} <= set(shown)
    for stub in stubs:
        assert f"{stub['path']}: unchanged, already sent (" in second["text"]
        assert stub["lines"] == []
        assert stub["sent_tokens"] <= 16
    assert second["tokens"] <= 900
    assert second["text"] != preload(project, TASK, 900)["text"]
    assert preload(project, TASK, 900) == first


def test_nobody_in_particular_and_other_consumers_get_everything(project: Path) -> None:
    first = preload(project, TASK, 900, "--consumer", "coder")
    assert preload(project, TASK, 900, "--consumer", "reviewer") == first
    assert preload(project, TASK, 900) == first
    assert preload(project, TASK, 900) == first


def test_an_edited_file_is_sent_again(project: Path) -> None:
    preload(project, TASK, 900, "--consumer", "coder")
    path = project / "billing.py"
    path.write_text(path.read_text().replace("invoice.pay(amount)", "invoice.pay(amount, now)"))
    second = preload(project, TASK, 900, "--consumer", "coder")
    assert "invoice.pay(amount, now)" in second["text"]


def test_auto_heeds_the_pressure_of_the_window(project: Path) -> None:
    arguments = ("read", "orders.py", "--mode", "auto", "--task", "fix the bug in orders_step_3", "--format", "json")
    (calm,) = json.loads(run(project, *arguments, "--consumer", "calm"))
    assert calm["mode"] in ("task", "full")
    run(project, "ledger", "pressure", "--consumer", "full", "--window", "1000")
    (tight,) = json.loads(run(project, *arguments, "--consumer", "full"))
    assert tight["mode"] in ("signatures", "map", "reference")
    assert "it would fill the window to" in tight["reason"]
    assert tight["tokens"] < calm["tokens"]


def test_auto_heeds_the_thresholds_of_the_settings(project: Path) -> None:
    arguments = ("read", "orders.py", "--mode", "auto", "--task", "fix the bug in orders_step_3", "--format", "json")
    run(project, "ledger", "pressure", "--consumer", "coder", "--window", "1000000")
    (project / "ctxsieve.toml").write_text("[ledger]\ncompress_above_percent = 0\n")
    (tight,) = json.loads(run(project, *arguments, "--consumer", "coder"))
    assert tight["mode"] in ("signatures", "map")
    assert "(pressure compress)" in tight["reason"]


def test_a_fix_shows_the_failing_test_first(project: Path) -> None:
    (project / "tests").mkdir()
    (project / "tests" / "test_billing.py").write_text(
        "from billing import settle_invoice\n\n\ndef test_settle():\n    assert settle_invoice(object()) == 1\n"
    )
    log = (
        "fix this bug: settle_invoice fails\n\nTraceback (most recent call last):\n"
        '  File "tests/test_billing.py", line 5, in test_settle\n    assert settle_invoice(object()) == 1\n'
        '  File "billing.py", line 215, in settle_invoice\n    invoice.pay(amount)\nAttributeError: pay\n'
    )
    answer = preload(project, log, 4000)
    assert answer["intent"]["task_type"] == "fix_bug"
    assert answer["text"].startswith("=== tests/test_billing.py")


def test_an_explorer_reaches_further_than_a_reviewer(tmp_path: Path) -> None:
    """What a file imports is more relevant to a role with a wide reach."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "alpha.py").write_text("import beta\n\n\ndef alpha():\n    return beta\n")
    (root / "beta.py").write_text("def beta():\n    return None\n")
    for n in range(10):
        (root / f"other{n}.py").write_text(f"def other_{n}():\n    pass\n")
    scores = {}
    for role in ("reviewer", "explorer"):
        files = preload(root, "change alpha in alpha.py", 2000, "--role", role)["files"]
        scores[role] = {file["path"]: file["score"] for file in files}
    assert scores["reviewer"]["alpha.py"] == scores["explorer"]["alpha.py"] == 1
    assert scores["explorer"]["beta.py"] > scores["reviewer"]["beta.py"]
