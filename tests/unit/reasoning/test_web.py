import asyncio
import socket
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from ctxsieve.errors import InputError
from ctxsieve.reasoning.addresses import check_address
from ctxsieve.reasoning.web import WebFetcher, read_html

CLOSED = [
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "100.64.0.1",
    "100.100.100.200", "192.0.0.192", "168.63.129.16", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
    "224.0.0.1",
    "239.1.1.1", "240.0.0.1", "255.255.255.255", "192.88.99.1", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1",
    "fd00:ec2::254",
    "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1", "fec0::1", "::ffff:0:127.0.0.1", "64:ff9b:1::1", "100::1", "",
    "localhost", "1",
]  # fmt: skip


@pytest.mark.parametrize("address", CLOSED)
def test_address_that_is_not_public_is_refused(address: str) -> None:
    with pytest.raises(InputError):
        check_address(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_public_address_passes(address: str) -> None:
    assert check_address(address).is_global


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server: Any = self.server
        server.hosts.append(self.headers["Host"])
        status, headers, body = server.pages.get(self.path, (404, {}, b"none"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as made:
        server: Any = made
        server.pages, server.hosts = {}, []
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def fetch(server: Any, path: str, *, host: str = "site.example", names: dict[str, Sequence[str]] | None = None) -> str:
    looked_up: dict[str, int] = {}

    async def look_up(name: str, port: int) -> Sequence[str]:
        looked_up[name] = looked_up.get(name, 0) + 1
        answers = {"site.example": ["127.0.0.1"], **(names or {})}
        if name not in answers:
            raise socket.gaierror(-2, "Name or service not known")
        return answers[name]

    fetcher = WebFetcher(look_up=look_up, allowed_networks=["127.0.0.1/32"])
    return asyncio.run(fetcher(f"http://{host}:{server.server_port}{path}"))


def test_page_is_fetched_from_the_checked_address_under_its_own_name(server: Any) -> None:
    server.pages["/a"] = (200, {"Content-Type": "text/plain; charset=latin-1"}, b"caf\xe9")
    assert fetch(server, "/a#part") == "café"
    assert server.hosts == [f"site.example:{server.server_port}"]


def test_second_answer_of_the_name_server_changes_nothing(server: Any) -> None:
    server.pages["/a"] = (200, {}, b"x")
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])

    async def look_up(name: str, port: int) -> Sequence[str]:
        return next(answers)

    fetcher = WebFetcher(look_up=look_up, allowed_networks=["127.0.0.1/32"])
    assert asyncio.run(fetcher(f"http://site.example:{server.server_port}/a")) == "x"
    assert next(answers) == ["10.0.0.1"]


def test_one_private_address_among_public_ones_refuses_the_host(server: Any) -> None:
    with pytest.raises(InputError, match=r"address 10\.0\.0\.1 is not public"):
        fetch(server, "/a", host="mixed.example", names={"mixed.example": ["127.0.0.1", "10.0.0.1"]})


@pytest.mark.parametrize(
    "location",
    ["http://inner.example/x", "//inner.example/x", "http://169.254.169.254/latest", "http://[::1]/", "file:///etc/passwd",
     "ftp://site.example/x", "http://user:password@site.example/", "http://0x7f000001/", "gopher://x"],
)  # fmt: skip
def test_redirect_into_the_inside_is_refused(server: Any, location: str) -> None:
    server.pages["/a"] = (302, {"Location": location}, b"")
    names = {name: [address] for name, address in
             {"inner.example": "192.168.0.1", "169.254.169.254": "169.254.169.254", "::1": "::1",
             "0x7f000001": "127.0.0.2"}.items()}  # fmt: skip
    with pytest.raises(InputError):
        fetch(server, "/a", names=names)
    assert len(server.hosts) == 1


def test_redirect_inside_the_site_is_followed(server: Any) -> None:
    server.pages["/a"] = (301, {"Location": "/b"}, b"")
    server.pages["/b"] = (200, {}, b"moved")
    assert fetch(server, "/a") == "moved"


def test_endless_redirects_end(server: Any) -> None:
    server.pages["/a"] = (302, {"Location": "/a"}, b"")
    with pytest.raises(InputError, match="more than 5 redirects"):
        fetch(server, "/a")
    assert len(server.hosts) == 6


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ((404, {}, b"none"), "the server answers 404"),
        ((200, {"Content-Type": "image/png"}, b"x"), "only text is fetched"),
        ((200, {"Content-Type": "application/octet-stream"}, b"x"), "only text is fetched"),
        ((200, {"Content-Encoding": "gzip"}, b"x"), "compressed"),
        ((302, {}, b""), "redirects to nowhere"),
    ],
)
def test_answer_that_is_no_text_is_an_error(server: Any, page: Any, message: str) -> None:
    server.pages["/a"] = page
    with pytest.raises(InputError, match=message):
        fetch(server, "/a")


