"""Reading files by name, in a mode."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ctxsieve.cache import hash_content
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
from ctxsieve.jail import check_path, is_secret, read_inside
from ctxsieve.languages import language_of
from ctxsieve.pipeline.framing import Style, frame, separator
from ctxsieve.tokens import count_tokens

__all__ = ["STUB_MODE", "ReadOptions", "Reading", "frame_reading", "join_readings", "read_files"]

STUB_MODE = "stub"


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
    language: str
    content_hash: str
    data: bytes = field(repr=False)
    is_secret: bool = False


def read_files(root: Path, paths: Sequence[str], mode_text: str) -> tuple[Reading, ...]:
    """Return the files in the given mode, in the given order.

    Raises:
        InputError: the mode or a range is wrong.
        PathError: a path is missing, outside the root, or of a kind that is never opened.
    """
    mode, ranges = parse_mode(mode_text)
    return tuple(_read(root, check_path(path), mode, ranges) for path in paths)


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
        language=source.language.name if source.language else "",
        content_hash=hash_content(data),
        data=data,
        is_secret=is_secret(path),
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


def frame_reading(reading: Reading, style: Style) -> str:
    """Return one reading with its header, which names the mode and, where it was not as asked, the reason.

    A stub is a line that names the file by itself.
    """
    if reading.mode == STUB_MODE and style is not Style.XML:
        return reading.content
    label = reading.mode if reading.reason == "as asked" else f"{reading.mode}: {reading.reason}"
    return frame(style, path=reading.path, mode=label, language=reading.language or None, content=reading.content)


def join_readings(blocks: Sequence[str], style: Style) -> str:
    """Return framed readings as one text."""
    return separator(style).join(blocks)
