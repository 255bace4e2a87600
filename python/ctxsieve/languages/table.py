"""Reads and checks `language.toml`: one folder with one such file is one language."""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass, field

__all__ = ["CommentSyntax", "ExportRule", "IndentationRule", "Language", "LanguageKind", "read_language"]

Choice = TypeVar("Choice", bound=StrEnum)


class LanguageKind(StrEnum):
    """Code has definitions and imports; prose and data only have an outline."""

    CODE = "code"
    PROSE = "prose"
    DATA = "data"


class ExportRule(StrEnum):
    """How a language marks what others may use."""

    CAPTURED = "captured"
    """Exported when the query captures the definition as `@exported`."""
    UNLESS_PRIVATE = "unless-private"
    """Exported unless the query captures the definition as `@private`."""
    UNDERSCORE = "underscore"
    """Exported unless the name starts with an underscore (names like `__init__` are exported)."""
    CAPITAL = "capital"
    """Exported when the name starts with an upper-case letter."""
    SECTIONS = "sections"
    """Exported unless `@private`; inside types, access sections (`private:`, `public`) decide for what follows them."""


class IndentationRule(StrEnum):
    """What the indentation of a language's lines means."""

    FREE = "free"
    """Nothing: any line outside of literals may begin anywhere."""
    BLOCKS = "blocks"
    """Deeper lines form blocks: what counts is which line is deeper than which."""
    COLUMNS = "columns"
    """Columns count, also against text further right on other lines: nothing may change."""


@dataclass(frozen=True, slots=True)
class CommentSyntax:
    """How comments are spelled: a line prefix, a block pair, or both."""

    line: str | None = None
    block: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Language:
    """One supported language: detection, comment syntax, naming rules, and where its queries are.

    A dialect names in `queries_of` the language whose query files serve it too.
    """

    name: str
    kind: LanguageKind
    directory: Path
    grammar: str | None = None
    queries_of: str | None = None
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    comments: CommentSyntax = field(default_factory=CommentSyntax)
    separator: str = "."
    name_separators: tuple[str, ...] = ()
    export_rule: ExportRule = ExportRule.UNLESS_PRIVATE
    indentation: IndentationRule = IndentationRule.FREE
    private_by_default: tuple[str, ...] = ()
    keywords: Mapping[str, str] = field(default_factory=dict)
    private_keywords: tuple[str, ...] = ()
    clauses_are_one: bool = False
    complexity_words: Mapping[str, str] = field(default_factory=dict)
    ellipsis: str | None = None
    resolver: str | None = None
    test_candidates: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scan: Mapping[str, Any] = field(default_factory=dict)

    def query(self, name: str) -> str:
        """Return the text of the query file `name` (definitions, imports, compress, complexity), else nothing."""
        return _read_query(self, name)

    def comment(self, text: str) -> str:
        """Return `text` (one line) as a comment of this language; plain text where the format has no comments."""
        if self.comments.line is not None:
            return f"{self.comments.line} {text}"
        if self.comments.block is not None:
            opening, closing = self.comments.block
            return f"{opening} {text.replace(closing, '')} {closing}"
        return text

    def __hash__(self) -> int:
        return hash((self.name, self.directory))


# Asked for several times for every file that is parsed.
@cache
def _read_query(language: Language, name: str) -> str:
    path = language.directory.parent / (language.queries_of or language.name) / f"{name}.scm"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


_STRING_LISTS = (
    "extensions",
    "filenames",
    "interpreters",
    "name_separators",
    "private_by_default",
    "private_keywords",
    "test_candidates",
    "manifests",
)
_STRINGS = ("grammar", "queries_of", "separator", "ellipsis", "resolver")
_KEYS = frozenset(
    {
        "name",
        "kind",
        "comments",
        "clauses_are_one",
        "complexity_words",
        "export_rule",
        "indentation",
        "keywords",
        "roles",
        "scan",
        *_STRING_LISTS,
        *_STRINGS,
    }
)
_ROLES = ("test", "docs", "example", "vendored", "generated", "config", "build")


