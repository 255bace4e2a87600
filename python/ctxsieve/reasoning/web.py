"""Fetching public web pages, guarded against requests into private networks; needs the extra `web` (httpx)."""

import html
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from ctxsieve.errors import InputError
from ctxsieve.reasoning.addresses import check_address
from ctxsieve.reasoning.daemon_threads import run_in_daemon_thread

if TYPE_CHECKING:
    import httpx

__all__ = ["WebFetcher", "read_html"]

MAX_PAGE_BYTES = 2 << 20
MAX_REDIRECTS = 5
_PORTS = frozenset((80, 443))
_TEXT_TYPES = re.compile(
    r"(?:text/[\w.+-]+|application/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript|toml|x-ndjson))"
)
_REDIRECTS = frozenset((301, 302, 303, 307, 308))

LookUp = Callable[[str, int], Awaitable[Sequence[str]]]


async def look_up_addresses(host: str, port: int) -> list[str]:
    """Return the addresses of a name, in the order of the system's resolver."""
    found = await run_in_daemon_thread(socket.getaddrinfo, host, port, 0, socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class WebFetcher:
    """Fetches text from public addresses.

    Every request, also one that a redirect leads to, looks its host up once, refuses the host if any of its
    addresses is not public, and connects to the very address that was checked, so a second answer of the name server
    changes nothing. No proxies, cookies or credentials; ports 80 and 443; at most five redirects and 2 MiB.

    Args:
        look_up: Host and port to addresses; the system's resolver by default.
        allowed_networks: Networks (`10.0.0.0/8`) that may be reached although they are not public, on any port.
    """

    def __init__(self, *, look_up: LookUp = look_up_addresses, allowed_networks: Sequence[str] = ()) -> None:
        self._look_up = look_up
        try:
            self._allowed = tuple(map(ipaddress.ip_network, allowed_networks))
        except ValueError as error:
            raise InputError(f"allowed_networks is {list(allowed_networks)!r}: {error}") from None

    async def __call__(self, url: str) -> str:
        """Return the text of a page, of HTML only what is read.

        Raises:
            InputError: The address is refused, the answer is no text, an error status or too many redirects.
        """
        try:
            import httpx
        except ImportError:
            raise InputError("fetching URLs needs httpx: install ctxsieve[web]") from None
        limits = httpx.Limits(max_keepalive_connections=0)
        transport = httpx.AsyncHTTPTransport(trust_env=False, limits=limits)
        async with httpx.AsyncClient(transport=transport, trust_env=False, timeout=10.0) as client:
            for _ in range(MAX_REDIRECTS + 1):
                request = await self._pinned_request(url)
                response = await client.send(request, stream=True, follow_redirects=False)
                try:
                    if response.status_code not in _REDIRECTS:
                        return await _read_text(response)
                    url = _next_url(url, response.headers.get("location"))
                finally:
                    await response.aclose()
        raise InputError(f"{url} comes after more than {MAX_REDIRECTS} redirects: it is not fetched")

    async def _pinned_request(self, url: str) -> "httpx.Request":
        """Return a request to a checked address that still names the host in header and certificate check."""
        import httpx

        try:
            target = httpx.URL(url)
        except (httpx.InvalidURL, UnicodeError) as error:
            raise InputError(f"{url!r} is no URL: {error}") from None
        if target.scheme not in ("http", "https") or not target.host:
            raise InputError(f"{url!r} is not fetched: it must be http:// or https:// with a host")
        if target.userinfo:
            raise InputError("a URL with credentials is not fetched: leave out what stands before the @")
        host = target.raw_host.decode("ascii")
        port = target.port or (443 if target.scheme == "https" else 80)
        address, is_allowed = await self._checked_address(host, port)
        if port not in _PORTS and not is_allowed:
            raise InputError(f"port {port} is not fetched from: it must be 80 or 443")
        headers = {
            "Host": target.netloc.decode("ascii"),
            "User-Agent": "ctxsieve",
            "Accept": "text/*, application/json, */*;q=0.1",
            # What is not compressed cannot unpack into gigabytes.
            "Accept-Encoding": "identity",
        }
        extensions = {"sni_hostname": host}
        return httpx.Request(
            "GET", target.copy_with(host=address, fragment=None), headers=headers, extensions=extensions
        )

    async def _checked_address(self, host: str, port: int) -> tuple[str, bool]:
        try:
            found = await self._look_up(host, port)
        except OSError as error:
            raise InputError(f"host {host!r} is not found: {error.strerror or error}") from None
        if not found:
            raise InputError(f"host {host!r} has no address")
        addresses = [check_address(text, self._allowed) for text in found]
        chosen = addresses[0]
        is_allowed = any(chosen.version == network.version and chosen in network for network in self._allowed)
        return str(chosen), is_allowed


def _next_url(url: str, location: str | None) -> str:
    if not location:
        raise InputError(f"{url} redirects to nowhere")
    target = urljoin(url, location)
    if url.lower().startswith("https://") and not target.lower().startswith("https://"):
        raise InputError(f"{url} redirects from https to {target[:200]}: it is not followed")
    return target


async def _read_text(response: "httpx.Response") -> str:
    if response.status_code != 200:
        raise InputError(f"the server answers {response.status_code} {response.reason_phrase}")
    kind = response.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()
    if not _TEXT_TYPES.fullmatch(kind):
        raise InputError(f"the answer is {kind!r}: only text is fetched")
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise InputError("the answer is compressed although it was asked for as it is")
    blocks, size = [], 0
    async for block in response.aiter_raw():
        blocks.append(block)
        size += len(block)
        if size > MAX_PAGE_BYTES:
            break
    data = b"".join(blocks)[:MAX_PAGE_BYTES]
    try:
        text = data.decode(response.charset_encoding or "utf-8", "replace")
    except (LookupError, UnicodeError):
        text = data.decode("utf-8", "replace")
    return read_html(text) if kind in ("text/html", "application/xhtml+xml") else text


_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,31})[^<>]{0,4096}>|<!--|<![^<>]{0,1024}>")
_HIDDEN_ELEMENTS = frozenset(("script", "style", "noscript", "template", "svg", "iframe", "object"))
_BLOCK_ELEMENT_TEXT = """
    article blockquote body br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section
    table title tr ul
"""
_BLOCK_ELEMENTS = frozenset(_BLOCK_ELEMENT_TEXT.split())


def read_html(page: str) -> str:
    """Return what a reader sees of an HTML page: no tags, scripts or comments, entities resolved, a line per block."""
    parts: list[str] = []
    position = 0
    while (tag := _TAG.search(page, position)) is not None:
        parts.append(page[position : tag.start()])
        position = tag.end()
        name = (tag[2] or "").lower()
        if tag[0] == "<!--":
            position = _after(page, "-->", position)
        elif name in _HIDDEN_ELEMENTS and not tag[1] and not tag[0].endswith("/>"):
            position = _after_closing(page, name, position)
        if name in _BLOCK_ELEMENTS:
            parts.append("\n")
    parts.append(page[position:])
    lines = (" ".join(line.split()) for line in html.unescape("".join(parts)).split("\n"))
    return "\n".join(line for line in lines if line)


def _after(page: str, mark: str, position: int) -> int:
    found = page.find(mark, position)
    return len(page) if found < 0 else found + len(mark)


def _after_closing(page: str, name: str, position: int) -> int:
    closing = re.compile(rf"</{name}[^<>]{{0,100}}>", re.IGNORECASE).search(page, position)
    return len(page) if closing is None else closing.end()
