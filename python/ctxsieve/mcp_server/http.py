"""The protocol over streamable HTTP, for clients on this machine.

Everything on the machine can reach a loopback port, web pages included: requests need the token, a `Host` that names
the server itself (a rebound name of somebody else's does not) and, from a browser, an allowed `Origin`.
"""

import contextlib
import hmac
import logging
import secrets
import socket
import sys
from collections.abc import Iterator
from ipaddress import ip_address

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ctxsieve.errors import InputError
from ctxsieve.mcp_server.server import ContextServer, ServerOptions
from ctxsieve.mcp_server.stdio import leave_threads, wait_for_stop
from ctxsieve.values import dataclass

__all__ = ["DEFAULT_PORT", "Guard", "HttpOptions", "serve_http"]

DEFAULT_PORT = 8377
_PATH = "/mcp"
_LEAST_TOKEN_LENGTH = 16
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
# Open event streams never end by themselves: they are cut after so long.
_GRACE_SECONDS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOptions:
    """Where to listen, and whom to let in.

    Attributes:
        host: an address of this machine; every other than a loopback one opens the project to the network.
        port: 0 for any free one.
        token: what clients have to send; None makes a new one, which is printed.
        origins: web origins that may call besides the server's own, for example http://localhost:6274.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str | None = None
    origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise InputError(f"port is {self.port}: it must be from 0 to 65535")
        if self.token is not None and (len(self.token) < _LEAST_TOKEN_LENGTH or not _is_header_text(self.token)):
            raise InputError(
                f"token has {len(self.token)} characters: it needs {_LEAST_TOKEN_LENGTH} or more, letters and digits"
            )
        try:
            address = ip_address(self.host)
        except ValueError:
            if self.host != "localhost":
                raise InputError(f"host is {self.host!r}: give an address of this machine, as 127.0.0.1") from None
        else:
            if address.is_unspecified:
                raise InputError(f"host is {self.host!r}: name the one address that clients use")


def serve_http(options: ServerOptions, http: HttpOptions) -> int:
    """Serve any number of clients until SIGINT or SIGTERM, and return the exit code 0."""
    listening = _listen(http)
    server = ContextServer(options)
    try:
        anyio.run(_serve, server, http, listening)
    finally:
        server.close()
    leave_threads()
    return 0


class Guard:
    """Lets requests through that name this server, come from an allowed origin and carry the token."""

    def __init__(self, app: ASGIApp, *, token: str, hosts: tuple[str, ...], origins: tuple[str, ...]) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode("latin-1")
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421, 403 or 401, or pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(headers)
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await refusal(scope, receive, send)

    def _refusal(self, headers: Headers) -> PlainTextResponse | None:
        if headers.getlist("host") == [] or any(host not in self._hosts for host in headers.getlist("host")):
            return PlainTextResponse("this server goes by another name\n", 421)
        if any(origin not in self._origins for origin in headers.getlist("origin")):
            return PlainTextResponse("this origin is not allowed: start the server with --allow-origin\n", 403)
        given = headers.getlist("authorization")
        if len(given) != 1 or not hmac.compare_digest(given[0].encode("latin-1"), self._expected):
            return PlainTextResponse("the token is missing or wrong\n", 401, {"WWW-Authenticate": "Bearer"})
        return None


async def _serve(server: ContextServer, http: HttpOptions, listening: socket.socket) -> None:
    port = listening.getsockname()[1]
    names = _names(http.host)
    hosts = tuple(f"{name}:{port}" for name in names) + (names if port == 80 else ())
    origins = (*(f"http://{host}" for host in hosts), *http.origins)
    token = http.token or secrets.token_urlsafe(24)
    app = server.protocol.streamable_http_app(
        streamable_http_path=_PATH,
        host=http.host,
        transport_security=TransportSecuritySettings(allowed_hosts=list(hosts), allowed_origins=list(origins)),
    )
    guarded = Guard(app, token=token, hosts=hosts, origins=origins)
    config = uvicorn.Config(
        guarded, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=_GRACE_SECONDS, ws="none"
    )
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    running = _Uvicorn(config)
    _announce(http, f"http://{names[0]}:{port}{_PATH}", token)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_stop_on_signal, running)
        await running.serve(sockets=[listening])
        tasks.cancel_scope.cancel()


class _Uvicorn(uvicorn.Server):
    """Leaves signals alone: uvicorn would raise them again after a clean end."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _stop_on_signal(running: uvicorn.Server) -> None:
    await wait_for_stop()
    running.should_exit = True


def _listen(http: HttpOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in http.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((http.host, http.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise InputError(
            f"port is {http.port}: {http.host} cannot be listened on there ({error.strerror}); give another --port"
        ) from error
    listening.setblocking(False)
    return listening


def _names(host: str) -> tuple[str, ...]:
    """Return the names that clients may use for the server, the printed one first."""
    if host == "localhost" or ip_address(host).is_loopback:
        own = f"[{host}]" if ":" in host else host
        return (own, *(name for name in _LOOPBACK_NAMES if name != own))
    return (f"[{host}]" if ":" in host else host,)


def _announce(http: HttpOptions, url: str, token: str) -> None:
    lines = [f"ctxsieve: serving at {url}"]
    if http.token is None:
        lines.append(f"ctxsieve: clients send the header Authorization: Bearer {token}")
    if http.host != "localhost" and not ip_address(http.host).is_loopback:
        lines.append(
            f"ctxsieve: whoever reaches {http.host} and has the token can read the project; nothing is encrypted"
        )
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    sys.stderr.flush()


def _is_header_text(token: str) -> bool:
    return token.isascii() and token.isprintable() and " " not in token