def test_page_is_read_up_to_two_mebibytes(server: Any) -> None:
    server.pages["/a"] = (200, {"Content-Type": "text/plain"}, b"x" * (3 << 20))
    assert len(fetch(server, "/a")) == 2 << 20


@pytest.mark.parametrize("charset", ["no-such", "hex", "undefined", "idna"])
def test_odd_charset_does_not_break_the_page(server: Any, charset: str) -> None:
    server.pages["/a"] = (200, {"Content-Type": f"text/plain; charset={charset}"}, b"text..\xff")
    assert "text" in fetch(server, "/a")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://site.example/", "must be http"), ("file:///etc/passwd", "must be http"), ("http://", "must be http"),
        ("http://user@site.example/", "credentials"), ("http://u:p@site.example/", "credentials"),
        ("http://site.example:22/", "is not public|port"),
        ("http://nowhere.example/", "is not found"), ("http://empty.example/", "has no address"),
        ("http://public.example:8080/", "port 8080"),
        ("http://a b/", "."), ("http://site.example:99999999/", "."),
    ],
)  # fmt: skip
def test_url_that_is_not_fetched_says_why(url: str, message: str) -> None:
    async def look_up(name: str, port: int) -> Sequence[str]:
        if name == "nowhere.example":
            raise socket.gaierror(-2, "Name or service not known")
        return {"empty.example": [], "public.example": ["1.1.1.1"]}.get(name, ["127.0.0.1"])

    with pytest.raises(InputError, match=message):
        asyncio.run(WebFetcher(look_up=look_up)(url))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://localhost/", "http://2130706433/", "http://[::ffff:127.0.0.1]/", "http://0/"]
)
def test_real_lookup_finds_no_way_to_this_machine(url: str) -> None:
    with pytest.raises(InputError, match=r"not public|not found"):
        asyncio.run(WebFetcher()(url))


def test_certificate_is_asked_for_by_name_not_by_address() -> None:
    hello: list[bytes] = []

    def answer(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            hello.append(connection.recv(4096))

    async def look_up(name: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer, args=(listener,))
        thread.start()
        fetcher = WebFetcher(look_up=look_up, allowed_networks=["127.0.0.1/32"])
        with pytest.raises(httpx.HTTPError):
            asyncio.run(fetcher(f"https://site.example:{listener.getsockname()[1]}/"))
        thread.join()
    assert b"site.example" in hello[0]
    assert b"127.0.0.1" not in hello[0]


def test_networks_that_are_none_are_an_error() -> None:
    with pytest.raises(InputError, match="allowed_networks"):
        WebFetcher(allowed_networks=["everything"])


def test_html_is_read_as_a_reader_would() -> None:
    page = """<!DOCTYPE html><html><head><title>T &amp; t</title><style>p{}</style>
    <script>if (a < b) alert(1)</script></head><body><!-- hidden <p>no</p> --><h1>Head</h1><p>one <b>two</b>
    three</p><ul><li>x</li><li>y &lt;z&gt;</li></ul><SCRIPT>no</SCRIPT ><template>no</template>1 < 2</body></html>"""
    assert read_html(page).split("\n") == ["T & t", "Head", "one two", "three", "x", "y <z>", "1 < 2"]


@pytest.mark.parametrize(
    "page", ["<" * 100_000, "<!--" * 50_000, "<script>" * 20_000, "<a " * 50_000, "<p" + "a" * 100_000, "&" * 100_000]
)
def test_hostile_html_is_quick(page: str) -> None:
    assert isinstance(read_html(page), str)


def test_title_only_page_without_closing_tags_keeps_its_text() -> None:
    assert read_html("<html><head><body>text") == "text"
