"""What reading a file gives, and how it is framed."""

from collections.abc import Sequence

from ctxsieve.compress import Mode, SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.pipeline.framing import Style, frame, frame_anchor, join_framed
from ctxsieve.values import dataclass, field

__all__ = ["AS_ASKED", "STUB_MODE", "ReadFile", "Reading", "frame_reading", "join_readings"]

STUB_MODE = "stub"
AS_ASKED = "as asked"


@dataclass(frozen=True, slots=True)
class Reading:
    """One file as it was read.

    `note` says why the text is not the file's bytes, where it is not. `arranged` has the lines of `content` as they
    stand in a text of several files, where that is another order; `anchor` ends such a text. Both are empty for what
    was read alone.
    """

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
    note: str = ""
    is_secret: bool = False
    arranged: str = field(default="", repr=False)
    anchor: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A reading with its source.

    `line_scores` says how much each line is about the task, empty without one; `asked` is the mode that was asked for,
    None where the file decides.
    """

    reading: Reading
    source: SourceFile
    line_scores: Sequence[float] = ()
    asked: Mode | None = None


def frame_reading(reading: Reading, style: Style) -> str:
    """Return one reading with its header: the mode, where it was not as asked the reason, and what its text lacks.

    The mode `lines` names them. A stub is a line that names the file by itself.
    """
    if reading.mode == STUB_MODE and style is not Style.XML:
        return reading.content
    mode = reading.mode
    if mode == Mode.LINES:
        mode += f" {', '.join(span.numbers for span in reading.lines)}"
    label = mode if reading.reason == AS_ASKED else f"{mode}: {reading.reason}"
    if reading.note:
        label += f"; {reading.note}"
    if reading.is_secret:
        label += "; a secrets file: not kept, not handed on"
    return frame(
        style,
        path=reading.path,
        mode=label,
        language=reading.language or None,
        content=reading.arranged or reading.content,
    )


def join_readings(blocks: Sequence[str], style: Style, readings: Sequence[Reading] = ()) -> str:
    """Return framed readings as one text, with the anchor that one of them may carry."""
    anchors = [
        frame_anchor(style, path=reading.path, language=reading.language or None, content=reading.anchor)
        for reading in readings
        if reading.anchor
    ]
    return join_framed(style, blocks, ending="".join(anchors[:1]))
