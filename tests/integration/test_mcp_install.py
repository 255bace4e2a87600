import json
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from integration.command import ctxsieve
from integration.mcp_client import call, server_environment


def test_installed_entry_starts_the_server(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.py").write_text("def a():\n    return 1\n")
    shown = ctxsieve("mcp", "install", "--client", "claude", "--path", tree, home=tmp_path)
    assert (shown.returncode, b"not written" in shown.stderr) == (0, True)
    assert not (tree / ".mcp.json").exists()
    done = ctxsieve("mcp", "install", "--client", "claude", "--path", tree, "--yes", home=tmp_path)
    assert (done.returncode, done.stdout) == (0, shown.stdout)
    entry = json.loads((tree / ".mcp.json").read_text())["mcpServers"]["ctxsieve"]

    async def run() -> None:
        parameters = StdioServerParameters(
            command=entry["command"], args=entry["args"], env=server_environment(tmp_path), cwd=tree
        )
        async with Client(parameters) as client:
            assert "def a()" in await call(client, "ctx_read", paths=["a.py"])

    anyio.run(run)
    again = ctxsieve("mcp", "install", "--client", "claude", "--path", tree, "--yes", home=tmp_path)
    assert b"nothing to change" in again.stdout
    gone = ctxsieve("mcp", "uninstall", "--client", "claude", "--path", tree, "--yes", home=tmp_path)
    assert gone.returncode == 0
    assert not (tree / ".mcp.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--client", "emacs"), "client is 'emacs': it must be one of claude, cursor, vscode, codex"),
        (("--client", "codex", "--scope", "all"), "scope is 'all': it must be one of project, user"),
        (("--client", "codex", "--path", "missing"), "missing is not a directory"),
    ],
)
def test_wrong_choices_are_named(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = ctxsieve("mcp", "install", *arguments, home=tmp_path)
    assert (done.returncode, message in done.stderr.decode()) == (2, True)
