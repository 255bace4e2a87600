"""The conventions that a repository writes down itself: AGENTS.md, CLAUDE.md, .cursor/rules and .editorconfig."""

import os
import re
from collections.abc import Iterator

from ctxsieve.errors import PathError
from ctxsieve.jail import list_inside, read_inside
from ctxsieve.knowledge import normalise_directory
from ctxsieve.reasoning.untrusted_text import visible_text
from ctxsieve.values import dataclass

__all__ = ["ConventionFiles", "ConventionLine", "read_convention_files"]

MAX_DEPTH = 64
MAX_FILE_BYTES = 64 << 10
MAX_RULE_FILES = 50
MAX_LINE_CHARACTERS = 500

_PROSE_FILES = ("AGENTS.md", "CLAUDE.md")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FRONT_MATTER = re.compile(r"---\n(.*?)\n---(?:\n|\Z)", re.DOTALL)
_GLOBS = re.compile(r"^globs:[ \t]*(.*)$", re.MULTILINE)
_ALWAYS = re.compile(r"^alwaysApply:[ \t]*true[ \t]*$", re.MULTILINE)
_SECTION = re.compile(r"\[(.+)\]$")
_EDITOR_ROOT = re.compile(r"^root\s*=\s*true\s*$", re.MULTILINE | re.IGNORECASE)
_PROPERTY = re.compile(r"([\w.-]+)\s*[=:]\s*(.*)$")


@dataclass(frozen=True, slots=True)
class ConventionLine:
    """One line of a convention file.

    Attributes:
        text: The line without list marks; of `.editorconfig` with its section.
        source: The file (POSIX, relative to the root); `line` counts from 1.
        directory: Where it applies, with everything below; empty for the root.
        heading: The heading that it stands under, or empty.
    """

    text: str
    source: str
    line: int
    directory: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class ConventionFiles:
    """Lines of the nearest directory first, each file in its order; and what was not read, with the reason."""

    lines: tuple[ConventionLine, ...]
    skipped: tuple[tuple[str, str], ...]


def read_convention_files(root: str | os.PathLike[str], directory: str = "") -> ConventionFiles:
    """Read what applies in a directory: its own files, and those of its parents up to the root.

    The directory need not exist: its nearest existing parent counts. At most 64 levels below the root, 64 KiB per
    file and 50 rule files per directory are read.

    Raises:
        InputError: The directory is absolute or leaves the root.
    """
    reader = _Reader(root)
    lines: list[ConventionLine] = []
    editor_keys: set[tuple[str, str]] = set()
    editor_root_found = False
    for place in reversed(_existing_levels(reader, directory)):
        for path in (_join(place, name) for name in _PROSE_FILES):
            lines += _prose_lines(reader.read(path), path, place)
        for path in _rule_files(reader, place):
            below = normalise_directory(directory)[len(place) :].lstrip("/")
            lines += _prose_lines(_applicable_rules(reader.read(path), below), path, place)
        if not editor_root_found:
            text = reader.read(_join(place, ".editorconfig"))
            editor_root_found = _EDITOR_ROOT.search(text) is not None
            lines += _editor_lines(text, place, editor_keys)
    return ConventionFiles(tuple(lines), tuple(reader.skipped))


