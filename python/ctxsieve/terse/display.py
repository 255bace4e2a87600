"""What a terminal would show: colours stripped, overwritten progress gone."""

import re

__all__ = ["displayed_lines", "looks_binary"]

_ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # titles and hyperlinks
    r"|\x1b[PX^_][^\x1b]{0,4096}\x1b\\"  # device strings
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor movement, erasing
    r"|\x1b[ -/]*[0-~]"  # anything else of two or three characters
)
_ERASED = re.compile(r"^.*(?:\x1b\[[12]?K|\x1b\[2J)(?=[^\r]*$)")
_BACKSPACES = re.compile("[^\x08]\x08")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SAMPLE_CHARACTERS = 8192
_MOST_CONTROLS_SHARE = 0.1


def displayed_lines(text: str) -> list[str]:
    """The lines of `text` as a terminal shows them when all is written, without trailing white space.

    A carriage return starts the line over, so that of a progress bar its last state remains; CRLF is a line end.
    """
    lines = text.split("\n")
    if not _is_plain(text):
        lines = [_displayed(line) for line in lines]
    return [line.rstrip() for line in lines]


def looks_binary(text: str) -> bool:
    """Whether `text` is no text: a NUL, or more than a tenth of other control characters near its beginning."""
    sample = text[:_SAMPLE_CHARACTERS]
    controls = len(_CONTROLS.findall(_ESCAPES.sub("", sample)))
    return "\x00" in sample or controls > _MOST_CONTROLS_SHARE * max(len(sample), 64)


def _is_plain(text: str) -> bool:
    return not ("\x1b" in text or "\r" in text or "\x08" in text)


def _displayed(line: str) -> str:
    if not _is_plain(line):
        line = line.rstrip("\r")
        for segment in reversed(line.split("\r")):
            shown = _ESCAPES.sub("", segment)
            if shown.strip():
                line = shown
                break
        else:
            return ""
        while "\x08" in line:
            shorter = _BACKSPACES.sub("", line)
            line = shorter if shorter != line else line.replace("\x08", "")
    return line
