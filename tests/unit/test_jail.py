import contextlib
import os
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve import jail
from ctxsieve.errors import PathError

OUTSIDE = b"outside the root"
SECRET = b"a credential"

CLIMBS = [
    f"{prefix}{up}{rest}"
    for prefix in ("", "src/", "./", "missing/")
    for up in ("../", "..//", "../../", ".././../", "../../../../../../../../")
    for rest in ("outside.txt", "etc/passwd")
]
SPELLINGS = [
    "..", "../", "src/..", "src/../..", "src/../src/main.py", "src/./../../outside.txt", "/", "//", "///etc/passwd",
    "/etc/passwd", "//etc/passwd", "/proc/self/environ", "/dev/zero", "\\etc\\passwd", "\\\\server\\share\\x",
    "\\\\?\\C:\\x", "\\\\.\\PhysicalDrive0", "C:\\Windows\\win.ini", "C:/Windows/win.ini", "c:outside.txt", "Z:",
    "..\\outside.txt", "src\\..\\..\\outside.txt", "src/..\\..\\outside.txt", "..\\../outside.txt",
    ".\\..\\outside.txt",
    "~", "~/.ssh/id_rsa", "~root/.ssh/id_rsa", "~\\x", "...", ".../outside.txt", "..../outside.txt", ".. /outside.txt",
    " ../outside.txt", ".. ./outside.txt", "src/.. /outside.txt", "src/... /x", ". ./outside.txt", " ", "  /x",
    "src/ /main.py", "", ".", "./", "././.", "src/main.py/..", "src/main.py/../../outside.txt",
]  # fmt: skip
CONTROLS = [
    "src/main.py\x00", "\x00", "src\x00/main.py", "src/main.py\x00.txt", "../outside.txt\x00", "src/main.py\n",
    "\n../x",
    "src/\rmain.py", "src/main.py\t", "src/\x1b[31mmain.py", "src/main\x7f.py", "src/main\x85.py", "src/\u202emain.py",
    "src/\u2066main.py", "src/main.py\u2029", "src/main.py\x0b", "\x08../outside.txt",
]  # fmt: skip
UNICODE = [
    "\uff0e\uff0e/outside.txt", "\u2024\u2024/outside.txt", "\u2025/outside.txt", "src/\u2025/\u2025/outside.txt",
    "\u2026/outside.txt", "\uff0e./outside.txt", ".\uff0e/outside.txt", "..\uff0foutside.txt", "\uff0fetc\uff0fpasswd",
    "\uff3cetc", "..\uff3coutside.txt", ".\u200b./outside.txt", ".\u200d./outside.txt", "\u200c../outside.txt",
    "..\ufeff/outside.txt", ".\u00ad./outside.txt", ".\u2060./outside.txt", "\u200f/etc/passwd", "\ufeff/etc/passwd",
    "\uff23\uff1a/x", "\ufe52\ufe52/outside.txt", "src/\ud800.py", "\udfff", "\udc2e\udc2e/outside.txt",
    "\uff5e/.ssh/x",
    "%2e%2e/outside.txt", "%2e%2e%2foutside.txt", "..%2foutside.txt", "..%5coutside.txt", "%252e%252e/outside.txt",
    "%c0%ae%c0%ae/outside.txt", "%00", "\udcc0\udcae\udcc0\udcae/outside.txt", "file:///etc/passwd", "file:outside.txt",
    "src/main.py:stream", "src/main.py::$DATA", "$HOME/x", "${HOME}/x", "%USERPROFILE%/x", "`id`", "|id", "src/*", "-",
]  # fmt: skip
LENGTHS = ["a" * 256, "a" * 5000, "a/" * 300, "a/" * 5000, "./" * 3000 + "x", "src/" + "é" * 128, "../" * 5000]
LINKS = [
    "link_file", "link_file_relative", "link_directory/outside.txt", "link_directory", "link_root/etc/passwd",
    "link_loop",
    "link_loop_one/x", "link_chain", "link_up/outside.txt", "link_up_deep/outside.txt", "src/link_parent/outside.txt",
    "link_dangling", "link_dangling_outside", "link_proc/environ", "link_descriptor", "link_dot/../outside.txt",
    "link_climb/outside.txt", "link_absolute_climb", "link_sibling", "src/main.py/x", "src/main.py/.", "src",
    "src/", "src/.", "missing", "src/missing.py", "src/MISSING/../main.py", "link_to_special", "link_inside_directory",
    "link_inside_directory/", "src/main.py/",
]  # fmt: skip
SPECIALS = ["pipe", "socket", "src/pipe", "link_zero", "link_tty", "link_random", "link_memory"]
SECRETS = [
    ".env", ".ENV", ".Env", ".env.local", ".env.production", "prod.env", "deep/.env", "./.env", "deep//.env", "id_rsa",
    "ID_RSA", "deep/id_ed25519", "server.pem", "SERVER.PEM", "server.key", ".ssh/config", ".SSH/config", ".ssh/deep/x",
    ".netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials", ".git/config", ".GIT/config", ".aws/credentials",
    ".kube/config", ".docker/config.json", "secrets.yaml", "credentials.json", "store.jks", "vault.kdbx", "key.p12",
    "terraform.tfstate", "prod.tfvars", ".htpasswd", ".e\u200bnv", ".\uff45nv", ".env\u200d", "\uff0eenv", ".env.",
    ".env ", ".env. .", ".env::$DATA", "id_rsa:x", "link_secret", "deep/link_secret", "link_secret_directory/config",
]  # fmt: skip
HOSTILE = [*CLIMBS, *SPELLINGS, *CONTROLS, *UNICODE, *LENGTHS, *LINKS, *SPECIALS, *SECRETS]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    base = tmp_path_factory.mktemp("jail")
    (base / "outside.txt").write_bytes(OUTSIDE)
    (base / "project-sibling").mkdir()
    (base / "project-sibling/outside.txt").write_bytes(OUTSIDE)
    root = base / "project"
    for directory in ("src", "deep", ".ssh/deep", ".git", ".aws", ".kube", ".docker"):
        (root / directory).mkdir(parents=True)
    (root / "src/main.py").write_bytes(b"print()\n")
    for name in SECRETS:
        if "link" not in name and not (target := root / name).exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(SECRET)
    links = {
        "link_file": base / "outside.txt", "link_file_relative": "../outside.txt", "link_directory": base,
        "link_root": "/", "link_loop": "link_loop", "link_loop_one": "link_loop_two", "link_loop_two": "link_loop_one",
        "link_chain": "link_chain_two", "link_chain_two": "link_file", "link_up": "..", "link_up_deep": "src/../..",
        "src/link_parent": "../..", "link_dangling": "nowhere", "link_dangling_outside": "../nowhere",
        "link_proc": "/proc/self", "link_descriptor": "/proc/self/fd/0", "link_dot": ".", "link_climb": "src/../../",
        "link_absolute_climb": f"{root}/../outside.txt", "link_sibling": f"{root}-sibling/outside.txt",
        "link_to_special": "pipe", "link_zero": "/dev/zero", "link_tty": "/dev/tty", "link_random": "/dev/urandom",
        "link_memory": "/dev/mem", "link_secret": ".env", "deep/link_secret": "../id_rsa",
        "link_secret_directory": ".ssh", "link_inside_directory": "src", "link_inside": "src/main.py",
        "link_inside_absolute": root / "src/main.py", "deep/link_inside": "../link_inside_directory/main.py",
        "link_root_absolute": root, "link_many": "many_0",
    }  # fmt: skip
    for name, target in links.items():
        (root / name).symlink_to(target)
    for n in range(50):
        (root / f"many_{n}").symlink_to(f"many_{n + 1}" if n < 49 else "src/main.py")
    os.mkfifo(root / "pipe")
    os.mkfifo(root / "src/pipe")
    here = os.getcwd()
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(root)
        server.bind("socket")
        os.chdir(here)
        yield root


