"""What an outline of prose and data consists of, and how it and the gaps in such a file are written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ctxsieve.compress.modes import Mode, Rendering, complement, merge_ranges
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["Entry", "hide_lines", "short", "write_outline"]

# An outline has at most so many rows: deeper levels go first, then what comes last.
MOST_ENTRIES = 120
LABEL_CHARACTERS = 80


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
    if span is None:
        return ""
    return f" {span.first}" if span.first == span.last else f" {span.first}-{span.last}"


def hide_lines(source: SourceFile, spans: Iterable[LineRange], mode: Mode) -> Rendering | None:
    """Return the file with a marker in place of each span, as a comment where the format has any; None for no span.

    Spans of one short line stay, since the marker costs as much.
    """
    gaps = tuple(span for span in merge_ranges(list(spans)) if _is_worth_a_marker(source, span))
    if not gaps:
        return None
    parts, following = [], 1
    for gap in gaps:
        if following < gap.first:
            parts.append(source.text_of(LineRange(following, gap.first - 1)))
        parts.append(_marker(source, gap))
        following = gap.last + 1
    if following <= len(source.lines):
        parts.append(source.text_of(LineRange(following, len(source.lines))))
    return Rendering(mode, "".join(parts), complement(gaps, len(source.lines)), gaps)


def _is_worth_a_marker(source: SourceFile, gap: LineRange) -> bool:
    return sum(len(line) for line in source.lines[gap.first - 1 : gap.last]) > 24


def _marker(source: SourceFile, gap: LineRange) -> str:
    text = source.lines[gap.first - 1]
    indent = text[: len(text) - len(text.lstrip())]
    note = f"...{_lines(gap)}"
    comment = note if source.language is None else source.language.comment(note)
    is_end = gap.last == len(source.lines) and not source.text.endswith("\n")
    return f"{indent}{comment}{'' if is_end else chr(13) * text.endswith(chr(13)) + chr(10)}"


def short(text: str) -> str:
    """Return the text on one line, cut to the length of a label."""
    joined = " ".join(text.split())
    return joined if len(joined) <= LABEL_CHARACTERS else joined[: LABEL_CHARACTERS - 3].rstrip() + "..."
