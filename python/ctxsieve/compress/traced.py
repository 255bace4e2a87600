"""What is shown first of a file in which the task names lines: these, the heads around them, their neighbours."""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from ctxsieve.compress.costs import LineCosts
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import KEPT_LINE, DefinitionTable

__all__ = ["innermost_definition", "nearest_lines", "traced_units"]

_Span: TypeAlias = tuple[int, int]
# So many neighbours on either side are asked for, one after the other; the first that do not fit are left out.
_NEIGHBOURS = (1, 3, 8, 16)


def nearest_lines(lines: Sequence[str], traced_lines: Collection[int]) -> list[int]:
    """Return for each line (from 1) within the file the nearest one that is not blank, ascending; ties go up."""
    found = set()
    for line in traced_lines:
        if 1 <= line <= len(lines):
            for distance in range(len(lines)):
                near = [n for n in (line - distance, line + distance) if 1 <= n <= len(lines) and lines[n - 1].strip()]
                if near:
                    found.add(near[0])
                    break
    return sorted(found)


def traced_units(
    source: SourceFile, traced_lines: Collection[int], costs: LineCosts, *, budget_tokens: int
) -> Iterator[tuple[_Span, ...]]:
    """Yield lines that are shown together, as (first, last), in the order in which they are wanted.

    First come the lines themselves, then the heads of what they stand in, then neighbours inside the same definition,
    more and more of them. A line of a literal brings the literal where that costs at most its part of half the budget.
    """
    wanted = nearest_lines(source.lines, traced_lines)
    table = DefinitionTable.of(source.parsed.definitions)
    heads = list(zip(*source.signature_lines, strict=True))
    owners = [innermost_definition(table, line) for line in wanted]
    for line in wanted:
        first, last = _literal(source, line)
        is_cheap = costs.of(first, last) * len(wanted) * 2 <= budget_tokens
        yield ((first, last) if is_cheap else (line, line),)
    for owner in owners:
        while owner >= 0:
            yield (heads[owner],)
            owner = table.parents[owner]
    for count in _NEIGHBOURS:
        for line, owner in zip(wanted, owners, strict=True):
            top, end = (1, len(source.lines)) if owner < 0 else (heads[owner][0], table.last_lines[owner])
            yield (_without_part_of_literal(source, max(line - count, min(top, line)), line, min(line + count, end)),)


def innermost_definition(table: DefinitionTable, line: int) -> int:
    """Return the number of the innermost definition that a line stands in, -1 at file level."""
    spans = enumerate(zip(table.first_lines, table.last_lines, strict=True))
    # What a definition holds stands behind it.
    return max((number for number, (first, last) in spans if first <= line <= last), default=-1)


def _goes_on(source: SourceFile, line: int) -> bool:
    """Say whether a line begins inside a literal or comment."""
    return source.parsed.layout[line - 1 : line] == bytes([KEPT_LINE])


def _literal(source: SourceFile, line: int) -> _Span:
    first = last = line
    while first > 1 and _goes_on(source, first):
        first -= 1
    while last < len(source.lines) and _goes_on(source, last + 1):
        last += 1
    return first, last


def _without_part_of_literal(source: SourceFile, first: int, line: int, last: int) -> _Span:
    """Return the neighbours of a line without those of a literal that is not among them as a whole."""
    while first < line and _goes_on(source, first):
        first += 1
    end = last
    while end > line and _literal(source, end)[1] > last:
        end -= 1
    return first, max(line, end)