@pytest.fixture(params=["by_component", "and_verify"])
def opener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jail, "_HAS_DIR_FD", request.param == "by_component")


def test_there_are_enough_hostile_paths() -> None:
    assert len(set(HOSTILE)) >= 150


@pytest.mark.parametrize("path", sorted(set(HOSTILE)))
def test_hostile_path_is_refused(root: Path, path: str, opener: None) -> None:
    with pytest.raises(PathError):
        jail.read_inside(root, path)


@pytest.mark.parametrize(
    "path", [*CLIMBS, *SPELLINGS[:20], *CONTROLS, "link_up", "link_directory", "pipe", "src/main.py"]
)
def test_hostile_directory_is_refused(root: Path, path: str, opener: None) -> None:
    with pytest.raises(PathError):
        jail.list_inside(root, path)


@pytest.mark.parametrize(
    "path",
    ["src/main.py", "./src/main.py", "src//main.py", "src/./main.py", "link_inside", "link_inside_absolute",
     "link_inside_directory/main.py", "deep/link_inside", "link_dot/src/main.py", "link_root_absolute/src/main.py"],
)  # fmt: skip
def test_path_inside_is_read(root: Path, path: str, opener: None) -> None:
    with jail.open_inside(root, path) as file:
        assert (file.read_bytes(), file.path, file.size_bytes, file.is_secret) == (
            b"print()\n",
            "src/main.py",
            8,
            False,
        )


