"""Chunks of one file: imports, types, functions and loose logic (docs/assembly.md)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import Any, overload

from ctxsieve.errors import InputError
from ctxsieve.fragments import KEPT_LINE, DefinitionKind, DefinitionTable, LineRange, ParsedFile
from ctxsieve.values import dataclass

__all__ = [
    "FUNCTION_KINDS",
    "VALUE_KINDS",
    "Chunk",
    "ChunkKind",
    "ChunkTable",
    "ChunkingOptions",
    "chunk_source",
]

FUNCTION_KINDS = frozenset({DefinitionKind.FUNCTION, DefinitionKind.METHOD, DefinitionKind.MACRO})
VALUE_KINDS = frozenset({DefinitionKind.CONSTANT, DefinitionKind.VARIABLE, DefinitionKind.FIELD})
_KEPT = bytes([KEPT_LINE])
# What a cut costs: more than any indentation, and more than any cut before text.
_NOT_AFTER_BLANK = 1 << 40
_BLANK = _NOT_AFTER_BLANK + (1 << 30)
_INSIDE_LITERAL = 1 << 41


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


class ChunkTable(Sequence[Chunk]):
    """The chunks of one file in source order as columns; a chunk is made when asked for.

    Attributes:
        kinds: by chunk, as all columns.
        names: empty at file level.
        first_lines: from 1.
        last_lines: these included.
        definitions: the index of the innermost definition, None at file level.
    """

    def __init__(self, rows: Iterable[tuple[ChunkKind, str, int, int, int | None]]) -> None:
        columns: Any = tuple(zip(*rows, strict=True)) or ((), (), (), (), ())
        self.kinds: Sequence[ChunkKind] = columns[0]
        self.names: Sequence[str] = columns[1]
        self.first_lines: Sequence[int] = columns[2]
        self.last_lines: Sequence[int] = columns[3]
        self.definitions: Sequence[int | None] = columns[4]

    @classmethod
    def of(cls, chunks: Sequence[Chunk]) -> "ChunkTable":
        """Return the chunks as a table; a table is returned as it is."""
        if isinstance(chunks, cls):
            return chunks
        return cls((one.kind, one.name, one.span.first, one.span.last, one.definition) for one in chunks)

    @cached_property
    def _all(self) -> tuple[Chunk, ...]:
        return tuple(
            Chunk(kind, name, LineRange(first, last), owner)
            for kind, name, first, last, owner in zip(
                self.kinds, self.names, self.first_lines, self.last_lines, self.definitions, strict=True
            )
        )

    def __len__(self) -> int:
        return len(self.kinds)

    @overload
    def __getitem__(self, number: int) -> Chunk: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Chunk]: ...
    def __getitem__(self, number: int | slice) -> Chunk | Sequence[Chunk]:
        return self._all[number]


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
) -> ChunkTable:
    """Return chunks that cover every line exactly once, in source order; none begins inside a literal or comment.

    Args:
        lines: the file's lines without their newlines.
        parsed: its definitions, and its layout, which says where literals are.
        import_lines: lines (from 1) on which import statements start.
        options: limits.
    """
    definitions = DefinitionTable.of(parsed.definitions)
    owners = _owners(len(lines), definitions, options)
    imports = frozenset(import_lines)
    names = definitions.qualified_names
    return ChunkTable(
        (kind, "" if owner is None else names[owner], first, last, owner)
        for owner, run_first, run_last in _runs(owners)
        for kind, span_first, span_last in _kinds(run_first, run_last, owner, definitions, imports, parsed.layout)
        for first, last in _split(lines, span_first, span_last, options, parsed.layout)
    )


def _owners(count: int, definitions: DefinitionTable, options: ChunkingOptions) -> list[int | None]:
    """Return for each line the innermost definition that is a chunk of its own; functions keep what they contain."""
    owners: list[int | None] = [None] * count
    closed: set[int] = set()
    columns = zip(definitions.kinds, definitions.first_lines, definitions.last_lines, definitions.parents, strict=True)
    for index, (kind, first, last, parent) in enumerate(columns):
        if parent in closed:
            closed.add(index)
            continue
        if kind in VALUE_KINDS and (last - first + 1 < options.own_value_lines or parent >= 0):
            continue
        if kind in FUNCTION_KINDS:
            closed.add(index)
        last = min(last, count)
        owners[first - 1 : last] = [index] * (last - first + 1)
    return owners


def _runs(owners: Sequence[int | None]) -> Iterator[tuple[int | None, int, int]]:
    """Yield each owner with the first and last of its lines, from 1."""
    start = 0
    for owner, lines in groupby(owners):
        end = start + len(list(lines))
        yield owner, start + 1, end
        start = end


def _kinds(
    run_first: int,
    run_last: int,
    owner: int | None,
    definitions: DefinitionTable,
    imports: frozenset[int],
    layout: bytes,
) -> Iterator[tuple[ChunkKind, int, int]]:
    """Yield the run under its kind; imports at file level are a chunk apart from the logic around them."""
    if owner is not None:
        of_definition = definitions.kinds[owner]
        kind = ChunkKind.FUNCTION if of_definition in FUNCTION_KINDS else ChunkKind.TYPE
        yield (ChunkKind.LOGIC if of_definition in VALUE_KINDS else kind), run_first, run_last
        return
    inside = [line for line in range(run_first, run_last + 1) if line in imports]
    if not inside:
        yield ChunkKind.LOGIC, run_first, run_last
        return
    if run_first < inside[0]:
        yield ChunkKind.LOGIC, run_first, inside[0] - 1
    # The end of the last statement is not known here; a parenthesised import may run on, so all that follows up to the
    # next definition stays with it, unless it is long.
    last = run_last if run_last - inside[-1] <= 8 else inside[-1] + 2
    while last < run_last and layout[last : last + 1] == _KEPT:
        last += 1
    yield ChunkKind.IMPORTS, inside[0], last
    if last < run_last:
        yield ChunkKind.LOGIC, last + 1, run_last


def _split(
    lines: Sequence[str], first: int, last: int, options: ChunkingOptions, layout: bytes
) -> Iterator[tuple[int, int]]:
    """Yield the lines in parts, cut before the least indented line after a blank one near the wanted length.

    A literal or comment that goes on there stays whole: the cut comes behind it.
    """
    while last - first + 1 > options.maximum_lines:
        start = min(first + max(1, options.part_lines // 2), last)
        costs = _cut_costs(lines, start, min(first + options.part_lines, last), layout)
        # Of several that cost the same the last one.
        cut = start + len(costs) - 1 - costs[::-1].index(min(costs))
        while cut <= last and layout[cut - 1 : cut] == _KEPT:
            cut += 1
        if cut > last:
            break
        yield first, cut - 1
        first = cut
    yield first, last


def _cut_costs(lines: Sequence[str], first: int, last: int, layout: bytes) -> list[int]:
    """Return how bad it is to start a part at each of these lines.

    Worst is inside a literal, then not after a blank line, then what is indented more.
    """
    costs = []
    is_after_blank = first < 2 or not lines[first - 2].strip()
    for line, text in enumerate(lines[first - 1 : last], start=first):
        rest = text.lstrip()
        cost = (0 if is_after_blank else _NOT_AFTER_BLANK) + len(text) - len(rest) if rest else _BLANK
        costs.append(_INSIDE_LITERAL if layout[line - 1 : line] == _KEPT else cost)
        is_after_blank = not rest
    return costs
