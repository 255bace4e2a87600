"""A real client of the protocol, on the server in a process of its own."""

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp import Client, StdioServerParameters

from integration.command import SOURCE

MODES = ("auto", "legacy")


def server_environment(home: Path, **more: str) -> dict[str, str]:
    """What the server's process sees; nothing of the caller's settings leaks in."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CTXSIEVE_")}
    if "CTXSIEVE_BACKEND" in os.environ:
        clean["CTXSIEVE_BACKEND"] = os.environ["CTXSIEVE_BACKEND"]
    places = {"CTXSIEVE_CACHE_DIR": str(home / "cache"), "CTXSIEVE_STATE_DIR": str(home / "state")}
    return {**clean, **places, "PYTHONPATH": str(SOURCE), **more}


def server_command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "ctxsieve", "mcp", *map(str, arguments)]


@asynccontextmanager
async def stdio_client_of(
    home: Path,
    *arguments: str | Path,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    **options: Any,
) -> AsyncIterator[Client]:
    command, *rest = server_command(*arguments)
    parameters = StdioServerParameters(
        command=command, args=rest, env=server_environment(home, **(environment or {})), cwd=cwd
    )
    async with Client(parameters, **options) as client:
        yield client


def text_of(result: types.CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


async def call(client: Client, tool: str, **arguments: Any) -> str:
    """The text of an answer that is no error."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return text_of(result)


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error, text_of(result)
    return text_of(result)
