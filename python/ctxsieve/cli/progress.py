"""Progress of a first index on standard error, when it takes longer than a second."""

import sys
import time
from collections.abc import Callable

__all__ = ["show_progress"]

_PATIENCE_SECONDS = 1.0
_INTERVAL_SECONDS = 0.2
# What the phases do, in words.
_PHASES = {"walk": "walking the tree", "scan": "scanning", "resolve": "resolving imports of", "measure": "measuring"}

_UNITS = {"measuring files together": "loads"}


def show_progress() -> Callable[[str, int, int], None]:
    """Return a callback for `on_progress`: one line that overwrites itself on a terminal, else one line per phase."""
    started = time.monotonic()
    last = 0.0
    announced = ""

    def report(phase: str, done: int, total: int) -> None:
        nonlocal last, announced
        now = time.monotonic()
        doing, unit = _PHASES.get(phase, phase), _UNITS.get(phase, "files")
        if now - started < _PATIENCE_SECONDS:
            return
        if sys.stderr.isatty():
            if now - last >= _INTERVAL_SECONDS or done == total:
                last = now
                end = "\n" if done == total else ""
                sys.stderr.write(f"\r\x1b[2Kctxsieve: {doing}{f' {done:,} of {total:,} {unit}' * (total > 0)}{end}")
                sys.stderr.flush()
        elif phase != announced:
            announced = phase
            sys.stderr.write(f"ctxsieve: {doing}{f' {total:,} {unit}' * (total > 0)}\n")
            sys.stderr.flush()

    return report
