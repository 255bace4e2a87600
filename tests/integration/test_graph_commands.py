"""`overview`, `communities` and `graph` in a process of their own, in every format."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import networkx
import pytest

from ctxsieve.tokens import count_tokens
from integration.command import ctxsieve

SHOP = Path(__file__).resolve().parents[1] / "fixtures" / "auth_example"


def answer(tmp_path: Path, *arguments: str) -> str:
    done = ctxsieve(*arguments, "--path", SHOP, home=tmp_path)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


COMMANDS = [
    ("overview",),
    ("overview", "fix authentication bug"),
    ("communities",),
    ("graph", "impact", "src/db.ts"),
    ("graph", "path", "src/login.ts", "src/db.ts"),
    ("graph", "cycles"),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_every_format_is_well_formed(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    json.loads(answer(tmp_path, *arguments, "--format", "json"))
    ET.fromstring(answer(tmp_path, *arguments, "--format", "xml"))
    assert answer(tmp_path, *arguments, "--format", "markdown").startswith(("| ", "# "))
    assert answer(tmp_path, *arguments)


def test_impact_of_the_database_reaches_its_importers(tmp_path: Path) -> None:
    found: Any = json.loads(answer(tmp_path, "graph", "impact", "src/db.ts", "--format", "json"))
    assert found["direct_files"] == 18
    assert len(found["dependents"]) == found["files"] >= 18
    assert all(row["distance"] == 1 for row in found["dependents"][:18])
    assert "... " in answer(tmp_path, "graph", "impact", "src/db.ts", "--limit", "2")


def test_overview_keeps_the_budget_and_says_its_tokens(tmp_path: Path) -> None:
    text = answer(tmp_path, "overview", "fix authentication bug", "--budget", "300")
    found: Any = json.loads(
        answer(tmp_path, "overview", "fix authentication bug", "--budget", "300", "--format", "json")
    )
    assert found["text"] == text
    assert found["tokens"] == count_tokens(text) <= 300
    assert {row["path"] for row in found["related"]} >= {"src/auth.ts", "src/login.ts"}


def test_exports_are_read_by_other_tools(tmp_path: Path) -> None:
    graph = networkx.node_link_graph(json.loads(answer(tmp_path, "graph", "export", "--format", "json")), edges="edges")
    graphml = networkx.parse_graphml(answer(tmp_path, "graph", "export", "--format", "graphml"))
    assert graph.number_of_edges() == graphml.number_of_edges() > 18
    assert graph.in_degree("src/db.ts") == 18
    assert answer(tmp_path, "graph", "export", "--format", "mermaid").startswith("flowchart LR\n")
    assert answer(tmp_path, "graph", "export").startswith("digraph dependencies {\n")


def test_bad_input_is_named_and_exits_with_2(tmp_path: Path) -> None:
    for arguments, message in (
        (("graph", "impact", "missing.ts"), b"'missing.ts': the graph has no such file"),
        (("graph", "impact", "../x"), b"path"),
        (("graph", "export", "--format", "png"), b"'png': it must be one of dot"),
        (("overview", "--budget", "0"), b"budget is 0 tokens"),
    ):
        done = ctxsieve(*arguments, "--path", SHOP, home=tmp_path)
        assert (done.returncode, done.stdout) == (2, b""), done.stderr
        assert message in done.stderr


def test_both_backends_print_the_same(tmp_path: Path) -> None:
    pytest.importorskip("ctxsieve._kernels._native")
    for arguments in COMMANDS:
        outputs = {
            ctxsieve(*arguments, "--path", SHOP, home=tmp_path, environment={"CTXSIEVE_BACKEND": backend}).stdout
            for backend in ("rust", "python")
        }
        assert len(outputs) == 1, arguments
