"""The protocol over standard input and output.

The SDK's transport reads standard input in a thread that cannot be left while a read is pending, so that a signal
would be heeded only after the client's next line. Here a daemon thread reads, and the event loop ends when it is told.
Standard output belongs to the protocol: its descriptor is moved away at the start, and whatever else prints goes to
standard error.
"""

import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import BinaryIO

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from ctxsieve.mcp_server.server import ContextServer, ServerOptions

__all__ = ["leave_threads", "serve_stdio", "wait_for_stop"]

_LOG = logging.getLogger(__name__)

MAX_LINE_BYTES = 64 << 20
# Requests that are under way when standard input ends may still be answered for so long.
_GRACE_SECONDS = 10.0
# Threads that work for nobody any more may take so long to end by themselves.
_LEAVING_SECONDS = 1.0

Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectReceiveStream[SessionMessage]


def serve_stdio(options: ServerOptions) -> int:
    """Serve one client until its end of input, SIGINT or SIGTERM, and return the exit code 0."""
    incoming, outgoing = _claim_standard_streams()
    server = ContextServer(options)
    try:
        anyio.run(_serve, server, incoming, outgoing)
    finally:
        server.close()
    leave_threads()
    return 0


def leave_threads() -> None:
    """End the process at once, successfully, if a worker thread does not: it works for a client that is gone."""
    deadline = time.monotonic() + _LEAVING_SECONDS
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                logging.shutdown()
                os._exit(0)


def _claim_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return private copies of standard input and output; the public ones are the null device and standard error."""
    sys.stdout.flush()
    if sys.stdin.isatty():
        sys.stderr.write("ctxsieve: waiting for a client on standard input; `ctxsieve mcp install` sets one up\n")
    incoming = os.fdopen(os.dup(0), "rb", buffering=1 << 16)
    outgoing = os.fdopen(os.dup(1), "wb", buffering=0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    try:
        os.dup2(2, 1)
    except OSError:
        # Started without a standard error.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)
    return incoming, outgoing


async def _serve(server: ContextServer, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_on_signal, tasks.cancel_scope)
        async with _streams(incoming, outgoing) as (reading, writing):
            await server.protocol.run(reading, writing, server.protocol.create_initialization_options())
        tasks.cancel_scope.cancel()


async def wait_for_stop() -> None:
    """Return when the process is asked to end; without handlers for signals (Windows) the interpreter ends it."""
    if sys.platform == "win32":
        await anyio.sleep_forever()
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            return


async def _stop_on_signal(scope: anyio.CancelScope) -> None:
    await wait_for_stop()
    scope.cancel()


@asynccontextmanager
async def _streams(
    incoming: BinaryIO, outgoing: BinaryIO
) -> AsyncIterator[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
]:
    arriving, reading = anyio.create_memory_object_stream[SessionMessage | Exception](16)
    writing, leaving = anyio.create_memory_object_stream[SessionMessage](16)
    lines, read_lines = anyio.create_memory_object_stream[bytes](16)
    _start_reader(incoming, lines)
    open_requests: set[str] = set()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_relay, read_lines, arriving, writing.clone(), open_requests)
        tasks.start_soon(_write, leaving, outgoing, open_requests, tasks.cancel_scope)
        yield reading, writing
        await writing.aclose()
        await read_lines.aclose()


def _start_reader(incoming: BinaryIO, lines: MemoryObjectSendStream[bytes]) -> None:
    """Read lines in a daemon thread: nobody waits for it when the server ends."""
    portal = anyio.lowlevel.current_token()

    def deliver(function: Callable[..., object], *arguments: object) -> None:
        anyio.from_thread.run(function, *arguments, token=portal)  # type: ignore[arg-type]

    def read() -> None:
        with suppress(RuntimeError, anyio.BrokenResourceError, anyio.ClosedResourceError, ValueError, OSError):
            try:
                while line := incoming.readline(MAX_LINE_BYTES):
                    deliver(lines.send, line)
            finally:
                deliver(lines.aclose)

    threading.Thread(target=read, name="ctxsieve standard input", daemon=True).start()


async def _relay(
    lines: MemoryObjectReceiveStream[bytes],
    arriving: Incoming,
    writing: MemoryObjectSendStream[SessionMessage],
    open_requests: set[str],
) -> None:
    """Pass on each line that is a message; answer each that is none, unless the client does not read its answers."""
    async with arriving, writing:
        async for line in lines:
            if not line.strip():
                continue
            try:
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError:
                with suppress(anyio.WouldBlock):
                    writing.send_nowait(SessionMessage(_refusal(line)))
                continue
            if isinstance(message, types.JSONRPCNotification) and _has_identifier(line):
                # It waits for an answer that a notification would never get.
                with suppress(anyio.WouldBlock):
                    writing.send_nowait(SessionMessage(_refusal(line)))
                continue
            if isinstance(message, types.JSONRPCRequest):
                open_requests.add(str(message.id))
            elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
                open_requests.discard(str((message.params or {}).get("requestId")))
            await arriving.send(SessionMessage(message))
        with anyio.move_on_after(_GRACE_SECONDS):
            while open_requests:
                await anyio.sleep(0.01)


def _has_identifier(line: bytes) -> bool:
    """Say whether a message that is read as a notification carries an id: null, a fraction, a list."""
    return b'"id"' in line and "id" in json.loads(line)


def _refusal(line: bytes) -> types.JSONRPCError:
    try:
        types.jsonrpc_message_adapter.validator.validate_json(line)
    except ValueError as error:
        is_syntax = any(problem["type"] == "json_invalid" for problem in error.errors())  # type: ignore[attr-defined]
    else:
        is_syntax = False
    code, text = (
        (types.PARSE_ERROR, "the line is no JSON: send one JSON-RPC message a line, in UTF-8")
        if is_syntax
        else (types.INVALID_REQUEST, "the line is no JSON-RPC 2.0 message")
    )
    return types.JSONRPCError(jsonrpc="2.0", id=_identifier(line), error=types.ErrorData(code=code, message=text))


def _identifier(line: bytes) -> int | str | None:
    """Return the id of a line that a more patient reader understands (lone surrogates), so that nobody waits for it."""
    try:
        identifier = json.loads(line)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    is_text = isinstance(identifier, str) and identifier.isprintable()
    return identifier if is_text or type(identifier) is int else None


async def _write(leaving: Outgoing, outgoing: BinaryIO, open_requests: set[str], scope: anyio.CancelScope) -> None:
    """Write each message as a line; a client that is gone ends the server."""
    async with leaving:
        async for item in leaving:
            data = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            try:
                await anyio.to_thread.run_sync(_write_all, outgoing, data, abandon_on_cancel=True)
            except OSError:
                _LOG.info("the client is gone")
                scope.cancel()
                return
            if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                open_requests.discard(str(item.message.id))


def _write_all(outgoing: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[outgoing.write(view) :]
