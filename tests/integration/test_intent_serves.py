"""The intent drives mode, budget, roles and order of a real preload (docs/intent.md)."""

import json
from pathlib import Path

import pytest

from integration.command import ctxsieve


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "docs").mkdir()
    bodies = [
        f"def step_{number}(parser):\n    first = parser.read({number})\n    return first + {number}\n\n\n"
        + f"def walk_{number}(node):\n"
        + "".join(f"    node.visit({i})\n" for i in range(12))
        + "\n\n"
        for number in range(40)
    ]
    parse = "def parse_header(line):\n    name, value = line.split(':', 1)\n    return name, value.strip()\n\n\n"
    (root / "parser.py").write_text(parse + "".join(bodies))
    (root / "tests" / "test_parser.py").write_text(
        "from parser import parse_header\n\n\ndef test_parse_header():\n    assert parse_header('a: b') == ('a', 'b')\n"
    )
    (root / "docs" / "parser.md").write_text("# Parser\n\n`parse_header` reads one header line of the parser.\n")
    return root


def answer(project: Path, home: Path, task: str, budget: int = 900) -> dict:
    done = ctxsieve("preload", task, "--path", project, "--budget", str(budget), "--format", "json", home=home)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_exploring_shows_structure_and_fixing_shows_bodies(project: Path, tmp_path: Path) -> None:
    explored = answer(project, tmp_path, "explain how the parser works")
    fixed = answer(project, tmp_path, "fix the bug in parse_header of parser.py")
    assert (explored["intent"]["task_type"], fixed["intent"]["task_type"]) == ("explore", "fix_bug")
    count = explored["text"].count("def step_")
    assert count > fixed["text"].count("def step_")
    assert "name, value = line.split(':', 1)" in fixed["text"]


def test_a_specific_task_is_told_from_a_broad_one(project: Path, tmp_path: Path) -> None:
    specific = answer(project, tmp_path, "fix the bug in parse_header of parser.py")
    broad = answer(project, tmp_path, "improve the parser")
    assert specific["intent"]["specificity"] > broad["intent"]["specificity"]


def test_the_asked_role_comes_first(project: Path, tmp_path: Path) -> None:
    tested = answer(project, tmp_path, "write tests for parse_header in tests/test_parser.py", 4000)
    documented = answer(project, tmp_path, "document parse_header in docs/parser.md", 4000)
    assert tested["text"].startswith("=== tests/test_parser.py")
    assert documented["text"].startswith("=== docs/parser.md")


def test_a_fix_puts_the_source_before_its_test(project: Path, tmp_path: Path) -> None:
    text = answer(project, tmp_path, "fix the bug in parse_header", 4000)["text"]
    assert text.index("=== parser.py") < text.index("=== tests/test_parser.py")
