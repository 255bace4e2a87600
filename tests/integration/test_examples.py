import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SERVER = """
from mcp.server import MCPServer
server = MCPServer("stand-in")
@server.tool()
def ctx_overview() -> str:
    return "an overview"
@server.tool()
def ctx_knowledge() -> str:
    return "must not be called"
server.run()
"""


def run_example(name: str, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    command = [sys.executable, str(ROOT / "examples" / name), *arguments]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_scripted_loop_runs_and_replays() -> None:
    printed = run_example("scripted_loop.py")
    assert "return a - b" in printed
    assert "The step run_tests was stopped after 2 failed attempts (stuck)." in printed
    assert "denied: tool 'file_delete'" in printed
    assert printed.endswith("--- answered after 5 steps\n--- the journal says the same: True\n")


def test_loop_runs_over_any_mcp_server(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    printed = run_example("loop_over_mcp.py", sys.executable, str(tmp_path / "server.py"))
    assert "tool: an overview\n" in printed
    assert "denied: tool 'ctx_knowledge'" in printed
    assert "must not be called" not in printed


def test_loop_runs_over_the_server_of_the_project() -> None:
    pytest.importorskip("ctxsieve.mcp_server")
    printed = run_example("loop_over_mcp.py")
    assert "denied: tool 'ctx_knowledge'" in printed
    assert printed.endswith("--- answered after 3 steps\n")