def test_directory_is_listed_in_order(root: Path, opener: None) -> None:
    assert jail.list_inside(root, "link_inside_directory") == ["link_parent", "main.py", "pipe"]
    assert "src" in jail.list_inside(root)


@pytest.mark.parametrize("path", [".env", "id_rsa", ".ssh/config", "server.pem"])
def test_secret_asked_by_name_is_read_and_marked(root: Path, path: str, opener: None) -> None:
    with jail.open_inside(root, path, asked_by_name=True) as file:
        assert (file.read_bytes(), file.is_secret) == (SECRET, True)


@pytest.mark.parametrize("path", ["link_secret", "deep/link_secret", "link_secret_directory/config"])
def test_harmless_name_never_opens_a_secret(root: Path, path: str, opener: None) -> None:
    with pytest.raises(PathError, match="links to a secrets file"):
        jail.read_inside(root, path, asked_by_name=True)


@pytest.mark.parametrize(
    "name", [".env.example", "id_rsa.pub", "environment.py", "keys.py", "src/credentials.py", "pem.md", ".gitconfig.md"]
)
def test_ordinary_name_is_no_secret(name: str) -> None:
    assert not jail.is_secret(name)


def test_names_that_only_look_odd_are_read(tmp_path: Path) -> None:
    names = [
        "[...slug].tsx",
        "a..b",
        "x~",
        "日本語.py",
        "man::page.3",
        "dev\\x2dlabel.mount",
        "emoji 👩‍💻.md",
        "..hidden",
    ]
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    assert [jail.read_inside(tmp_path, name) for name in names] == [b"x"] * len(names)


