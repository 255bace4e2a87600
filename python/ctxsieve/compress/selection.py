"""The task mode of preload: the chunks that matter in full, signatures of the rest, omissions marked."""

import math
from collections.abc import Iterable, Iterator, Sequence

from ctxsieve.chunking import Arrangement
from ctxsieve.compress.composition import compose, pieces_of_spans
from ctxsieve.compress.costs import LineCosts
from ctxsieve.compress.modes import Mode, Rendering, complement, merge_ranges
from ctxsieve.compress.options import MARKER_TOKENS
from ctxsieve.compress.outline import VALUE_KINDS, signature_lines
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import Definition, LineRange
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass

__all__ = ["render_chunks"]

# Estimates are sums over lines; the loop that corrects them against exact counts ends after so many rounds.
_ROUNDS = 4
# Short chunks are a little dearer than their tokens (markers, context), long ones a little cheaper than in proportion:
# measured on edited lines of real commits, flat between exponents .2 and .5.
_FIXED_TOKENS = 30
_LENGTH_EXPONENT = 0.3


@dataclass(frozen=True, slots=True)
class _Unit:
    """Lines that are added together: a chunk, or the signature of a definition that is not shown."""

    spans: tuple[LineRange, ...]


def render_chunks(
    source: SourceFile, arrangement: Arrangement, *, budget_tokens: int, structure_first: bool = False
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
    """
    costs = LineCosts(source)
    chosen: list[_Unit] = []
    pending = list(_units(source, arrangement, costs, structure_first=structure_first))
    content, shown, tokens = _assemble_what_fits(source, chosen, arrangement, costs, budget_tokens)
    for _ in range(_ROUNDS):
        if not _take(pending, chosen, shown, budget_tokens - tokens, costs):
            break
        content, shown, tokens = _assemble_what_fits(source, chosen, arrangement, costs, budget_tokens)
    if tokens > budget_tokens:
        content, shown = "", ()
    return Rendering(Mode.TASK, content, shown, complement(shown, len(source.lines)))


def _units(source: SourceFile, arrangement: Arrangement, costs: LineCosts, *, structure_first: bool) -> Iterator[_Unit]:
    chunks, scores = arrangement.chunks, arrangement.scores

    def value(i: int) -> float:
        span = chunks[i].span
        return scores[i] / math.pow(costs.of(span.first, span.last) + _FIXED_TOKENS, _LENGTH_EXPONENT)

    order = sorted(range(len(chunks)), key=lambda i: (-value(i), i))
    definitions = source.parsed.definitions
    heads = [signature_lines(source, definition) for definition in definitions]
    matching = [
        _Unit((chunks[i].span, *_surrounding(definitions, heads, chunks[i].definition))) for i in order if scores[i] > 0
    ]
    signatures = [
        _Unit((head,))
        for head, definition in zip(heads, definitions, strict=True)
        if definition.kind not in VALUE_KINDS
    ]
    yield from (*signatures, *matching) if structure_first else (*matching, *signatures)
    for i in order:
        if scores[i] <= 0:
            yield _Unit((chunks[i].span,))


def _surrounding(
    definitions: Sequence[Definition], heads: Sequence[LineRange], definition: int | None
) -> Iterator[LineRange]:
    """Yield the signatures (`heads`) of the definitions that a chunk stands in, its own included."""
    while definition is not None:
        yield heads[definition]
        definition = definitions[definition].parent


def _take(
    pending: list[_Unit], chosen: list[_Unit], shown: tuple[LineRange, ...], left: float, costs: LineCosts
) -> bool:
    """Move units that fit from `pending` to `chosen`; say whether any moved."""
    visible = {line for span in shown for line in range(span.first, span.last + 1)}
    kept, moved = [], False
    for position, unit in enumerate(pending):
        if left < MARKER_TOKENS:
            kept += pending[position:]
            break
        lines = [line for span in unit.spans for line in range(span.first, span.last + 1) if line not in visible]
        if not lines:
            continue
        cost = sum([costs.by_line[line] for line in lines]) + MARKER_TOKENS
        if cost > left:
            kept.append(unit)
            continue
        left -= cost
        visible.update(lines)
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
    shown = _without_small_gaps([span for unit in chosen for span in unit.spans], costs)
    shown = tuple(trimmed for span in shown if (trimmed := _trimmed(source, span)) is not None)
    sections = arrangement.order(shown, len(source.lines))
    return compose(pieces_of_spans(source, shown, sections), sections), shown


def _without_small_gaps(spans: list[LineRange], costs: LineCosts) -> tuple[LineRange, ...]:
    joined: list[LineRange] = []
    for span in merge_ranges(spans):
        if joined and costs.of(joined[-1].last + 1, span.first - 1) <= MARKER_TOKENS:
            joined[-1] = LineRange(joined[-1].first, span.last)
        else:
            joined.append(span)
    return tuple(joined)


def _trimmed(source: SourceFile, span: LineRange) -> LineRange | None:
    """Return the span without blank lines at its ends, or None when nothing is left."""
    first, last = span.first, min(span.last, len(source.lines))
    while first <= last and not source.lines[first - 1].strip():
        first += 1
    while last >= first and not source.lines[last - 1].strip():
        last -= 1
    return LineRange(first, last) if first <= last else None
