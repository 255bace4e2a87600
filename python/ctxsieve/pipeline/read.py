"""Reading files by name, in a mode."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ctxsieve.compress import (
    Mode,
    Rendering,
    SourceFile,
    parse_mode,
    read_source,
    render_full,
    render_lines,
    render_map,
    render_raw,
    render_reference,
    render_signatures,
)
from ctxsieve.errors import InputError
from ctxsieve.fragments import LineRange
from ctxsieve.jail import read_inside
from ctxsieve.languages import language_of
from ctxsieve.tokens import count_tokens

__all__ = ["ReadOptions", "Reading", "read_files"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """The mode a reader gets who names none."""

    mode: str = "full"


@dataclass(frozen=True, slots=True)
class Reading:
    """One file as it was read."""

    path: str
    mode: str
    reason: str
    content: str
    tokens: int
    original_tokens: int
    lines: tuple[LineRange, ...]
    omitted_lines: tuple[LineRange, ...]
    encoding: str
    lossless: bool


def read_files(root: Path, paths: Sequence[str], mode_text: str) -> tuple[Reading, ...]:
    """Return the files in the given mode, in the given order.

    Raises:
        InputError: the mode or a range is wrong.
        PathError: a path is missing, outside the root, or of a kind that is never opened.
    """
    mode, ranges = parse_mode(mode_text)
    return tuple(_read(root, path, mode, ranges) for path in paths)


def _read(root: Path, path: str, mode: Mode, ranges: tuple[LineRange, ...]) -> Reading:
    data = read_inside(root, path, asked_by_name=True)
    if b"\0" in data[:8192] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{path} is binary: it has no text to show")
    source = read_source(path, data, language_of(path, data[:512]))
    original_tokens = count_tokens(source.text)
    rendering = _render(source, mode, ranges)
    tokens = count_tokens(rendering.content)
    reason = "as asked"
    if tokens > original_tokens and mode is not Mode.REFERENCE:
        rendering, tokens = render_full(source), original_tokens
        reason = f"{mode} would cost more than the file itself"
    return Reading(
        path=path,
        mode=rendering.mode.value,
        reason=reason,
        content=rendering.content,
        tokens=tokens,
        original_tokens=original_tokens,
        lines=rendering.shown,
        omitted_lines=rendering.omitted,
        encoding=source.encoding,
        lossless=source.lossless,
    )


def _render(source: SourceFile, mode: Mode, ranges: tuple[LineRange, ...]) -> Rendering:
    if mode is Mode.LINES:
        return render_lines(source, ranges)
    renderers = {
        Mode.FULL: render_full,
        Mode.RAW: render_raw,
        Mode.MAP: render_map,
        Mode.SIGNATURES: render_signatures,
        Mode.REFERENCE: render_reference,
    }
    if mode not in renderers:
        raise InputError(f"mode {mode} needs a task: use `preload`")
    return renderers[mode](source)
