"""Progress of long work on standard error, when it takes longer than a second."""

import sys
import time
from collections.abc import Callable

from ctxsieve.fragments import progress_text

__all__ = ["clear_progress", "show_progress"]

_PATIENCE_SECONDS = 1.0
_INTERVAL_SECONDS = 0.2
_ERASE_LINE = "\r\x1b[2K"
_is_line_open = False


def show_progress() -> Callable[[str, int, int], None]:
    """Return a callback for `on_progress`: one line that overwrites itself on a terminal, else one line per phase."""
    started = time.monotonic()
    last = 0.0
    announced = ""

    def report(phase: str, done: int, total: int) -> None:
        global _is_line_open
        nonlocal last, announced
        now = time.monotonic()
        if now - started < _PATIENCE_SECONDS:
            return
        if sys.stderr.isatty():
            if now - last >= _INTERVAL_SECONDS or done == total:
                last = now
                _is_line_open = done != total
                end = "\n" * (not _is_line_open)
                sys.stderr.write(f"{_ERASE_LINE}ctxsieve: {progress_text(phase, total, done)}{end}")
                sys.stderr.flush()
        elif phase != announced:
            announced = phase
            sys.stderr.write(f"ctxsieve: {progress_text(phase, total)}\n")
            sys.stderr.flush()

    return report


def clear_progress() -> None:
    """Take a line of progress that was not finished off the terminal, before something else is written there."""
    global _is_line_open
    if _is_line_open:
        _is_line_open = False
        sys.stderr.write(_ERASE_LINE)
        sys.stderr.flush()
