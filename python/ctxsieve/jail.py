"""Opening files that an agent named, and nothing outside the project root.

A path is checked twice. First as text, before the file system is touched: relative, no `..`, no NUL, no control
characters, and the same again after folding what some file systems fold (case, compatibility forms, ignorable code
points, trailing dots, NTFS streams). Then while it is opened: one component after the other, each relative to a
directory that is already open and never through a symbolic link. Links are followed by hand and may point anywhere
below the root, so that a link that is swapped during the walk can make the call fail but never leave the root.

Not covered: hard links and mounts, which only someone who may already write the target can make.
"""

import os
import stat
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import TracebackType

from ctxsieve.errors import PathError
from ctxsieve.patterns import lazy_pattern
from ctxsieve.values import dataclass

__all__ = [
    "InsideFile",
    "OpenRoot",
    "check_path",
    "is_secret",
    "list_inside",
    "open_inside",
    "path_below",
    "read_inside",
]

MAX_PATH_BYTES = 4096
MAX_COMPONENTS = 256
MAX_LINKS = 40

_SEPARATORS = lazy_pattern(r"[/\\]")
# Where drives have letters, `q:3.py` is a file on one; elsewhere it is a name like any other.
_DRIVE = lazy_pattern(r"[A-Za-z]:" if os.name == "nt" else r"[A-Za-z]:(?:[/\\]|\Z)")
# Paths that read the same on every system whose devices have no names in folders, as most are.
_PLAIN = lazy_pattern(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
# Control characters and the bidirectional controls that make a name read differently from what it is.
_DECEPTIVE = lazy_pattern("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\u2066-\u2069]")
# Code points that HFS+ ignores in names: `.e<ZWNJ>nv` opens `.env` there.
_IGNORABLE = lazy_pattern("[\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff\u00ad\ufe00-\ufe0f]")
_DEVICES = frozenset(
    (
        "con",
        "prn",
        "aux",
        "nul",
        "conin$",
        "conout$",
        *(f"{port}{n}" for port in ("com", "lpt") for n in "123456789¹²³"),
    )
)

_SECRET_NAMES = (
    ".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".npmrc", ".pypirc",
    ".git-credentials", ".htpasswd", ".dockercfg", ".vault-token", ".s3cfg", ".boto", "kubeconfig", "*.kubeconfig",
    "id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "id_xmss",
    "*.pem", "*.key", "*.p12", "*.pfx", "*.p8", "*.jks", "*.keystore", "*.kdbx", "*.ppk",
    "*.tfvars", "*.tfstate", "*.tfstate.*", "credentials", "credentials.json", "client_secret*.json",
    "service-account*.json", "service_account*.json", ".secrets", ".secrets.*", "secrets.toml",
    "secret.json", "secrets.json", "secret.yml", "secrets.yml", "secret.yaml", "secrets.yaml",
)  # fmt: skip
_PUBLIC_NAMES = (
    ".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults",
    "example.env", "sample.env", "template.env",
)  # fmt: skip
_SECRET_DIRECTORIES = frozenset((".ssh", ".gnupg", ".aws", ".kube", ".azure", ".password-store"))
_SECRET_TAILS = ((".git", "config"), (".docker", "config.json"))

_HAS_DIR_FD = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and os.readlink in os.supports_dir_fd
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


@dataclass(frozen=True, slots=True)
class InsideFile:
    """A regular file below the root, open for reading; closes itself as a context manager.

    `path` is where the file really is (POSIX, relative to the root, links resolved).
    """

    descriptor: int
    path: str
    size_bytes: int
    is_secret: bool

    def read_bytes(self, limit_bytes: int | None = None) -> bytes:
        """Return the file from its beginning, at most `limit_bytes` of it."""
        os.lseek(self.descriptor, 0, os.SEEK_SET)
        blocks: list[bytes] = []
        left = sys.maxsize if limit_bytes is None else limit_bytes
        # A block is allocated whole before it is read: none that is much larger than the file.
        most = min(max(self.size_bytes + 1, 1 << 12), 1 << 20)
        while left > 0 and (block := os.read(self.descriptor, min(left, most))):
            blocks.append(block)
            left -= len(block)
        return b"".join(blocks)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.descriptor)

    def __enter__(self) -> "InsideFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def check_path(path: str | os.PathLike[str]) -> str:
    """Return the path in its plain form (POSIX, no `.`, no empty components); the file system is not asked.

    Raises:
        PathError: The text is empty, absolute, climbs with `..`, or is spelt so that some system would read it so.
    """
    text = os.fspath(path)
    if not isinstance(text, str):
        raise PathError(f"path is {text!r}: it must be text")
    if not text:
        raise PathError("path is empty: name a file relative to the root")
    if os.name != "nt" and len(text) <= MAX_COMPONENTS and _PLAIN.fullmatch(text):
        return text
    if (found := _DECEPTIVE.search(text)) is not None:
        raise PathError(f"path {_shown(text)} holds the control character U+{ord(found[0]):04X}: it is never opened")
    try:
        length = len(os.fsencode(text))
    except UnicodeEncodeError:
        raise PathError(f"path {_shown(text)} is not valid Unicode: it is never opened") from None
    if length > MAX_PATH_BYTES:
        raise PathError(f"path {_shown(text)} has {length} bytes: at most {MAX_PATH_BYTES} are allowed")
    parts = [part for part in (_SEPARATORS.split(text) if os.sep == "\\" else text.split("/")) if part not in ("", ".")]
    plain = "/".join(parts)
    for spelling in (text, plain, _IGNORABLE.sub("", unicodedata.normalize("NFKC", plain))):
        _check_spelling(text, spelling)
    if not parts:
        raise PathError(f"path {_shown(text)} names the root itself: name a file relative to it")
    if len(parts) > MAX_COMPONENTS:
        raise PathError(f"path {_shown(text)} has {len(parts)} components: at most {MAX_COMPONENTS} are allowed")
    return plain