def test_name_that_is_not_utf8_is_read(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    (tmp_path / name).write_bytes(b"x")
    assert jail.read_inside(tmp_path, name) == b"x"


def test_root_that_is_a_link_is_trusted(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    assert jail.read_inside(tmp_path / "alias", "src/main.py") == b"print()\n"
    assert jail.read_inside(tmp_path / "alias", "link_inside_absolute") == b"print()\n"


def test_fifty_links_in_a_row_are_refused(root: Path) -> None:
    assert jail.read_inside(root, "many_20") == b"print()\n"
    with pytest.raises(PathError, match="more than 40 links"):
        jail.read_inside(root, "many_0")


def test_limit_bounds_what_is_read(root: Path) -> None:
    assert jail.read_inside(root, "src/main.py", limit_bytes=5) == b"print"
    assert jail.read_inside(root, "src/main.py", limit_bytes=0) == b""


def test_refusals_keep_no_descriptor_open(root: Path) -> None:
    before = len(os.listdir("/dev/fd"))
    for path in HOSTILE:
        with pytest.raises(PathError):
            jail.read_inside(root, path)
    assert len(os.listdir("/dev/fd")) == before


def test_message_names_the_path_once_and_shortened() -> None:
    with pytest.raises(PathError) as caught:
        jail.check_path("../" * 1000)
    assert len(str(caught.value)) < 320


@pytest.mark.parametrize("swapped", ["entry", "entry/outside.txt"])
def test_swapped_link_never_leaves_the_root(tmp_path: Path, swapped: str) -> None:
    """A name that flips between an inside file or directory and a link to the outside."""
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    (root / "real").mkdir(parents=True)
    (outside / "outside.txt").write_bytes(OUTSIDE)
    (root / "real/outside.txt").write_bytes(b"inside")
    is_file = swapped == "entry"
    (root / "good").symlink_to("real/outside.txt" if is_file else "real")
    (root / "bad").symlink_to(outside / "outside.txt" if is_file else outside)
    stop = threading.Event()

    def flip() -> None:
        while not stop.is_set():
            for name in ("good", "bad"):
                os.link(root / name, root / "next", follow_symlinks=False)
                os.rename(root / "next", root / "entry")
                (root / "next").unlink(missing_ok=True)

    flipper = threading.Thread(target=flip)
    flipper.start()
    answers: set[bytes] = set()
    try:
        for _ in range(3000):
            try:
                answers.add(jail.read_inside(root, swapped))
            except PathError:
                answers.add(b"refused")
    finally:
        stop.set()
        flipper.join()
    assert answers <= {b"inside", b"refused"}
    assert b"inside" in answers


COMPONENT = st.sampled_from(
    ["..", ".", "", "src", "link_up", "link_directory", "link_dot", "outside.txt", "main.py", "\\", "~"]
)


@given(st.lists(COMPONENT, max_size=8).map("/".join) | st.text(max_size=20))
def test_no_path_reads_the_outside(root: Path, path: str) -> None:
    with contextlib.suppress(PathError):
        assert jail.read_inside(root, path) == b"print()\n"


@given(st.lists(COMPONENT, max_size=8).map("/".join) | st.text(max_size=20))
def test_checked_path_is_a_fixed_point(path: str) -> None:
    try:
        plain = jail.check_path(path)
    except PathError:
        return
    assert jail.check_path(plain) == plain
    assert ".." not in plain.split("/")
    assert not os.path.isabs(plain)


# One root opened once, and one for every path, say the same of any paths in any order.
@given(paths=st.lists(st.sampled_from([*LINKS, *SECRETS, "src/main.py", "deep/x", "a/b", "outside.txt"]), max_size=12))
def test_a_root_that_stays_open_opens_the_same_files(root: Path, paths: list[str]) -> None:
    with jail.OpenRoot(root) as opened:
        for path in paths:
            assert outcome_of(lambda path=path: opened.read(path)) == outcome_of(
                lambda path=path: jail.read_inside(root, path)
            )


def outcome_of(read: Callable[[], bytes]) -> bytes | str:
    try:
        return read()
    except PathError as error:
        return str(error)


def test_a_root_that_stays_open_holds_no_descriptors_afterwards(root: Path) -> None:
    before = sorted(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else []
    with jail.OpenRoot(root) as opened:
        for path in ("src/main.py", "src/missing.py", "link_up/outside.txt", "src/main.py"):
            outcome_of(lambda path=path: opened.read(path))
    after = sorted(os.listdir("/proc/self/fd")) if before else []
    assert len(after) == len(before)


@given(st.text(alphabet="ab./~:\\-_ \u0430\u2024", max_size=8))
def test_plain_paths_are_what_the_rules_make_of_them(text: str) -> None:
    def by_rules() -> str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jail, "_PLAIN", re.compile(r"(?!)"))
            return jail.check_path(text)

    assert outcome_of(lambda: jail.check_path(text).encode()) == outcome_of(lambda: by_rules().encode())


@pytest.mark.skipif(os.name == "nt", reason="a colon makes a stream there")
def test_a_colon_after_one_letter_is_part_of_a_name_where_drives_have_none(tmp_path: Path, opener: None) -> None:
    (tmp_path / "q:3.py").write_bytes(b"print()\n")
    (tmp_path / "C:").mkdir()
    (tmp_path / "C:" / "x").write_bytes(b"x")
    assert jail.read_inside(tmp_path, "q:3.py") == b"print()\n"
    for path in ("C:/x", "C:\\x", "C:"):
        with pytest.raises(PathError, match="is absolute"):
            jail.read_inside(tmp_path, path)


def absolute_spellings(root: Path, alias: Path) -> list[str]:
    """Ways to name the root by an absolute path, one of them through a link."""
    return [str(root), f"{root}/", f"{root.parent}//{root.name}", f"{root.parent}/./{root.name}", str(alias)]


@given(data=st.data())
def test_an_absolute_path_below_the_root_is_what_stands_behind_it(root: Path, data: st.DataObject) -> None:
    alias = root.parent / "alias"
    if not alias.is_symlink():
        alias.symlink_to(root)
    path = data.draw(st.sampled_from(["src/main.py", "./src//main.py", "link_inside", "missing/x.py", "link_file"]))
    for spelling in absolute_spellings(root, alias):
        for opened in (root, alias):
            assert jail.path_below(opened, f"{spelling}/{path}") == jail.check_path(path)
    assert jail.path_below(root, path) == jail.check_path(path)


@pytest.mark.parametrize("path", sorted(set(HOSTILE) - {"src/main.py/", "src/main.py/."}))
def test_hostile_path_is_refused_behind_the_root_too(root: Path, path: str) -> None:
    with pytest.raises(PathError):
        jail.read_inside(root, jail.path_below(root, f"{root}/{path}"))


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd", "/", "{root}", "{root}/..", "{root}/../outside.txt", "{root}-sibling/outside.txt",
        "{root}/../project/src/main.py", "{parent}/outside.txt", "{root}/link_up/outside.txt", "//etc/passwd",
        "{root}\n/src/main.py", "{root}/src/main.py\x00", "/nowhere/src/main.py", "/proc/self/environ",
    ],
)  # fmt: skip
def test_absolute_paths_elsewhere_are_refused(root: Path, path: str) -> None:
    with pytest.raises(PathError):
        jail.read_inside(root, jail.path_below(root, path.format(root=root, parent=root.parent)))


def test_a_secrets_file_is_no_less_secret_by_its_absolute_path(root: Path) -> None:
    with pytest.raises(PathError, match="secrets file"):
        jail.read_inside(root, jail.path_below(root, f"{root}/.env"))
