"""The values that pass between the layers: spans, definitions and rendered text."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import overload

from ctxsieve.values import dataclass

__all__ = [
    "BRACKETED_LINE",
    "KEPT_LINE",
    "Definition",
    "DefinitionKind",
    "DefinitionTable",
    "ImportStatement",
    "LineRange",
    "ParsedFile",
    "one_line",
    "progress_text",
    "time_text",
]


# How a line is laid out, in one byte: the level of its block, or one of these.
BRACKETED_LINE = 128
"""The line begins inside round or square brackets, or with a closing bracket: its indentation means nothing."""
KEPT_LINE = 255
"""The line begins inside a literal: its leading white space is part of it."""


@dataclass(frozen=True, slots=True, order=True)
class LineRange:
    """Lines `first` to `last` of one file, counted from 1, both included."""

    first: int
    last: int

    @property
    def numbers(self) -> str:
        """As people write it: `12-40`, or `12` for a single line."""
        return f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"


class DefinitionKind(StrEnum):
    """What a definition introduces; `implementation` is a block that adds members to a type defined elsewhere."""

    MODULE = "module"
    CLASS = "class"
    INTERFACE = "interface"
    STRUCT = "struct"
    UNION = "union"
    ENUM = "enum"
    TRAIT = "trait"
    TYPE = "type"
    IMPLEMENTATION = "implementation"
    FUNCTION = "function"
    METHOD = "method"
    CONSTANT = "constant"
    VARIABLE = "variable"
    FIELD = "field"
    MACRO = "macro"


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of a parsed file.

    Spans are half-open in bytes and inclusive in lines (from 1). They start at the comments and attributes directly
    above the definition; `head_byte` is where its own text starts (`export`, decorators, `template`).
    `signature_end_byte` is where the text before the body ends (white space excluded), or the end of the definition
    where there is no body. `parent` is an index into the same file's definitions.
    """

    kind: DefinitionKind
    name: str
    qualified_name: str
    start_byte: int
    end_byte: int
    first_line: int
    last_line: int
    head_byte: int
    signature_end_byte: int
    body_start_byte: int | None
    exported: bool
    parent: int | None


class DefinitionTable(Sequence[Definition]):
    """The definitions of one file as columns, for whoever asks little of many; a definition is made when asked for.

    Attributes:
        kinds: by definition, as all columns.
        names: without what they are nested in.
        qualified_names: with it.
        numbers: the other columns, in the order of their names here.
        start_bytes: these and the others with the names of the fields of `Definition`; -1 stands for None.
    """

    COLUMNS = (
        *("start_bytes", "end_bytes", "first_lines", "last_lines", "head_bytes", "signature_end_bytes"),
        *("body_start_bytes", "exported", "parents"),
    )

    def __init__(
        self,
        kinds: Sequence[DefinitionKind],
        names: Sequence[str],
        qualified_names: Sequence[str],
        numbers: Sequence[Sequence[int]],
    ) -> None:
        self.kinds = kinds
        self.names = names
        self.qualified_names = qualified_names
        self.numbers = numbers
        self.start_bytes, self.end_bytes, self.first_lines, self.last_lines, *others = numbers
        self.head_bytes, self.signature_end_bytes, self.body_start_bytes, self.exported, self.parents = others

    @classmethod
    def of(cls, definitions: Sequence[Definition]) -> "DefinitionTable":
        """Return the definitions as a table; a table is returned as it is."""
        if isinstance(definitions, cls):
            return definitions
        rows = [
            (
                *(one.start_byte, one.end_byte, one.first_line, one.last_line, one.head_byte, one.signature_end_byte),
                *(-1 if one.body_start_byte is None else one.body_start_byte, int(one.exported)),
                -1 if one.parent is None else one.parent,
            )
            for one in definitions
        ]
        return cls(
            [one.kind for one in definitions],
            [one.name for one in definitions],
            [one.qualified_name for one in definitions],
            list(zip(*rows, strict=True)) if rows else [()] * len(cls.COLUMNS),
        )

    @cached_property
    def _all(self) -> tuple[Definition, ...]:
        return tuple(
            Definition(
                *(kind, name, qualified_name, start, end, first, last, head, signature_end),
                body_start_byte=None if body < 0 else body,
                exported=bool(exported),
                parent=None if parent < 0 else parent,
            )
            for kind, name, qualified_name, start, end, first, last, head, signature_end, body, exported, parent in zip(
                self.kinds, self.names, self.qualified_names, *self.numbers, strict=True
            )
        )

    def __len__(self) -> int:
        return len(self.kinds)

    @overload
    def __getitem__(self, number: int) -> Definition: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Definition]: ...
    def __getitem__(self, number: int | slice) -> Definition | Sequence[Definition]:
        return self._all[number]

    def __iter__(self) -> Iterator[Definition]:
        return iter(self._all)

    def __eq__(self, other: object) -> bool:
        return self._all == tuple(other) if isinstance(other, DefinitionTable | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all)

    def __repr__(self) -> str:
        return repr(self._all)


@dataclass(frozen=True, slots=True)
class ImportStatement:
    """One import, include, package or module statement without its comments, and its first line from 1."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What parsing a file tells: definitions by start byte (parents before children), and how well it parsed.

    `error_nodes` counts error and missing nodes; `complete` is false where a work limit stopped the parser. `layout`
    has one byte per line where somebody asked for it, none where no line may be indented differently.
    """

    definitions: Sequence[Definition]
    error_nodes: int
    complete: bool = True
    layout: bytes = b""


def one_line(text: str) -> str:
    """Return the text with control characters and undecodable bytes escaped, so that it cannot begin a line."""
    if text.isprintable():
        return text
    printable = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in printable)


# What the phases of long work do, and what is counted: one, several.
_PHASES = {
    "walk": "walking the tree",
    "scan": "scanning",
    "resolve": "resolving imports of",
    "measure": "measuring",
}
_UNITS = {"measuring files together": ("group", "groups")}


def progress_text(phase: str, total: int, done: int | None = None) -> str:
    """Return in words what `on_progress` is told: `scanning 6,869 files`, `measuring 1 of 2 files`."""
    doing = _PHASES.get(phase, phase)
    if total <= 0:
        return doing
    one, several = _UNITS.get(phase, ("file", "files"))
    so_far = "" if done is None else f"{done:,} of "
    return f"{doing} {so_far}{total:,} {one if total == 1 else several}"


def time_text(seconds: float) -> str:
    """Return a time as ISO 8601 in UTC, to the second; a number that is no time stays one."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        # Imported facts may carry any number.
        return str(seconds)