def path_below(root: str | os.PathLike[str], path: str | os.PathLike[str]) -> str:
    """Return a path in its plain form, relative to the root; of an absolute one, what stands behind the root in it.

    Nothing is opened: the way down from the root is checked when that is done. An absolute path begins with the root as
    it is spelled, with its real path, or with another path of the same directory.

    Raises:
        PathError: An absolute path does not lie below the root, or `check_path` refuses what does.
    """
    text = os.fspath(path)
    if not isinstance(text, str) or not os.path.isabs(text):
        return check_path(text)
    # Checked as text before the file system is asked; what is wrong but for being absolute is said as ever.
    if _DECEPTIVE.search(text) or len(text) > MAX_PATH_BYTES or _climbs(text):
        return check_path(text)
    rest = _behind_root(os.fspath(root), text)
    if rest is None:
        raise PathError(f"path {_shown(text)} is absolute and not below the root: name a file below it")
    return check_path(rest)


def _climbs(text: str) -> bool:
    return any(part not in ("", ".") and not part.strip(" .") for part in _SEPARATORS.split(text))


def _behind_root(root: str, text: str) -> str | None:
    for spelling in (os.path.abspath(root), os.path.realpath(root)):
        beginning = spelling.rstrip(os.sep) + os.sep
        if text.startswith(beginning):
            return text[len(beginning) :].lstrip(os.sep)
    path = Path(text)
    try:
        looked_at = os.stat(root)
        for parent in reversed(path.parents):
            if os.path.samestat(looked_at, os.stat(parent)):
                return path.relative_to(parent).as_posix() + "/" * text.endswith("/")
    except (OSError, ValueError):
        return None
    return None


@lru_cache(maxsize=4096)
def is_secret(path: str) -> bool:
    """Return whether files of this name hold credentials by custom (`.env`, `id_rsa`, `*.pem`, anything in `.ssh`)."""
    parts = [_folded(part) for part in _SEPARATORS.split(path)]
    if any(part in _SECRET_DIRECTORIES for part in parts[:-1]) or tuple(parts[-2:]) in _SECRET_TAILS:
        return True
    name = parts[-1]
    return any(_fits(name, glob) for glob in _SECRET_NAMES) and not any(_fits(name, glob) for glob in _PUBLIC_NAMES)


def _fits(name: str, glob: str) -> bool:
    """Return whether a name matches a glob with at most one star."""
    head, star, tail = glob.partition("*")
    return name == head if not star else name.startswith(head) and name[len(head) :].endswith(tail)


def open_inside(
    root: str | os.PathLike[str], path: str | os.PathLike[str], *, asked_by_name: bool = False
) -> InsideFile:
    """Open a regular file below `root`.

    Args:
        root: The project root, trusted; it may itself be reached through links.
        path: Relative to the root, not trusted.
        asked_by_name: The caller's user named this very path, so a secrets file is opened too (and marked). A harmless
            name that links to a secrets file stays refused.

    Raises:
        PathError: The path leaves the root, is missing, unreadable, not a regular file, or a secrets file.
    """
    with OpenRoot(root) as opened:
        return opened.open(path, asked_by_name=asked_by_name)


