"""`ctxsieve smells` in a process of its own, in every format and on both backends."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from integration.command import ctxsieve
from project_trees import write_tree

DEEP = "".join(f"{'  ' * level}if (a[{level}] && b) {{\n" for level in range(6)) + "f()\n" + "}\n" * 6
FILES: dict[str, str | bytes] = {
    "src/deep.js": f"export function deep(a, b) {{\n{DEEP}}}\n",
    "src/app.js": 'import {deep} from "./deep.js"\ndeep([])\n',
    "test/deep.test.js": f"function same(a, b) {{\n{DEEP}}}\n",
    "package.json": '{"name": "shop", "private": true}\n',
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write_tree(tmp_path / "tree", FILES)
    return tmp_path / "tree"


def answer(tree: Path, *arguments: str, backend: str | None = None) -> str:
    environment = {"CTXSIEVE_BACKEND": backend} if backend else {}
    done = ctxsieve("smells", *arguments, "--path", tree, home=tree.parent, environment=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_every_format_names_the_deep_function(tree: Path) -> None:
    assert "src/deep.js:1-15 deep: " in answer(tree)
    assert "| deep |" in answer(tree, "--format", "markdown")
    found: Any = json.loads(answer(tree, "--format", "json"))
    assert {smell["symbol"] for smell in found["smells"]} == {"deep"}
    assert found["held_back"] == {"test": 1}
    assert ET.fromstring(answer(tree, "--format", "xml")).tag == "report"
    log: Any = json.loads(answer(tree, "--format", "sarif"))
    assert {one["ruleId"] for one in log["runs"][0]["results"]} == {
        "cognitive-complexity",
        "cyclomatic-complexity",
        "deep-nesting",
    }
    assert answer(tree, "--all").count("nested 6 deep") == 2
    assert answer(tree, "test", "--all").count("nested 6 deep") == 1
    assert len(answer(tree, "--limit", "1", "--all").splitlines()) == 3


def test_bad_input_is_named_and_exits_with_2(tree: Path) -> None:
    done = ctxsieve("smells", "nowhere.js", "--path", tree, home=tree.parent)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"'nowhere.js': no file of the project fits it" in done.stderr
    write_tree(tree, {"ctxsieve.toml": "[smells]\nnestling = 3\n"})
    done = ctxsieve("smells", "--path", tree, home=tree.parent)
    assert done.returncode == 2
    assert b"unknown key 'smells.nestling'" in done.stderr


def test_both_backends_print_the_same(tree: Path) -> None:
    pytest.importorskip("ctxsieve._kernels._native")
    outputs = set()
    for backend in ("rust", "python"):
        (next(tree.parent.rglob("smells.bin"), tree / "none")).unlink(missing_ok=True)
        outputs.add(answer(tree, "--format", "json", "--all", backend=backend))
    assert len(outputs) == 1