def read_language(directory: Path) -> Language:
    """Return the language of one folder.

    Raises:
        InputError: the file is not TOML, a key is unknown or missing, or a value has the wrong form.
    """
    path = directory / "language.toml"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{_place(directory)} cannot be read: {error}") from error
    for key in table.keys() - _KEYS:
        raise InputError(f"{_place(directory)} has the unknown key {key!r}: allowed are {', '.join(sorted(_KEYS))}")
    if table.get("name") != directory.name:
        raise InputError(
            f"{_place(directory)}: name is {table.get('name')!r}: it must be the folder's name {directory.name!r}"
        )
    values: dict[str, Any] = {key: _strings(table[key], key, directory) for key in _STRING_LISTS if key in table}
    values |= {key: _string(table[key], key, directory) for key in _STRINGS if key in table}
    values["comments"] = _comments(table.get("comments", {}), directory)
    values["roles"] = _roles(table.get("roles", {}), directory)
    values["keywords"] = {
        word: _string(kind, f"keywords.{word}", directory)
        for word, kind in _table(table.get("keywords", {}), "keywords", directory).items()
    }
    values["complexity_words"] = {
        word: _string(kind, f"complexity_words.{word}", directory)
        for word, kind in _table(table.get("complexity_words", {}), "complexity_words", directory).items()
    }
    values["clauses_are_one"] = table.get("clauses_are_one") is True
    values["scan"] = _table(table.get("scan", {}), "scan", directory)
    if "export_rule" in table:
        values["export_rule"] = _choice(ExportRule, table["export_rule"], "export_rule", directory)
    if "indentation" in table:
        values["indentation"] = _choice(IndentationRule, table["indentation"], "indentation", directory)
    if (serving := values.get("queries_of")) and not (directory.parent / serving / "language.toml").is_file():
        raise InputError(f"{_place(directory)}: queries_of is {serving!r}: it must be another language's name")
    return Language(
        name=directory.name,
        kind=_choice(LanguageKind, table.get("kind"), "kind", directory),
        directory=directory,
        **values,
    )


def _place(directory: Path) -> str:
    return f"{directory.name}/language.toml"


def _table(value: object, key: str, directory: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{_place(directory)}: {key} is {value!r}: it must be a table")
    return value


def _string(value: object, key: str, directory: Path) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(f"{_place(directory)}: {key} is {value!r}: it must be a string that is not empty")
    return value


def _strings(value: object, key: str, directory: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise InputError(f"{_place(directory)}: {key} is {value!r}: it must be a list of strings that are not empty")
    return tuple(value)


def _choice(choices: type[Choice], value: object, key: str, directory: Path) -> Choice:
    for choice in choices:
        if choice.value == value:
            return choice
    raise InputError(f"{_place(directory)}: {key} is {value!r}: it must be one of {', '.join(choices)}")


def _comments(value: object, directory: Path) -> CommentSyntax:
    table = _table(value, "comments", directory)
    for key in table.keys() - {"line", "block"}:
        raise InputError(f"{_place(directory)}: comments has the unknown key {key!r}: allowed are block, line")
    line = _string(table["line"], "comments.line", directory) if "line" in table else None
    if "block" not in table:
        return CommentSyntax(line)
    pair = _strings(table["block"], "comments.block", directory)
    if len(pair) != 2:
        raise InputError(f"{_place(directory)}: comments.block has {len(pair)} strings: it must have 2")
    return CommentSyntax(line, (pair[0], pair[1]))


def _roles(value: object, directory: Path) -> dict[str, tuple[str, ...]]:
    table = _table(value, "roles", directory)
    for key in table.keys() - set(_ROLES):
        raise InputError(f"{_place(directory)}: roles has the unknown key {key!r}: allowed are {', '.join(_ROLES)}")
    return {key: _strings(patterns, f"roles.{key}", directory) for key, patterns in table.items()}
