"""Finds the files and symbols that a task names."""

import re
from collections.abc import Callable, Collection, Iterable

from ctxsieve.intent.vocabulary import Meanings
from ctxsieve.patterns import lazy_pattern
from ctxsieve.values import dataclass

__all__ = ["KnownPaths", "Mention", "find_mentions"]

KnownPaths = Callable[[str], bool] | Collection[str]

_MOST_MENTIONS = 32
_LETTER = r"A-Za-z0-9_\u00c0-\u024f\u0400-\u04ff"
_URL = lazy_pattern(r"\b(?:https?|ssh|git|ftp)://[^\s<>\"')\]]+")
_FENCE = lazy_pattern(r"^(```|~~~).*?^\1[ \t]*$|^(```|~~~).*\Z", re.MULTILINE | re.DOTALL)
_BACKTICKED = lazy_pattern(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_PATH = lazy_pattern(
    rf"(?<![{_LETTER}/.@$-])"
    rf"(?:\.{{1,2}}/|~/|/)?(?:[{_LETTER}.@+-]{{1,80}}/){{0,16}}[{_LETTER}.@+-]{{0,79}}[{_LETTER}/]"
)
_SYMBOL = lazy_pattern(
    r"(?<![A-Za-z0-9_])"
    r"(?:[A-Za-z_][A-Za-z0-9_]{0,79}(?:::|\.|#|->)){0,8}[A-Za-z_][A-Za-z0-9_]{0,79}[!?]?(?P<call>\(\))?"
)
_INNER_CAPITAL = lazy_pattern(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2,}")
_SOURCE_FOLDERS = frozenset(
    ["src", "lib", "app", "apps", "test", "tests", "docs", "packages", "crates", "cmd", "pkg", "internal", "core"]
)
_SPECIAL_FILES = frozenset(["makefile", "dockerfile", "jenkinsfile", "procfile", "gemfile", "rakefile"])


@dataclass(frozen=True, slots=True)
class Mention:
    """A target and where the task names it: `text[start:end]` includes quotes and brackets around `name`."""

    name: str
    is_path: bool
    start: int
    end: int


def find_mentions(text: str, meanings: Meanings, known_paths: KnownPaths | None = None) -> tuple[list[Mention], str]:
    """The files and symbols named in `text`, and the prose around them.

    Mentions come in order of appearance, without overlaps and at most 32. A URL is no target. In a pasted block only
    paths count: its symbols are mostly neighbours of the one that matters. The prose is `text` with mentions, URLs
    and pasted blocks blanked at equal length.
    """
    taken: list[Mention] = []
    hidden = list(text)

    def take(name: str, is_path: bool, start: int, end: int) -> None:
        taken.append(Mention(name, is_path, start, end))
        hidden[start:end] = " " * (end - start)

    if "://" in text:
        _blank(hidden, _URL.finditer(text))
    for quoted in _BACKTICKED.finditer("".join(hidden)):
        name = quoted[1].strip()
        if path := _as_path(name, meanings, known_paths):
            take(path, True, quoted.start(), quoted.end())
        elif symbol := _SYMBOL.fullmatch(name):
            take(name.removesuffix(symbol["call"] or ""), False, quoted.start(), quoted.end())
    for found in _PATH.finditer("".join(hidden)):
        if path := _as_path(found[0], meanings, known_paths):
            take(path, True, found.start(), found.end())
    _blank(hidden, _FENCE.finditer(text))
    for found in _SYMBOL.finditer("".join(hidden)):
        if _is_symbol(found, meanings):
            take(found[0].removesuffix("()"), False, found.start(), found.end())
    return sorted(taken, key=lambda mention: mention.start)[:_MOST_MENTIONS], "".join(hidden)


def _blank(characters: list[str], spans: Iterable[re.Match[str]]) -> None:
    for span in spans:
        characters[span.start() : span.end()] = " " * (span.end() - span.start())


def _as_path(word: str, meanings: Meanings, known_paths: KnownPaths | None) -> str | None:
    word = word.strip().rstrip(".,;:!?").removeprefix("./")
    lowered = word.lower()
    if not word or " " in word or lowered in meanings.names:
        return None
    if known_paths is not None and (known_paths(word) if callable(known_paths) else word in known_paths):
        return word
    folder, _, file = word.rpartition("/")
    if file.lower() in _SPECIAL_FILES or lowered in meanings.file_concepts:
        return None if lowered in ("readme", "changelog") else word
    stem, dot, extension = file.rpartition(".")
    if dot and (stem or folder):
        extension = extension.lower()
        known = extension in meanings.extensions or extension in meanings.other_extensions
        return word if known and re.search(r"[^\W\d]", stem or folder) else None
    if folder and word.split("/")[0] in _SOURCE_FOLDERS:
        return word
    return None


def _is_symbol(found: re.Match[str], meanings: Meanings) -> bool:
    name = found[0]
    if name.lower() in meanings.names or len(name) < 3:
        return False
    if found["call"] or "::" in name or "->" in name:
        return True
    if "." in name or "#" in name:
        parts = re.split(r"[.#]", name)
        return all(len(part) > 1 for part in parts) and any("_" in p or _INNER_CAPITAL.search(p) for p in parts)
    return "_" in name.strip("_") or (_INNER_CAPITAL.search(name) is not None and len(name) > 3)
