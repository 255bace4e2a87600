"""The protocol's inspector in command-line mode, where it is installed (npm install @modelcontextprotocol/inspector).

CTXSIEVE_TEST_INSPECTOR names its program, by default `mcp-inspector` on the path; nothing is fetched.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from integration.mcp_client import server_command, server_environment

INSPECTOR = os.environ.get("CTXSIEVE_TEST_INSPECTOR") or shutil.which("mcp-inspector")

pytestmark = pytest.mark.skipif(INSPECTOR is None, reason="the inspector is not installed")


def inspect(home: Path, tree: Path, *arguments: str) -> dict[str, Any]:
    command = [str(INSPECTOR), "--cli", *server_command("--path", tree), *arguments]
    done = subprocess.run(command, env=server_environment(home), capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return dict(json.loads(done.stdout))


def test_inspector_lists_and_calls(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.py").write_text("def a():\n    return 1\n")
    assert len(inspect(tmp_path, tree, "--method", "tools/list")["tools"]) == 10
    read = ("--method", "tools/call", "--tool-name", "ctx_read", "--tool-arg", 'paths=["a.py"]')
    assert "def a()" in inspect(tmp_path, tree, *read)["content"][0]["text"]
    found = inspect(tmp_path, tree, "--method", "resources/read", "--uri", "ctxsieve://file/a.py")
    assert found["contents"][0]["text"] == (tree / "a.py").read_text()
    assert {prompt["name"] for prompt in inspect(tmp_path, tree, "--method", "prompts/list")["prompts"]} >= {"fix_bug"}
