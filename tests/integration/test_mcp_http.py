import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import httpx2
import mcp_types as types
import pytest

from integration.command import ctxsieve
from integration.mcp_client import MODES, call, http_client_of, http_server, refusal

TOKEN = "a-token-of-some-length"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "probe", "version": "1"}},
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "main.py").write_text("import util\n\n\ndef main():\n    return util.double(2)\n" * 20)
    (tree / "util.py").write_text("def double(value):\n    return 2 * value\n")
    return tree


def test_two_sessions_have_a_window_each(tmp_path: Path, tree: Path) -> None:
    async def run() -> None:
        async with (
            http_server(tmp_path, "--path", tree, token=TOKEN) as url,
            http_client_of(url, TOKEN, mode="legacy") as one,
            http_client_of(url, TOKEN, mode="legacy") as two,
        ):
            whole = await call(one, "ctx_read", paths=["main.py"])
            assert await call(two, "ctx_read", paths=["main.py"]) == whole
            for client in (one, two):
                assert await call(client, "ctx_read", paths=["main.py"]) == "main.py: unchanged, already sent (full)\n"
            assert "double" in await call(one, "ctx_preload", task="change double in util.py")
            again = await call(one, "ctx_preload", task="change double in util.py", fresh=True)
            assert "return 2 * value" in again

    anyio.run(run)


def test_client_without_a_session_gets_stubs_only_if_it_names_itself(tmp_path: Path, tree: Path) -> None:
    async def run() -> None:
        async with http_server(tmp_path, "--path", tree, token=TOKEN) as url:
            async with http_client_of(url, TOKEN) as unnamed:
                assert unnamed.protocol_version >= "2026"
                whole = await call(unnamed, "ctx_read", paths=["main.py"])
                assert await call(unnamed, "ctx_read", paths=["main.py"]) == whole
            async with http_client_of(url, TOKEN, headers={"Ctxsieve-Consumer": "coder"}) as named:
                assert await call(named, "ctx_read", paths=["main.py"]) == whole
                assert "already sent" in await call(named, "ctx_read", paths=["main.py"])
            async with http_client_of(url, TOKEN, headers={"Ctxsieve-Consumer": "no name"}) as wrong:
                assert "ctxsieve-consumer is 'no name'" in await refusal(wrong, "ctx_read", paths=["main.py"])

    anyio.run(run)


@pytest.mark.parametrize("mode", MODES)
def test_clients_of_one_server_are_served_their_own_roots(tmp_path: Path, tree: Path, mode: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "main.py").write_text("OTHER = 1\n")

    def roots_of(path: Path) -> Callable[[object], Awaitable[types.ListRootsResult]]:
        async def roots(_: object) -> types.ListRootsResult:
            return types.ListRootsResult.model_validate({"roots": [{"uri": path.as_uri()}]})

        return roots

    async def run() -> None:
        async with (
            http_server(tmp_path, token=TOKEN) as url,
            http_client_of(url, TOKEN, mode=mode, list_roots_callback=roots_of(tree)) as one,
            http_client_of(url, TOKEN, mode=mode, list_roots_callback=roots_of(other)) as two,
        ):
            assert "OTHER" not in await call(one, "ctx_read", paths=["main.py"])
            assert "OTHER" in await call(two, "ctx_read", paths=["main.py"])
            assert "OTHER" not in await call(one, "ctx_read", paths=["main.py"], fresh=True)

    anyio.run(run)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("mode", MODES)
def test_signal_ends_the_server_with_clients_connected(tmp_path: Path, tree: Path, mode: str, stop: int) -> None:
    async def run() -> None:
        async with http_server(tmp_path, "--path", tree, token=TOKEN, stop=stop) as url:
            async with http_client_of(url, TOKEN, mode=mode) as client:
                await call(client, "ctx_read", paths=["util.py"])
            async with httpx2.AsyncClient() as http:
                await http.post(url, json=INITIALIZE, headers=_headers())

    anyio.run(run)