class _Reader:
    """Reads below the root and keeps what it could not read; what does not exist is no news."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = root
        self.skipped: list[tuple[str, str]] = []

    def read(self, path: str) -> str:
        """Return the beginning of a file with plain line ends, or an empty text."""
        try:
            data = read_inside(self._root, path, limit_bytes=MAX_FILE_BYTES + 1)
        except PathError as error:
            self._skip(path, error)
            return ""
        if len(data) > MAX_FILE_BYTES:
            self.skipped.append((path, f"only the first {MAX_FILE_BYTES >> 10} KiB are read"))
            data = data[: data.rfind(b"\n", 0, MAX_FILE_BYTES) + 1]
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        return visible_text(text.replace("\r\n", "\n").replace("\r", "\n"))

    def names(self, path: str) -> list[str] | None:
        """Return the names in a directory, or None."""
        try:
            return list_inside(self._root, path)
        except PathError as error:
            self._skip(path, error)
            return None

    def _skip(self, path: str, error: PathError) -> None:
        if not isinstance(error.__cause__, FileNotFoundError):
            self.skipped.append((path, str(error)))


def _existing_levels(reader: _Reader, directory: str) -> list[str]:
    """Return the root and the directories on the way down that exist, nearest last."""
    levels = [""]
    for part in filter(None, normalise_directory(directory).split("/")):
        place = _join(levels[-1], part)
        if len(levels) > MAX_DEPTH:
            reader.skipped.append((place, f"only {MAX_DEPTH} levels below the root are read"))
            break
        if reader.names(place) is None:
            break
        levels.append(place)
    return levels


def _rule_files(reader: _Reader, place: str) -> list[str]:
    folder = _join(place, ".cursor/rules")
    names = [name for name in reader.names(folder) or () if name.endswith((".mdc", ".md"))]
    if len(names) > MAX_RULE_FILES:
        reader.skipped.append((folder, f"only the first {MAX_RULE_FILES} of {len(names)} files are read"))
    return [f"{folder}/{name}" for name in names[:MAX_RULE_FILES]]


def _applicable_rules(text: str, below: str) -> str:
    """Return the text without its front matter, empty where its globs match nothing in the directory `below`."""
    front = _FRONT_MATTER.match(text)
    if front is None:
        return text
    globs = _GLOBS.search(front[1])
    patterns = [] if globs is None else re.split(r"[,\s]+", globs[1].strip("[]\"' "))
    is_limited = any(patterns) and not _ALWAYS.search(front[1])
    if is_limited and not any(_may_match_below(pattern.strip("\"'"), below) for pattern in patterns):
        return ""
    # Blank lines in its place keep the line numbers true.
    return "\n" * front[0].count("\n") + text[front.end() :]


def _may_match_below(pattern: str, directory: str) -> bool:
    """Return whether a pattern can match files in a directory, by its part before the first wildcard."""
    fixed = re.split(r"[*?\[{]", pattern, maxsplit=1)[0].rpartition("/")[0]
    return (
        not fixed or not directory or f"{directory}/".startswith(f"{fixed}/") or f"{fixed}/".startswith(f"{directory}/")
    )


def _prose_lines(text: str, path: str, place: str) -> Iterator[ConventionLine]:
    text = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    heading, in_code = "", False
    for number, line in enumerate(text.split("\n"), start=1):
        if _FENCE.match(line):
            in_code = not in_code
            continue
        title = None if in_code else _HEADING.match(line)
        if title is not None:
            heading = title[1][:MAX_LINE_CHARACTERS]
            continue
        plain = line.strip() if in_code else re.sub(r"^(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?", "", line.strip())
        if any(map(str.isalnum, plain)):
            yield ConventionLine(plain[:MAX_LINE_CHARACTERS], path, number, place, heading)


def _editor_lines(text: str, place: str, known: set[tuple[str, str]]) -> Iterator[ConventionLine]:
    """Yield the properties, without those that a nearer file or a later line of this one sets for the same section."""
    section = ""
    found: dict[tuple[str, str], ConventionLine] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        plain = line.strip()
        if not plain or plain[0] in "#;":
            continue
        if (header := _SECTION.match(plain)) is not None:
            section = header[1][:MAX_LINE_CHARACTERS]
        elif section and (entry := _PROPERTY.match(plain)) is not None:
            name = entry[1].lower()
            text_shown = f"[{section}] {name} = {entry[2]}"[:MAX_LINE_CHARACTERS]
            found[section, name] = ConventionLine(text_shown, _join(place, ".editorconfig"), number, place)
    for key, shown in found.items():
        if key not in known:
            known.add(key)
            yield shown


def _join(place: str, name: str) -> str:
    return f"{place}/{name}" if place else name
