"""The lossless modes: full, raw and lines."""

from dataclasses import replace

from ctxsieve.compress.modes import Mode, Rendering, complement
from ctxsieve.compress.source import SourceFile
from ctxsieve.errors import InputError
from ctxsieve.fragments import LineRange

__all__ = ["render_full", "render_lines", "render_raw"]


def render_full(source: SourceFile) -> Rendering:
    """Return the whole file as it stands."""
    return _whole(source, Mode.FULL)


def render_raw(source: SourceFile) -> Rendering:
    """Return the whole file as it stands, for a consumer that wants no framing around it."""
    return _whole(source, Mode.RAW)


def _whole(source: SourceFile, mode: Mode) -> Rendering:
    shown = (LineRange(1, len(source.lines)),) if source.text else ()
    return Rendering(mode, source.text, shown, (), source.findings.tokens)


def render_lines(source: SourceFile, ranges: tuple[LineRange, ...]) -> Rendering:
    """Return the given lines, each with its line ending; ranges end with the file.

    Raises:
        InputError: a range begins after the last line.
    """
    source = replace(source, is_aligned=False)
    count = len(source.lines)
    for span in ranges:
        if span.first > count:
            raise InputError(f"line range begins at {span.first}: {source.path} has {count} lines")
    shown = tuple(LineRange(span.first, min(span.last, count)) for span in ranges)
    text = "".join(source.text_of(span) for span in shown)
    return Rendering(Mode.LINES, text, shown, complement(shown, count))
