"""The values that pass between the layers: spans, definitions and rendered text."""

from enum import StrEnum

from ctxsieve.values import dataclass

__all__ = [
    "BRACKETED_LINE",
    "KEPT_LINE",
    "Definition",
    "DefinitionKind",
    "ImportStatement",
    "LineRange",
    "ParsedFile",
    "one_line",
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

    definitions: tuple[Definition, ...]
    error_nodes: int
    complete: bool = True
    layout: bytes = b""


def one_line(text: str) -> str:
    """Return the text with control characters and undecodable bytes escaped, so that it cannot begin a line."""
    printable = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in printable)


def time_text(seconds: float) -> str:
    """Return a time as ISO 8601 in UTC, to the second; a number that is no time stays one."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        # Imported facts may carry any number.
        return str(seconds)
