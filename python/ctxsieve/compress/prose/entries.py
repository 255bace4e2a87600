"""What an outline of prose and data consists of, and how it and the gaps in such a file are written."""

from collections.abc import Iterable, Sequence

from ctxsieve.compress.composition import text_without
from ctxsieve.compress.modes import Mode, Rendering, complement, merge_ranges
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.values import dataclass

__all__ = ["Entry", "hide_lines", "short", "worth_marks", "write_outline"]

# An outline has at most so many rows: deeper levels go first, then what comes last.
MOST_ENTRIES = 120
LABEL_CHARACTERS = 80
_MARK_CHARACTERS = 24


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of an outline; `depth` counts from 0, a row without `span` is about the file as a whole."""

    depth: int
    label: str
    span: LineRange | None = None


def write_outline(source: SourceFile, entries: Sequence[Entry], mode: Mode) -> Rendering:
    """Return the entries, nested by indentation, with their lines; what does not fit is counted."""
    depth = max((entry.depth for entry in entries), default=0)
    kept = list(entries)
    while len(kept) > MOST_ENTRIES and depth > 0:
        kept = [entry for entry in entries if entry.depth < depth]
        depth -= 1
    rows = [f"{'  ' * entry.depth}{entry.label}{_lines(entry.span)}" for entry in kept[:MOST_ENTRIES]]
    if len(rows) < len(entries):
        rows.append(f"... {len(entries) - len(rows)} more")
    content = "\n".join(rows) + "\n" if rows else ""
    return Rendering(mode, content, (), complement((), len(source.lines)))


def _lines(span: LineRange | None) -> str:
    return "" if span is None else f" {span.numbers}"


def hide_lines(source: SourceFile, spans: Iterable[LineRange], mode: Mode) -> Rendering | None:
    """Return the file with a marker in place of each span, as a comment where the format has any; None for no span.

    Spans of one short line stay, since the marker costs as much.
    """
    gaps = worth_marks(source, spans)
    if not gaps:
        return None
    return Rendering(
        mode, text_without(source, gaps, is_nested_by_indentation=True), complement(gaps, len(source.lines)), gaps
    )


def worth_marks(source: SourceFile, spans: Iterable[LineRange]) -> tuple[LineRange, ...]:
    """Return the spans, those with only blank lines between them as one, without what costs no more than its mark."""
    return tuple(
        span
        for span in _joined(source, merge_ranges(list(spans)))
        if sum(len(line) for line in source.lines[span.first - 1 : span.last]) > _MARK_CHARACTERS
    )


def _joined(source: SourceFile, spans: Sequence[LineRange]) -> list[LineRange]:
    joined: list[LineRange] = []
    for span in spans:
        if joined and not any(line.strip() for line in source.lines[joined[-1].last : span.first - 1]):
            joined[-1] = LineRange(joined[-1].first, span.last)
        else:
            joined.append(span)
    return joined


def short(text: str) -> str:
    """Return the text on one line, cut to the length of a label."""
    joined = " ".join(text.split())
    return joined if len(joined) <= LABEL_CHARACTERS else joined[: LABEL_CHARACTERS - 3].rstrip() + "..."
