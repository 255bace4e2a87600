"""The task mode of preload: the chunks that matter in full, signatures of the rest, omissions marked."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import TypeAlias

from ctxsieve.chunking import VALUE_KINDS, Arrangement, ChunkTable
from ctxsieve.compress.composition import compose, pieces_of_spans
from ctxsieve.compress.costs import LineCosts
from ctxsieve.compress.modes import Mode, Rendering, complement
from ctxsieve.compress.options import MARKER_TOKENS
from ctxsieve.compress.source import SourceFile
from ctxsieve.compress.traced import traced_units
from ctxsieve.fragments import DefinitionTable, LineRange
from ctxsieve.tokens import count_tokens

__all__ = ["render_chunks"]

# Estimates are sums over lines; the loop that corrects them against exact counts ends after so many rounds.
_ROUNDS = 4
# Short chunks are a little dearer than their tokens (markers, context), long ones a little cheaper than in proportion:
# measured on edited lines of real commits, flat between exponents .2 and .5.
_FIXED_TOKENS = 30
_LENGTH_EXPONENT = 0.3


# Lines that are added together, as (first, last): a chunk, or the signature of a definition that is not shown.
_Unit: TypeAlias = tuple[tuple[int, int], ...]


def render_chunks(
    source: SourceFile,
    arrangement: Arrangement,
    *,
    budget_tokens: int,
    structure_first: bool = False,
    traced_lines: Collection[int] = (),
) -> Rendering:
    """Return the file with its best chunks in full and the signatures of the rest, within the budget.

    Chunks are taken by falling score per tokens ** 0.3, ties to the earlier one; a chunk brings the signatures of the
    definitions around it. Then come the signatures of what is not shown, then whatever else still fits. Each omission
    is marked by a comment with the lines it hides.

    Args:
        source: the file.
        arrangement: its chunks with their scores, and the order in which they are presented.
        budget_tokens: exact bound on the tokens of the content.
        structure_first: take all signatures before any chunk, for a reader who wants to know what is there.
        traced_lines: lines that the task names; they come before all else, with heads and neighbours.
    """
    costs = LineCosts(source)
    chosen: list[_Unit] = []
    pending = list(traced_units(source, traced_lines, costs, budget_tokens=budget_tokens)) if traced_lines else []
    pending += _units(source, arrangement, costs, structure_first=structure_first)
    content, shown, tokens = _assemble_what_fits(source, chosen, arrangement, costs, budget_tokens)
    for _ in range(_ROUNDS):
        if not _take(pending, chosen, shown, budget_tokens - tokens, costs):
            break
        content, shown, tokens = _assemble_what_fits(source, chosen, arrangement, costs, budget_tokens)
    if tokens > budget_tokens:
        content, shown, tokens = "", (), 0
    return Rendering(Mode.TASK, content, shown, complement(shown, len(source.lines)), tokens)


def _units(source: SourceFile, arrangement: Arrangement, costs: LineCosts, *, structure_first: bool) -> Iterator[_Unit]:
    chunks, scores = ChunkTable.of(arrangement.chunks), arrangement.scores
    spans = list(zip(chunks.first_lines, chunks.last_lines, strict=True))
    values = [
        score / math.pow(costs.of(first, last) + _FIXED_TOKENS, _LENGTH_EXPONENT) if score else score
        for score, (first, last) in zip(scores, spans, strict=True)
    ]
    order = sorted(range(len(spans)), key=lambda i: (-values[i], i))
    definitions = DefinitionTable.of(source.parsed.definitions)
    heads = list(zip(*source.signature_lines, strict=True))
    matching = [
        (spans[i], *_surrounding(definitions.parents, heads, chunks.definitions[i])) for i in order if scores[i] > 0
    ]
    signatures = [(head,) for head, kind in zip(heads, definitions.kinds, strict=True) if kind not in VALUE_KINDS]
    yield from (*signatures, *matching) if structure_first else (*matching, *signatures)
    for i in order:
        if scores[i] <= 0:
            yield (spans[i],)


def _surrounding(
    parents: Sequence[int], heads: Sequence[tuple[int, int]], definition: int | None
) -> Iterator[tuple[int, int]]:
    """Yield the signatures (`heads`) of the definitions that a chunk stands in, its own included."""
    number = -1 if definition is None else definition
    while number >= 0:
        yield heads[number]
        number = parents[number]


def _take(
    pending: list[_Unit], chosen: list[_Unit], shown: tuple[LineRange, ...], left: float, costs: LineCosts
) -> bool:
    """Move units that fit from `pending` to `chosen`; say whether any moved."""
    by_line = costs.by_line
    is_hidden = bytearray(b"\1") * (len(by_line) + 1)
    for span in shown:
        is_hidden[span.first : span.last + 1] = bytes(span.last - span.first + 1)
    kept, moved = [], False
    for position, unit in enumerate(pending):
        if left < MARKER_TOKENS:
            kept += pending[position:]
            break
        lines = [line for first, last in unit for line in range(first, last + 1) if is_hidden[line]]
        if not lines:
            continue
        # Added one by one, as the native core does; `sum` corrects its rounding from Python 3.12 on.
        cost = reduce(add, [by_line[line] for line in lines]) + MARKER_TOKENS
        if cost > left:
            kept.append(unit)
            continue
        left -= cost
        for line in lines:
            is_hidden[line] = 0
        chosen.append(unit)
        moved = True
    pending[:] = kept
    return moved


def _assemble_what_fits(
    source: SourceFile,
    chosen: list[_Unit],
    arrangement: Arrangement,
    costs: LineCosts,
    budget_tokens: int,
) -> tuple[str, tuple[LineRange, ...], int]:
    """Return the text of the chosen units, its lines and tokens, without the last units where it would be too long."""
    while True:
        content, shown = _assemble(source, chosen, arrangement, costs)
        tokens = count_tokens(content)
        if tokens <= budget_tokens or not chosen:
            return content, shown, tokens
        chosen.pop()


def _assemble(
    source: SourceFile, chosen: Iterable[_Unit], arrangement: Arrangement, costs: LineCosts
) -> tuple[str, tuple[LineRange, ...]]:
    joined = _without_small_gaps(sorted([span for unit in chosen for span in unit]), costs)
    shown = tuple(trimmed for first, last in joined if (trimmed := _trimmed(source.lines, first, last)) is not None)
    sections = arrangement.order(shown, len(source.lines))
    return compose(pieces_of_spans(source, shown, sections), sections), shown


def _without_small_gaps(spans: Sequence[tuple[int, int]], costs: LineCosts) -> list[tuple[int, int]]:
    """Return the ascending spans joined where they touch or where a mark costs as much as what is between them."""
    joined: list[tuple[int, int]] = []
    for first, last in spans:
        before = joined[-1] if joined else None
        if before is not None and (first <= before[1] + 1 or costs.of(before[1] + 1, first - 1) <= MARKER_TOKENS):
            joined[-1] = (before[0], max(before[1], last))
        else:
            joined.append((first, last))
    return joined


def _trimmed(lines: Sequence[str], first: int, last: int) -> LineRange | None:
    """Return the span without blank lines at its ends, or None when nothing is left."""
    last = min(last, len(lines))
    while first <= last and not lines[first - 1].strip():
        first += 1
    while last >= first and not lines[last - 1].strip():
        last -= 1
    return LineRange(first, last) if first <= last else None
