"""File events of a set of folders, in the order in which the system reports them.

A marker file tells when everything that happened before is known: it is created in a folder that the same queue
watches, and events come in order.
"""

import contextlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Sequence

from ctxsieve.errors import InputError

__all__ = ["FileEvents", "check_watching", "relative_path"]

# The queue is looked at after so long, and once more whether it still grows.
_STEP_MS = 1
_IDLE_STEP_MS = 50
_DEBOUNCE_MS = 100
# Elsewhere the system watches whole trees and never follows links.
_IS_BY_FOLDER = sys.platform.startswith("linux")


def check_watching() -> None:
    """Raise InputError where watching is not installed."""
    try:
        import watchfiles  # noqa: F401
    except ImportError as error:
        raise InputError("watching needs watchfiles, which is not installed: pip install 'ctxsieve[watch]'") from error


def relative_path(root: bytes, changed: str, *, separator: str = os.sep) -> bytes | None:
    """Return a changed path relative to the root, with `/` between its parts; b"" for the root, None outside of it."""
    native = os.fsencode(separator)
    path, top = os.fsencode(changed).replace(native, b"/"), root.replace(native, b"/")
    if path == top:
        return b""
    prefix = top if top.endswith(b"/") else top + b"/"
    return path[len(prefix) :] if path.startswith(prefix) else None


class FileEvents:
    """Collects changed paths until it is closed.

    Raises:
        OSError: the folders cannot be watched: one is gone, or the system's limit is reached.
    """

    def __init__(self, root: str, folders: Sequence[str]) -> None:
        from watchfiles._rust_notify import RustNotify

        self._markers = os.path.realpath(tempfile.mkdtemp(prefix="ctxsieve-watch-"))
        self._count = 0
        self._pending: set[str] = set()
        self._has_lost_events = False
        watched = [*folders, self._markers] if _IS_BY_FOLDER else [root, self._markers]
        try:
            self._notify = RustNotify(watched, False, False, 0, not _IS_BY_FOLDER, True)
        except BaseException:
            shutil.rmtree(self._markers, ignore_errors=True)
            raise

    def collect(self, *, timeout_seconds: float) -> set[str] | None:
        """Return the absolute paths that changed since the last call, all of them up to this moment.

        None where events may have been lost; the watch is of no use after that.
        """
        marker = os.path.join(self._markers, str(self._count))
        self._count += 1
        deadline = time.monotonic() + timeout_seconds
        try:
            os.close(os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError:
            return None
        while marker not in self._pending:
            left_ms = int(1000 * (deadline - time.monotonic()))
            if left_ms <= 0 or not self._take(_DEBOUNCE_MS, _STEP_MS, left_ms, None):
                return None
        with contextlib.suppress(OSError):
            os.unlink(marker)
        found, self._pending = self._pending, set()
        inside = self._markers + os.sep
        return {path for path in found if not path.startswith(inside)}

    def wait(self, stop: threading.Event) -> bool:
        """Wait for events; False when `stop` was set."""
        if any(not path.startswith(self._markers) for path in self._pending):
            return True
        while self._take(_DEBOUNCE_MS, _IDLE_STEP_MS, 0, stop):
            if any(not path.startswith(self._markers) for path in self._pending):
                return True
        return not stop.is_set()

    def _take(self, debounce_ms: int, step_ms: int, timeout_ms: int, stop: threading.Event | None) -> bool:
        """Move reported paths to the pending ones; False where there are none, or they were lost."""
        try:
            found = self._notify.watch(debounce_ms, step_ms, timeout_ms, stop)
        except RuntimeError:
            # A name that is no text, or the watch broke.
            self._has_lost_events = True
        else:
            # A signal or a time-out throws reported paths away.
            if isinstance(found, set):
                self._pending |= {path for _, path in found}
                return not self._has_lost_events
            self._has_lost_events = True
            if found == "signal":
                # The watch swallows what a signal's handler raised.
                raise KeyboardInterrupt
        return False

    def close(self) -> None:
        """Stop watching."""
        self._notify.close()
        shutil.rmtree(self._markers, ignore_errors=True)
