"""Progress of long work from a worker thread to the client, and cancellation the other way."""

import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import anyio.from_thread

from ctxsieve.fragments import progress_text

__all__ = ["CancelledWorkError", "WorkReport"]

# The last one is making the answer, of which nothing is reported.
_PHASES = ("walk", "scan", "resolve", "measure", "answer")
_INTERVAL_SECONDS = 0.25


class CancelledWorkError(Exception):
    """Nobody waits for the work any more; raised inside the worker thread."""


class WorkReport:
    """The `on_progress` of one call: throttled, growing, and the place where cancelled work ends."""

    def __init__(self, send: Callable[[float, float, str], Coroutine[Any, Any, None]]) -> None:
        self._send = send
        self._cancelled = threading.Event()
        self._last = time.monotonic()
        self._reached = 0.0

    def cancel(self) -> None:
        """Let the work end at its next report."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits any more."""
        return self._cancelled.is_set()

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Report from the worker thread; the protocol wants numbers that only grow.

        Raises:
            CancelledWorkError: the client cancelled or left.
        """
        if self._cancelled.is_set():
            raise CancelledWorkError
        now = time.monotonic()
        # That files are about to be read is said at once, so that even a client with little patience waits.
        is_start = phase == "scan" and self._reached < _PHASES.index("scan")
        if now - self._last < _INTERVAL_SECONDS and not is_start:
            return
        place = _PHASES.index(phase) if phase in _PHASES else 0
        progress = place + (done / total if total > 0 else 0.0)
        if progress <= self._reached:
            return
        self._last, self._reached = now, progress
        message = f"step {place + 1} of {len(_PHASES)}: {progress_text(phase, total, done)}"
        try:
            anyio.from_thread.run(self._send, progress, float(len(_PHASES)), message)
        except RuntimeError:
            # The event loop ended: so did whoever waited.
            raise CancelledWorkError from None
