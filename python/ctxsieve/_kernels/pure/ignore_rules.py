"""The lines of one ignore file, in the syntax of `.gitignore`."""

import os
import re
import stat
from dataclasses import dataclass

__all__ = ["IgnoreFile", "read_ignore_file"]


_MAX_IGNORE_FILE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class _Line:
    pattern: re.Pattern[bytes]
    excludes: bool
    folders_only: bool


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The rules of one file; paths are relative to the folder that holds it."""

    lines: tuple[_Line, ...]

    def decide(self, path: bytes, is_folder: bool) -> bool | None:
        """Return whether the last matching line excludes the path, None when no line matches."""
        for line in reversed(self.lines):
            if (is_folder or not line.folders_only) and line.pattern.fullmatch(path):
                return line.excludes
        return None


def read_ignore_file(path: bytes) -> IgnoreFile | None:
    """Return the rules of a file, None where there is none or it says nothing."""
    content = _read_small_file(path)
    if content is None:
        return None
    lines = []
    for text in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            # The native reader takes what stands before.
            break
        line = _parse(text.removesuffix(b"\r"))
        if line is not None:
            lines.append(line)
    return IgnoreFile(tuple(lines)) if lines else None


def _read_small_file(path: bytes) -> bytes | None:
    # A pipe in the place of an ignore file is not waited for.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(_MAX_IGNORE_FILE_BYTES)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _trim(text: bytes) -> bytes:
    """Return the text without its trailing blanks, unless they are escaped."""
    trimmed = text.rstrip(b" ")
    n_backslashes = len(trimmed) - len(trimmed.rstrip(b"\\"))
    return text[: len(trimmed) + 1] if n_backslashes % 2 and trimmed != text else trimmed


def _parse(text: bytes) -> _Line | None:
    if text.startswith(b"#"):
        return None
    text = _trim(text)
    excludes, is_anchored = True, False
    if text.startswith((b"\\!", b"\\#")):
        text = text[1:]
    else:
        excludes = not text.startswith(b"!")
        text = text.removeprefix(b"!")
        is_anchored = text.startswith(b"/")
        text = text.removeprefix(b"/")
    if not text:
        return None
    folders_only = text.endswith(b"/")
    if folders_only:
        text = text[:-1].removesuffix(b"\\")
    if not is_anchored and b"/" not in text and text != b"**":
        text = b"**/" + text
    if text.endswith(b"/**"):
        # Everything inside, but not the folder itself.
        text += b"/*"
    try:
        return _Line(re.compile(b".*" if text == b"**" else _expression(text), re.DOTALL), excludes, folders_only)
    except (ValueError, re.error):
        return None


def _expression(glob: bytes) -> bytes:
    """Return the expression of a glob; ValueError when the glob is malformed.

    Braces mean alternatives, as in the native matcher; git takes them literally.
    """
    written: list[bytes] = []
    position, depth, has_open_class = 0, 0, False
    while position < len(glob):
        byte = glob[position : position + 1]
        if byte == b"*":
            position = _write_stars(glob, position, written)
            continue
        position += 1
        if byte == b"?":
            written.append(b"[^/]")
        elif byte == b"[" and not has_open_class:
            found = _character_class(glob, position)
            has_open_class = found is None
            expression, position = found or (b"\\[", position)
            written.append(expression)
        elif byte == b"\\":
            if position == len(glob):
                raise ValueError("glob ends in a backslash")
            written.append(re.escape(glob[position : position + 1]))
            position += 1
        elif byte == b"{":
            depth += 1
            written.append(b"(?:")
        elif byte == b"}":
            depth -= 1
            if depth < 0:
                raise ValueError("glob has a closing brace without an opening one")
            written.append(b")")
        elif byte == b"," and depth:
            written.append(b"|")
        else:
            written.append(re.escape(byte))
    if depth:
        raise ValueError("glob has an open brace")
    return b"".join(written)


def _write_stars(glob: bytes, position: int, written: list[bytes]) -> int:
    rest = glob[position:]
    stars = len(rest) - len(rest.lstrip(b"*"))
    is_at_border = position == 0 or glob[position - 1] == 0x2F
    if stars == 2 and is_at_border and rest[2:3] == b"/":
        written.append(b"(?:.*/)?")
        return position + 3
    written.append(b".*" if stars == 2 and is_at_border and len(rest) == 2 else b"[^/]*")
    return position + stars


_POSIX = {
    b"alnum": b"0-9A-Za-z",
    b"alpha": b"A-Za-z",
    b"ascii": rb"\x00-\x7f",
    b"blank": rb"\t ",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": b"0-9",
    b"graph": b"!-~",
    b"lower": b"a-z",
    b"print": b" -~",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb"\t\n\x0b\x0c\r ",
    b"upper": b"A-Z",
    b"xdigit": b"0-9A-Fa-f",
}
_POSIX_CLASS = re.compile(rb"\[:([a-z]+):\]")


def _character_class(glob: bytes, position: int) -> tuple[bytes, int] | None:
    """Return the expression of a class and where it ends, None when it never ends."""
    negated = glob[position : position + 1] in (b"!", b"^")
    position += negated
    ranges: list[list[bytes]] = []
    named: list[bytes] = []
    is_first, in_range = True, False
    while True:
        if position >= len(glob):
            return None
        byte = glob[position : position + 1]
        posix = _POSIX_CLASS.match(glob, position)
        position += 1
        if byte == b"]" and not is_first:
            break
        if byte == b"-" and not is_first and not in_range:
            in_range = True
        elif posix is not None and posix.group(1) in _POSIX and not in_range:
            named.append(_POSIX[posix.group(1)])
            position = posix.end()
        elif in_range and ranges:
            if byte < ranges[-1][0]:
                raise ValueError("glob has a reversed range")
            ranges[-1][1] = byte
            in_range = False
        else:
            ranges.append([byte, byte])
            in_range = False
        is_first = False
    if in_range:
        ranges.append([b"-", b"-"])
    members = b"".join(re.escape(first) + b"-" + re.escape(last) for first, last in ranges) + b"".join(named)
    return (b"(?!/)[" + (b"^" if negated else b"") + members + b"]"), position
