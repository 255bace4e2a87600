"""The supported languages and how a file's language is recognised."""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ctxsieve.errors import InputError
from ctxsieve.languages.table import Language, read_language
from ctxsieve.patterns import lazy_pattern

__all__ = ["LANGUAGES", "Claims", "LanguageRegistry", "language_of"]

_COMMENT = lazy_pattern(rb"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
# Every line that only C++ knows has one of these; most C headers have none, which saves the slower search.
_CPLUSPLUS_WORDS = (
    *(b"namespace", b"template", b"using ", b"public:", b"private:", b"protected:", b"class "),
    *(b"constexpr", b"explicit ", b"virtual ", b"friend "),
)
_STANDARD_INCLUDE = lazy_pattern(rb"<[a-z_]+>")
# What C never has: a line that starts with something only C++ knows.
_CPLUSPLUS_LINE = lazy_pattern(
    rb"^[ \t]*(?:(?:inline[ \t]+)?namespace\b|template[ \t]*<|using[ \t]+(?:namespace\b|[A-Za-z_]\w*[ \t]*=|[\w:]+;)"
    rb"|(?:public|private|protected):(?!:)|class[ \t]+(?:[A-Z][A-Z_0-9]+[ \t]+)?[A-Za-z_]\w*[^;()*=]*(?:[{;]|$)"
    rb"|(?:constexpr|explicit|virtual|friend)[ \t]"
    rb"|#[ \t]*include[ \t]*<(?:algorithm|array|atomic|bitset|cassert|cerrno|chrono|cmath|cstd\w+|cstring|deque"
    rb"|exception|functional|initializer_list|iosfwd|iostream|iterator|limits|list|map|memory|mutex|new|optional|ostream"
    rb"|set|sstream|stdexcept|string|string_view|thread|tuple|type_traits|unordered_\w+|utility|variant|vector)>)",
    re.MULTILINE,
)


class Claims(NamedTuple):
    """By what languages are recognised: the name of the language by each file name, extension and interpreter."""

    filenames: Mapping[str, str]
    extensions: Mapping[str, str]
    interpreters: Mapping[str, str]


class LanguageRegistry(Mapping[str, Language]):
    """The languages found in a folder of language folders, by name; each table is read when it is first used.

    A language is recognised by the whole file name first, then by the longest extension, then by the interpreter in a
    `#!` line. Two languages may not claim the same file name, extension or interpreter.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._read: dict[str, Language] = {}
        self._known_claims: Claims | None = None

    @cached_property
    def _names(self) -> tuple[str, ...]:
        names = os.listdir(self.directory)
        return tuple(
            sorted(name for name in names if os.path.isfile(os.path.join(self.directory, name, "language.toml")))
        )

    @property
    def claims(self) -> Claims:
        """What the tables claim; all of them are read for it, unless somebody remembers what they said."""
        if self._known_claims is None:
            self._known_claims = Claims(*(self._collect(key) for key in Claims._fields))
        return self._known_claims

    def remember_claims(self, claims: Claims) -> None:
        """Take claims that these very tables made in an earlier process."""
        self._known_claims = claims

    def _collect(self, key: str) -> Mapping[str, str]:
        claimed: dict[str, str] = {}
        for language in self.values():
            for value in getattr(language, key):
                if value in claimed:
                    raise InputError(
                        f"{language.name}/language.toml: {key} has {value!r}, which {claimed[value]} claims too"
                    )
                claimed[value] = language.name
        return claimed

    def __getitem__(self, name: str) -> Language:
        language = self._read.get(name)
        if language is None:
            # One look at a folder, where nobody needs the names of all.
            if not name.isidentifier() or not os.path.isfile(self.directory / name / "language.toml"):
                raise KeyError(name)
            language = self._read[name] = read_language(self.directory / name)
        return language

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def language_of(self, path: str, first_bytes: bytes | None = None) -> Language | None:
        """Return the language of a file, or None where nothing tells.

        Args:
            path: the POSIX path or the name.
            first_bytes: the start of the content; tells C++ headers from C headers (`.h` is C unless a line only makes
                sense in C++) and finds `#!` lines in files without extension.
        """
        name = path.rpartition("/")[2]
        language = self.claims.filenames.get(name) or self._by_extension(name)
        if language is None and first_bytes is not None and first_bytes.startswith(b"#!"):
            language = self.claims.interpreters.get(_interpreter(first_bytes))
        is_header = language == "c" and name.endswith(".h") and first_bytes is not None
        if is_header and "cpp" in self and is_cplusplus_header(first_bytes or b""):
            language = "cpp"
        return None if language is None else self[language]

    def _by_extension(self, name: str) -> str | None:
        extensions = self.claims.extensions
        _, dot, extension = name.partition(".")
        while dot:
            language = extensions.get(extension) or extensions.get(extension.lower())
            if language is not None:
                return language
            _, dot, extension = extension.partition(".")
        return None


def is_cplusplus_header(first_bytes: bytes) -> bool:
    """Tell whether some line of a header, comments apart, makes sense in C++ only."""
    if not any(word in first_bytes for word in _CPLUSPLUS_WORDS) and not _STANDARD_INCLUDE.search(first_bytes):
        return False
    return _CPLUSPLUS_LINE.search(_COMMENT.sub(b" ", first_bytes)) is not None


def _interpreter(first_bytes: bytes) -> str:
    """Return the program of a `#!` line: `#!/usr/bin/env -S python3.12 -u` gives `python`."""
    words = first_bytes[2:].split(b"\n", 1)[0].decode("utf-8", "replace").split()
    names = [word.rpartition("/")[2] for word in words if not word.startswith("-") and "=" not in word]
    if names and names[0] == "env":
        names = names[1:]
    return names[0].rstrip("0123456789.") if names else ""


LANGUAGES = LanguageRegistry(Path(__file__).parent)


def language_of(path: str, first_bytes: bytes | None = None) -> Language | None:
    """Return the language of a file among the shipped ones; see `LanguageRegistry.language_of`."""
    return LANGUAGES.language_of(path, first_bytes)