class OpenRoot:
    """A root below which file after file is opened, as by `open_inside`; a context manager.

    The folders of the last path stay open, so that a file beside it needs no way down from the root. One that is moved
    meanwhile is still the folder that stood below the root.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = os.fspath(root)
        self._walk: _Walk | None = None

    def open(self, path: str | os.PathLike[str], *, asked_by_name: bool = False) -> InsideFile:
        """Open a regular file below the root; see `open_inside`."""
        plain = check_path(path)
        if os.fspath(path).endswith(("/", "/.")):
            raise PathError(f"path {_shown(plain)} ends like a directory: name a file in it")
        if is_secret(plain) and not asked_by_name:
            raise PathError(f"path {_shown(plain)} is a secrets file: it is read only when asked for by name")
        with _as_path_error(plain):
            descriptor, resolved = self._descend(plain, directory=False)
        try:
            if is_secret(resolved) and not is_secret(plain):
                raise PathError(
                    f"path {_shown(plain)} links to a secrets file: name {_shown(resolved)} itself to read it"
                )
            size_bytes = os.fstat(descriptor).st_size
            return InsideFile(descriptor, resolved, size_bytes, is_secret(resolved) or is_secret(plain))
        except BaseException:
            os.close(descriptor)
            raise

    def read(
        self, path: str | os.PathLike[str], *, limit_bytes: int | None = None, asked_by_name: bool = False
    ) -> bytes:
        """Return the bytes of a file below the root; see `read_inside`."""
        with self.open(path, asked_by_name=asked_by_name) as file:
            return file.read_bytes(limit_bytes)

    def list(self, plain: str) -> list[str]:
        """Return the names in a directory below the root, sorted."""
        with _as_path_error(plain):
            if not _HAS_DIR_FD:
                return sorted(os.listdir(_resolve(self._root, plain)[0]))
            descriptor, _ = self._descend(plain, directory=True)
            try:
                return sorted(os.listdir(descriptor))
            finally:
                os.close(descriptor)

    def _descend(self, plain: str, *, directory: bool) -> tuple[int, str]:
        """Return a descriptor of what `plain` names and its real path relative to the root."""
        if not _HAS_DIR_FD:
            return _open_and_verify(self._root, plain)
        if self._walk is None:
            self._walk = _Walk(os.path.realpath(self._root))
        return self._walk.descend(plain, directory=directory)

    def __enter__(self) -> "OpenRoot":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._walk is not None:
            self._walk.close()
            self._walk = None


def read_inside(
    root: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    limit_bytes: int | None = None,
    asked_by_name: bool = False,
) -> bytes:
    """Return the bytes of a file below `root`, at most the first `limit_bytes`; refuses what `open_inside` refuses."""
    with OpenRoot(root) as opened:
        return opened.read(path, limit_bytes=limit_bytes, asked_by_name=asked_by_name)


def list_inside(root: str | os.PathLike[str], path: str | os.PathLike[str] = ".") -> list[str]:
    """Return the names in a directory below `root` (`.` is the root), sorted; refuses what `open_inside` refuses."""
    text = os.fspath(path)
    plain = "." if text == "." else check_path(text)
    with OpenRoot(root) as opened:
        return opened.list(plain)


def _check_spelling(text: str, spelling: str) -> None:
    """Refuse what is absolute or climbs; `spelling` is the path as some file system may read it."""
    if spelling.startswith(("/", "\\")) or _DRIVE.match(spelling):
        raise PathError(f"path {_shown(text)} is absolute: name it relative to the root")
    parts = _SEPARATORS.split(spelling)
    if parts[0].startswith("~") and (len(parts) > 1 or parts[0] == "~"):
        raise PathError(f"path {_shown(text)} starts in a home directory: name it relative to the root")
    for part in parts:
        # `.. ` and `...` are the parent directory on some systems, and nobody's file anywhere.
        if part not in ("", ".") and not part.strip(" ."):
            raise PathError(
                f"path {_shown(text)} goes up at {part!r}: what leaves the root is never opened, name it without"
            )
        if os.name == "nt" and (":" in part or part.split(".")[0].strip().casefold() in _DEVICES):
            raise PathError(f"path {_shown(text)} names a device or a stream: it is never opened")


# The same directories stand in path after path.
@lru_cache(maxsize=4096)
def _folded(part: str) -> str:
    """Return one component as the most lenient file system would compare it."""
    plain = _IGNORABLE.sub("", unicodedata.normalize("NFKC", part)).casefold()
    return (plain.split(":")[0] or plain).rstrip(" .")


class _Walk:
    """Ways down from the root; keeps a directory open per component of the real path, so `..` needs no name."""

    def __init__(self, real_root: str) -> None:
        self.real_root = real_root
        self.plain = ""
        self.pending: list[str] = []
        self.names: list[str] = []
        self.links = 0
        self.opened = [os.open(real_root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]

    def descend(self, plain: str, *, directory: bool) -> tuple[int, str]:
        """Return a descriptor of what `plain` names and its real path relative to the root.

        What is open of the way to the path before is gone on from. Where a link was followed, that is another way.
        """
        parts = plain.split("/")
        shared = 0
        if self.links == 0:
            while shared < min(len(self.names), len(parts) - 1) and self.names[shared] == parts[shared]:
                shared += 1
        self._climb(shared)
        self.plain, self.pending, self.links = plain, parts[shared:][::-1], 0
        try:
            while self.pending:
                self.step(directory=directory)
            _check_kind(plain, os.fstat(self.opened[-1]).st_mode, directory=directory)
        except BaseException:
            self._climb(0)
            raise
        if not self.names:
            return os.dup(self.opened[-1]), "."
        resolved = "/".join(self.names)
        self.names.pop()
        return self.opened.pop(), resolved

    def _climb(self, depth: int) -> None:
        """Close what is open below the first so many names."""
        del self.names[depth:]
        while len(self.opened) > depth + 1:
            os.close(self.opened.pop())

    def step(self, *, directory: bool) -> None:
        """Take the next component, of the path or of a link in it."""
        name = self.pending.pop()
        if name in ("", "."):
            return
        if name == "..":  # only ever from a link
            if not self.names:
                raise PathError(f"path {_shown(self.plain)} leaves the root through a link: it is never opened")
            os.close(self.opened.pop())
            self.names.pop()
            return
        mode = os.stat(name, dir_fd=self.opened[-1], follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            self._follow(os.readlink(name, dir_fd=self.opened[-1]))
            return
        is_last = all(part in ("", ".") for part in self.pending)
        _check_kind(self.plain, mode, directory=directory or not is_last)
        self.opened.append(os.open(name, _OPEN_FLAGS, dir_fd=self.opened[-1]))
        self.names.append(name)
        # The name may have been given to another file since the look above.
        if stat.S_IFMT(os.fstat(self.opened[-1]).st_mode) != stat.S_IFMT(mode):
            raise PathError(f"path {_shown(self.plain)} changed while it was opened: try again")

    def _follow(self, target: str) -> None:
        self.links += 1
        if self.links > MAX_LINKS:
            raise PathError(f"path {_shown(self.plain)} goes through more than {MAX_LINKS} links: it is never opened")
        if target.startswith("/"):
            target = _below_root(target, self.real_root, self.plain)
            self._climb(0)
        self.pending.extend(target.split("/")[::-1])
        if len(self.names) + len(self.pending) > MAX_COMPONENTS:
            raise PathError(f"path {_shown(self.plain)} resolves to more than {MAX_COMPONENTS} components")

    def close(self) -> None:
        """Close every directory that is still held."""
        while self.opened:
            os.close(self.opened.pop())


def _open_and_verify(root: str, plain: str) -> tuple[int, str]:
    """Do the same where directories cannot be held open (Windows): resolve, open, compare what was opened."""
    real, resolved = _resolve(root, plain)
    looked_at = os.lstat(real)
    _check_kind(plain, looked_at.st_mode, directory=False)
    descriptor = os.open(real, _OPEN_FLAGS)
    try:
        if not os.path.samestat(looked_at, os.fstat(descriptor)) or os.path.realpath(real) != real:
            raise PathError(f"path {_shown(plain)} changed while it was opened: try again")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, resolved


def _resolve(root: str, plain: str) -> tuple[str, str]:
    real_root = os.path.realpath(root, strict=True)
    real = os.path.realpath(os.path.join(real_root, plain), strict=True)
    if not Path(real).is_relative_to(real_root):
        raise PathError(f"path {_shown(plain)} leaves the root through a link: it is never opened")
    return real, Path(real).relative_to(real_root).as_posix()


def _below_root(target: str, real_root: str, plain: str) -> str:
    prefix = real_root.rstrip("/") + "/"
    if target.rstrip("/") + "/" == prefix:
        return "."
    if not target.startswith(prefix):
        raise PathError(f"path {_shown(plain)} leaves the root through a link: it is never opened")
    return target[len(prefix) :]


def _check_kind(plain: str, mode: int, *, directory: bool) -> None:
    if directory and not stat.S_ISDIR(mode):
        raise PathError(f"path {_shown(plain)} goes through a file: it is not a directory")
    if not directory and stat.S_ISDIR(mode):
        raise PathError(f"path {_shown(plain)} is a directory: name a file in it")
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise PathError(f"path {_shown(plain)} is a device, pipe or socket: it is never opened")


def _shown(path: str) -> str:
    return repr(path) if len(path) <= 200 else repr(path[:200]) + "..."


@contextmanager
def _as_path_error(plain: str) -> Iterator[None]:
    try:
        yield
    except PathError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PathError(f"path {_shown(plain)} cannot be opened: {reason}") from error
