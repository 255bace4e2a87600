"""A real client of the protocol, on the server in a process of its own."""

import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE
from typing import Any

import anyio
import httpx2
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

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


@asynccontextmanager
async def http_server(
    home: Path, *arguments: str | Path, token: str = "", stop: int = signal.SIGTERM
) -> AsyncIterator[str]:
    """Run the server over HTTP on a free port, yield its address, and end it as a user would."""
    more = {"CTXSIEVE_MCP_TOKEN": token} if token else {}
    command = server_command("--http", "--port", "0", *arguments)
    async with await anyio.open_process(
        command, env=server_environment(home, **more), stdout=PIPE, stderr=PIPE
    ) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        try:
            announced = b""
            while b"/mcp" not in announced:
                announced += await process.stderr.receive()
            url = re.search(r"http://\S+", announced.decode())
            assert url is not None
            yield url[0]
            process.send_signal(stop)
            with anyio.fail_after(30):
                rest = b"".join([part async for part in process.stderr])
                printed = b"".join([part async for part in process.stdout])
                assert await process.wait() == 0
            assert (rest, printed) == (b"", b"")
        finally:
            if process.returncode is None:
                process.kill()


@asynccontextmanager
async def http_client_of(
    url: str, token: str, *, headers: Mapping[str, str] | None = None, **options: Any
) -> AsyncIterator[Client]:
    sent = {"Authorization": f"Bearer {token}", **(headers or {})}
    async with (
        httpx2.AsyncClient(headers=sent, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), **options) as client,
    ):
        yield client
