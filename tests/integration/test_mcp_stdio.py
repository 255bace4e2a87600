"""The server as a process: what it makes of noise, signals and clients that leave."""

import contextlib
import json
import os
import random
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from integration.mcp_client import MODES, call, server_command, server_environment, stdio_client_of

MALFORMED_LINES = int(os.environ.get("CTXSIEVE_TEST_MALFORMED_LINES", "5000"))
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "probe", "version": "1"}},
}
READ = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "ctx_read", "arguments": {"paths": ["a.py"]}},
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.py").write_text("def a():\n    return 1\n")
    return tree


class Server:
    """The process, spoken to in raw lines."""

    def __init__(self, home: Path, tree: Path) -> None:
        self.process = subprocess.Popen(
            server_command("--path", tree),
            env=server_environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.pending = b""

    def send(self, *messages: dict[str, Any] | bytes) -> None:
        for message in messages:
            self.stdin.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        self.stdin.flush()

    def answer(self, request: int) -> dict[str, Any]:
        """The answer to a request; whatever else was printed must be protocol."""
        while True:
            message = json.loads(self.line())
            assert message["jsonrpc"] == "2.0"
            if message.get("id") == request and "method" not in message:
                return dict(message)

    def line(self) -> bytes:
        deadline = time.monotonic() + 120
        while b"\n" not in self.pending:
            ready, _, _ = select.select([self.stdout], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, "the server does not answer"
            part = os.read(self.stdout.fileno(), 1 << 16)
            assert part, "the server ended"
            self.pending += part
        line, _, self.pending = self.pending.partition(b"\n")
        return line

    def end(self) -> tuple[int, bytes]:
        assert self.process.stderr is not None
        code = self.process.wait(60)
        return code, self.process.stderr.read()


@pytest.fixture
def server(tmp_path: Path, tree: Path) -> Iterator[Server]:
    running = Server(tmp_path, tree)
    yield running
    running.process.kill()
    running.process.wait()
    for stream in (running.stdin, running.stdout, running.process.stderr):
        with contextlib.suppress(OSError):
            stream.close()  # type: ignore[union-attr]


def noise(count: int) -> Iterator[bytes]:
    """Lines that are no messages: text, bytes, cut and changed messages, wrong envelopes, deep nesting."""
    source = random.Random(8)
    whole = json.dumps(READ).encode()
    envelopes: list[Any] = [
        None, 1, "a", [], [READ], {}, {"jsonrpc": "2.0"}, {"jsonrpc": "1.0", "id": 9, "method": "ping"},
        {"jsonrpc": "2.0", "id": None, "method": "ping"}, {"jsonrpc": "2.0", "id": [1], "method": "ping"},
        {"jsonrpc": "2.0", "id": 9, "method": 5}, {"jsonrpc": "2.0", "id": 9, "method": "ping", "params": 3},
        {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": []}, {"jsonrpc": "2.0", "result": 1},
        {"jsonrpc": "2.0", "id": 9, "method": "no/such"}, {"jsonrpc": "2.0", "method": "notifications/no"},
        {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "ctx_read", "arguments": "a"}},
        {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": 1}},
        {"jsonrpc": "2.0", "id": 9, "method": "resources/read", "params": {"uri": "\x00"}},
        {"jsonrpc": "2.0", "id": 77, "result": {}}, {"jsonrpc": "2.0", "id": 77, "error": {"code": "x"}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}},
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": True, "progress": "x"}},
    ]  # fmt: skip
    fixed = [json.dumps(envelope).encode() for envelope in envelopes]
    fixed += [b"", b" ", b"\r", b"\x00", b"\xff\xfe\x00", b'{"a":' * 2000, b"[" * 5000, b'"\\ud800"', b"1e999", b"NaN"]
    fixed += [
        b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"\\ud800"}}',
        b"Content-Length: 12\r",
        b"x" * 70_000,
    ]
    for number in range(count):
        if number % 3 == 0:
            yield fixed[number // 3 % len(fixed)] + b"\n"
        elif number % 3 == 1:
            yield whole[: source.randrange(1, len(whole))] + b"\n"
        else:
            changed = bytearray(whole)
            for _ in range(source.randrange(1, 8)):
                changed[source.randrange(len(changed))] = source.choice(b'{}[]",:0a\\\x00\xff ')
            yield bytes(changed).replace(b"\n", b" ") + b"\n"


def test_server_answers_after_malformed_lines(server: Server) -> None:
    server.send(HELLO)
    assert server.answer(1)["result"]["serverInfo"]["name"] == "ctxsieve"
    # Nobody reads meanwhile: what is written back to noise must not block the server.
    server.send(*noise(MALFORMED_LINES))
    server.send({**READ, "id": 100_001})
    assert "def a()" in server.answer(100_001)["result"]["content"][0]["text"]
    server.stdin.close()
    code, printed = server.end()
    assert (code, b"Traceback" in printed) == (0, False)


def test_malformed_line_is_answered_with_what_is_wrong(server: Server) -> None:
    server.send(HELLO)
    server.answer(1)
    server.send(b"{not json\n", b'{"jsonrpc":"2.0","id":[],"method":3}\n')
    errors = [json.loads(server.line()) for _ in range(2)]
    assert [error["error"]["code"] for error in errors] == [-32700, -32600]
    assert all(error["id"] is None for error in errors)


def test_refusal_of_a_lone_surrogate_names_the_request_that_waits(server: Server) -> None:
    server.send(HELLO)
    server.answer(1)
    server.send(b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\\ud800"}}\n')
    error = json.loads(server.line())
    assert (error["id"], error["error"]["code"]) == (7, -32700)


@pytest.mark.parametrize("identifier", [None, 1.5, [1]])
def test_request_with_an_id_that_is_none_is_refused_instead_of_left_unanswered(
    server: Server, identifier: object
) -> None:
    server.send(HELLO)
    server.answer(1)
    server.send({"jsonrpc": "2.0", "id": identifier, "method": "ping"})
    error = json.loads(server.line())
    assert (error["id"], error["error"]["code"]) == (None, -32600)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_the_server_cleanly(server: Server, stop: signal.Signals) -> None:
    server.send(HELLO, READ)
    server.answer(2)
    started = time.monotonic()
    server.process.send_signal(stop)
    assert server.end() == (0, b"")
    assert time.monotonic() - started < 60


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_the_server_during_long_work(
    tmp_path: Path, tree: Path, server: Server, stop: signal.Signals
) -> None:
    for number in range(4000):
        (tree / f"m{number}.py").write_text(f"def f{number}(a):\n    return a\n" * 60)
    preload = {"name": "ctx_preload", "arguments": {"task": "change f7"}}
    server.send(HELLO, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": preload})
    server.answer(1)
    time.sleep(0.3)
    started = time.monotonic()
    server.process.send_signal(stop)
    code, printed = server.end()
    assert (code, b"Traceback" in printed) == (0, False)
    assert time.monotonic() - started < 60


def test_server_ends_when_the_client_is_gone(server: Server) -> None:
    server.send(HELLO)
    server.answer(1)
    server.stdin.close()
    assert server.end() == (0, b"")


def test_server_ends_when_nobody_reads_its_answers(server: Server) -> None:
    server.send(HELLO)
    server.answer(1)
    server.stdout.close()
    server.send(READ)
    code, printed = server.end()
    assert (code, b"Traceback" in printed) == (0, False)


def test_piped_requests_are_answered_before_the_end(tmp_path: Path, tree: Path) -> None:
    given = b"".join(json.dumps(message).encode() + b"\n" for message in (HELLO, READ))
    done = subprocess.run(
        server_command("--path", tree),
        env=server_environment(tmp_path),
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
    )
    answers = {message["id"]: message for message in map(json.loads, done.stdout.splitlines())}
    assert "def a()" in answers[2]["result"]["content"][0]["text"]
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("mode", MODES)
def test_cancelled_request_is_not_answered_and_others_are(tmp_path: Path, tree: Path, mode: str) -> None:
    for number in range(3000):
        (tree / f"m{number}.py").write_text(f"def f{number}(a):\n    return a\n" * 60)

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree, mode=mode) as client:
            with anyio.move_on_after(0.2) as scope:
                await client.call_tool("ctx_preload", {"task": "change f7"})
            assert scope.cancelled_caught
            with anyio.fail_after(60):
                assert "def a()" in await call(client, "ctx_read", paths=["a.py"])
            assert "f7" in await call(client, "ctx_preload", task="change f7")

    anyio.run(run)


def test_answer_that_was_cancelled_does_not_count_as_received(server: Server) -> None:
    server.send(HELLO, READ)
    whole = server.answer(2)["result"]
    server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
    server.send({"jsonrpc": "2.0", "id": 9, "method": "ping"})
    server.answer(9)
    server.send({**READ, "id": 3}, {**READ, "id": 4})
    assert server.answer(3)["result"] == whole


def test_commands_other_than_mcp_do_not_load_the_protocol(tmp_path: Path, tree: Path) -> None:
    program = (
        "import sys; from ctxsieve.cli import run_command_line as run; run(['read', 'a.py', '--path', sys.argv[1]]);"
        "print([name for name in sys.modules if name.split('.')[0] in ('mcp', 'mcp_types', 'starlette', 'uvicorn')])"
    )
    command = [server_command()[0], "-c", program, str(tree)]
    done = subprocess.run(command, env=server_environment(tmp_path), capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")
