"""What an SQLite failure means for the user of the store."""

import sqlite3
from pathlib import Path

from ctxsieve.errors import StoreError

__all__ = ["explain_failure"]

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NO_SPACE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_NOT_ALLOWED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_locked(error: sqlite3.Error) -> bool:
    """Whether another process holds the lock that the statement needed."""
    return _primary_code(error) in _LOCKED


def explain_failure(error: sqlite3.Error, path: Path) -> StoreError:
    """The StoreError that says what happened to the store at `path`, and what to do."""
    code = _primary_code(error)
    if code in _DAMAGED:
        text = f"store {path} is damaged ({error}): it was left as it is; move it away or restore a backup"
    elif code in _NO_SPACE:
        text = (
            f"store {path} cannot be written ({error}): the disk may be full or a quota reached; "
            "nothing acknowledged is lost, free space and repeat the last step"
        )
    elif code in _LOCKED:
        text = f"store {path} is locked by another process ({error}): try again"
    elif code in _NOT_ALLOWED:
        text = f"store {path} cannot be opened or written ({error}): check the folder, its permissions and free space"
    else:
        text = f"store {path} refused a statement ({error})"
    return StoreError(text)


def _primary_code(error: sqlite3.Error) -> int:
    # The low byte is the class of the failure, the rest says where it happened.
    return getattr(error, "sqlite_errorcode", -1) & 0xFF