def test_requests_without_the_token_or_from_elsewhere_are_refused(tmp_path: Path, tree: Path) -> None:
    async def run() -> None:
        async with http_server(tmp_path, "--path", tree, "--allow-origin", "http://a.test", token=TOKEN) as url:
            port = int(url.rsplit(":", 1)[1].removesuffix("/mcp"))
            expected = {
                401: [
                    _headers(Authorization=""),
                    _headers(Authorization="Bearer"),
                    _headers(Authorization=TOKEN),
                    _headers(Authorization=f"Bearer {TOKEN}x"),
                    _headers(Authorization=f"Basic {TOKEN}"),
                ],
                403: [
                    _headers(Origin="https://evil.test"),
                    _headers(Origin="null"),
                    _headers(Origin=f"http://localhost:{port}.evil.test"),
                    _headers(Origin=f"https://localhost:{port}"),
                    _headers(Origin=f"http://localhost:{port + 1}"),
                ],
                421: [_headers(Host="evil.test"), _headers(Host=f"evil.test:{port}"), _headers(Host="127.0.0.1")],
                200: [
                    _headers(),
                    _headers(Origin="http://a.test"),
                    _headers(Origin=f"http://localhost:{port}"),
                    _headers(Host=f"localhost:{port}"),
                ],
            }
            async with httpx2.AsyncClient() as http:
                for status, requests in expected.items():
                    for headers in requests:
                        answer = await http.post(url, json=INITIALIZE, headers=headers)
                        assert answer.status_code == status, (headers, answer.text)
                for method in ("GET", "DELETE", "OPTIONS", "PUT"):
                    assert (await http.request(method, url)).status_code == 401
                assert (await http.get(url.removesuffix("/mcp"))).status_code == 401

    anyio.run(run)


def test_bodies_that_are_no_message_are_refused_and_the_server_goes_on(tmp_path: Path, tree: Path) -> None:
    async def run() -> None:
        async with http_server(tmp_path, "--path", tree, token=TOKEN) as url, httpx2.AsyncClient() as http:
            for body in (
                b"",
                b"{",
                b"[]",
                b"null",
                b"[" * 100_000,
                b'{"jsonrpc":"2.0"}',
                b"\xff\xfe",
                b"x" * 5_000_000,
            ):
                for more in ({}, {"MCP-Protocol-Version": "2026-07-28"}):
                    answer = await http.post(url, content=body, headers=_headers(**more))
                    assert 400 <= answer.status_code < 500, (body[:20], answer.status_code)
            async with http_client_of(url, TOKEN) as client:
                assert "double" in await call(client, "ctx_read", paths=["util.py"])

    anyio.run(run)


def test_new_token_is_printed_and_works(tmp_path: Path, tree: Path) -> None:
    from integration.mcp_client import server_command, server_environment

    async def run() -> None:
        command = server_command("--http", "--port", "0", "--path", tree)
        async with await anyio.open_process(command, env=server_environment(tmp_path)) as process:
            assert process.stderr is not None
            try:
                announced = b""
                while b"Bearer" not in announced or not announced.endswith(b"\n"):
                    announced += await process.stderr.receive()
                words = announced.decode().split()
                url, token = next(word for word in words if word.startswith("http://")), words[-1]
                assert len(token) >= 32
                async with http_client_of(url, token) as client:
                    assert "double" in await call(client, "ctx_read", paths=["util.py"])
            finally:
                process.terminate()

    anyio.run(run)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--port", "70000"), "port is 70000"),
        (("--host", "0.0.0.0"), "host is '0.0.0.0'"),
        (("--host", "example.org"), "host is 'example.org'"),
        (("--token", "short"), "token has 5 characters"),
        (("--consumer", "me"), "consumer is 'me'"),
        (("--path", "missing"), "missing is not a directory"),
    ],
)
def test_wrong_options_are_named(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = ctxsieve("mcp", "--http", *arguments, home=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr.decode()


@pytest.mark.parametrize(
    "option", ["--host=127.0.0.1", "--port=0", "--token=0123456789abcdef", "--allow-origin=http://a"]
)
def test_options_of_http_without_http_are_refused(tmp_path: Path, option: str) -> None:
    done = ctxsieve("mcp", option, home=tmp_path)
    assert done.returncode == 2
    assert f"{option.partition('=')[0]} is given without --http" in done.stderr.decode()


def _headers(**more: str) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        **{name.replace("_", "-"): value for name, value in more.items()},
    }
