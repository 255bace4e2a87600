"""Chunks of one file: imports, types, functions and loose logic (SPEC 6)."""

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from itertools import groupby

from ctxsieve.errors import InputError
from ctxsieve.fragments import Definition, DefinitionKind, LineRange, ParsedFile
from ctxsieve.values import dataclass

__all__ = ["Chunk", "ChunkKind", "ChunkingOptions", "chunk_source"]

_FUNCTIONS = frozenset({DefinitionKind.FUNCTION, DefinitionKind.METHOD, DefinitionKind.MACRO})
_VALUES = frozenset({DefinitionKind.CONSTANT, DefinitionKind.VARIABLE, DefinitionKind.FIELD})


class ChunkKind(StrEnum):
    """What a chunk holds; the order is the order of presentation among chunks that do not match the task."""

    IMPORTS = "imports"
    TYPE = "type"
    FUNCTION = "function"
    LOGIC = "logic"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of lines of one file that belongs together.

    `definition` is the index of the innermost definition that owns the lines, or None at file level. A definition
    longer than the chunk limit becomes several chunks with the same definition.
    """

    kind: ChunkKind
    name: str
    span: LineRange
    definition: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkingOptions:
    """How long chunks are, and how they are presented.

    Attributes:
        maximum_lines: a run of lines up to this long is one chunk.
        part_lines: longer runs are cut in parts of about so many lines.
        own_value_lines: a constant or variable at file level is a chunk of its own from so many lines on.
        ordered: chunks that match the task come first, and a bridge line stands between chunks.
        match_share: a chunk matches the task from this share of the file's best score on.
        error_weight: for a bug fix, factor of the score of lines that handle errors.
        anchor: an answer ends with the top chunk's name and last lines.
    """

    maximum_lines: int = 30
    part_lines: int = 20
    own_value_lines: int = 6
    ordered: bool = True
    match_share: float = 0.25
    error_weight: float = 1.25
    anchor: bool = True

    def __post_init__(self) -> None:
        for name in ("maximum_lines", "part_lines", "own_value_lines"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}: it must be 1 or more")
        if not self.error_weight > 0:
            raise InputError(f"error_weight is {self.error_weight}: it must be above 0")
        if not 0 <= self.match_share <= 1:
            raise InputError(f"match_share is {self.match_share}: it must be from 0 to 1")


def chunk_source(
    lines: Sequence[str], parsed: ParsedFile, import_lines: Collection[int], options: ChunkingOptions
) -> tuple[Chunk, ...]:
    """Return chunks that cover every line exactly once, in source order.

    Args:
        lines: the file's lines without their newlines.
        parsed: its definitions.
        import_lines: lines (from 1) on which import statements start.
        options: limits.
    """
    owners = _owners(len(lines), parsed.definitions, options)
    imports = frozenset(import_lines)
    return tuple(
        Chunk(kind, name, part, owner)
        for owner, run in _runs(owners)
        for kind, name, span in _kinds(run, owner, parsed.definitions, imports)
        for part in _split(lines, span, options)
    )


def _owners(count: int, definitions: Sequence[Definition], options: ChunkingOptions) -> list[int | None]:
    """Return for each line the innermost definition that is a chunk of its own; functions keep what they contain."""
    owners: list[int | None] = [None] * count
    closed: set[int] = set()
    for index, definition in enumerate(definitions):
        inside_function = definition.parent is not None and definition.parent in closed
        if inside_function:
            closed.add(index)
            continue
        if definition.kind in _VALUES and (
            definition.last_line - definition.first_line + 1 < options.own_value_lines or definition.parent is not None
        ):
            continue
        if definition.kind in _FUNCTIONS:
            closed.add(index)
        first, last = definition.first_line - 1, min(definition.last_line, count)
        owners[first:last] = [index] * (last - first)
    return owners


def _runs(owners: Sequence[int | None]) -> Iterator[tuple[int | None, LineRange]]:
    start = 0
    for owner, lines in groupby(owners):
        end = start + len(list(lines))
        yield owner, LineRange(start + 1, end)
        start = end


def _kinds(
    run: LineRange, owner: int | None, definitions: Sequence[Definition], imports: frozenset[int]
) -> Iterator[tuple[ChunkKind, str, LineRange]]:
    """Yield the run under its kind; imports at file level are a chunk apart from the logic around them."""
    if owner is not None:
        definition = definitions[owner]
        kind = ChunkKind.FUNCTION if definition.kind in _FUNCTIONS else ChunkKind.TYPE
        yield (ChunkKind.LOGIC if definition.kind in _VALUES else kind), definition.qualified_name, run
        return
    inside = [line for line in range(run.first, run.last + 1) if line in imports]
    if not inside:
        yield ChunkKind.LOGIC, "", run
        return
    if run.first < inside[0]:
        yield ChunkKind.LOGIC, "", LineRange(run.first, inside[0] - 1)
    # The end of the last statement is not known here; a parenthesised import may run on, so all that follows up to the
    # next definition stays with it, unless it is long.
    last = run.last if run.last - inside[-1] <= 8 else inside[-1] + 2
    yield ChunkKind.IMPORTS, "", LineRange(inside[0], last)
    if last < run.last:
        yield ChunkKind.LOGIC, "", LineRange(last + 1, run.last)


def _split(lines: Sequence[str], span: LineRange, options: ChunkingOptions) -> Iterator[LineRange]:
    """Yield the span in parts, cut before the least indented line after a blank one near the wanted length."""
    first = span.first
    while span.last - first + 1 > options.maximum_lines:
        candidates = range(first + max(1, options.part_lines // 2), first + options.part_lines + 1)
        cut = min(candidates, key=lambda line: (_cut_cost(lines, line), -line))
        yield LineRange(first, cut - 1)
        first = cut
    yield LineRange(first, span.last)


def _cut_cost(lines: Sequence[str], line: int) -> tuple[bool, int]:
    """Return how bad it is to start a part at this line: not after a blank line, then the indentation."""
    text, before = lines[line - 1], lines[line - 2] if line >= 2 else ""
    if not text.strip():
        return True, 1 << 30
    return bool(before.strip()), len(text) - len(text.lstrip())
