"""One project's database: opening, checking, migrating, reading and writing.

Every write is one immediate transaction that is on the disk (WAL, synchronous=FULL) when it returns: whoever
was told "done" finds it again after a crash. Where nobody is told (`is_synced=False`), the end of the process loses
nothing either, but a power failure may take the latest transactions. Whatever cannot be understood is left untouched.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ctxsieve.errors import StoreError
from ctxsieve.store.failures import explain_failure, is_locked
from ctxsieve.store.location import store_path
from ctxsieve.store.schema import APPLICATION_ID, MIGRATIONS, Migration

__all__ = ["MEMORY", "Row", "Store", "open_store"]

Row = tuple[Any, ...]

# Reading every page of a larger file would cost more than the command that opens it.
_CHECKED_ON_OPEN_BYTES = 8 << 20

# As a path: a store of this process alone, gone when it is closed.
MEMORY = ":memory:"

_creation_lock = threading.Lock()


class Store:
    """An open store, usable from several threads; other processes may use the same file at the same time.

    A store does not survive `fork`: the child opens its own.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        busy_timeout_seconds: float = 30.0,
        is_synced: bool = True,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        """Open the store at `path`, creating it (readable by its owner only) when it does not exist.

        An older schema is migrated in one transaction after a backup beside the file.

        Raises:
            StoreError: the file is damaged, of another program, of a newer version, locked, or not writable.
        """
        self.path = Path(path)
        self._busy_timeout_seconds = busy_timeout_seconds
        self._is_synced = is_synced
        self._migrations = migrations
        self._lock = threading.RLock()
        self._depth = 0
        self._process = os.getpid()
        if str(path) != MEMORY:
            _refuse_lost_start(self.path)
            _create_private(self.path)
        self._connection = self._connect()
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise explain_failure(error, self.path) from error
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; closing twice is fine."""
        with self._lock:
            if self._process == os.getpid():
                self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write as one unit: everything inside is on the disk when the block ends, or nothing is.

        Blocks nest; an inner block that fails undoes only itself.
        """
        with self._lock:
            self._require_own_process()
            begin, commit, undo = _statements(self._depth)
            try:
                self._connection.execute(begin)
            except sqlite3.Error as error:
                raise explain_failure(error, self.path) from error
            self._depth += 1
            try:
                yield self._connection
                self._connection.execute(commit)
            except BaseException as error:
                with suppress(sqlite3.Error):
                    for statement in undo:
                        self._connection.execute(statement)
                if isinstance(error, sqlite3.Error):
                    raise explain_failure(error, self.path) from error
                raise
            finally:
                self._depth -= 1

    def read(self, sql: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> list[Row]:
        """All rows of one query, from one consistent state (inside `transaction`: from its own state)."""
        with self._lock:
            self._require_own_process()
            try:
                return self._connection.execute(sql, parameters).fetchall()
            except sqlite3.Error as error:
                raise explain_failure(error, self.path) from error

    def check(self) -> None:
        """Read every page and index.

        Raises:
            StoreError: something does not fit together; the message says what.
        """
        findings = [str(row[0]) for row in self.read("PRAGMA integrity_check(3)")]
        if findings != ["ok"]:
            raise StoreError(f"store {self.path} is damaged ({'; '.join(findings)}): restore a backup")

    @property
    def schema_version(self) -> int:
        """The version that the file has after opening."""
        return int(self.read("PRAGMA user_version")[0][0])

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self.path, timeout=self._busy_timeout_seconds, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise explain_failure(error, self.path) from error
        return connection

    def _require_own_process(self) -> None:
        if self._process != os.getpid():
            raise StoreError(f"store {self.path} was opened by process {self._process}: open it again in this one")

    def _prepare(self) -> None:
        version = self._refuse_foreign_schema()
        if version > 0 and self.path.stat().st_size <= _CHECKED_ON_OPEN_BYTES:
            findings = self._connection.execute("PRAGMA quick_check(1)").fetchall()
            if findings != [("ok",)]:
                raise StoreError(
                    f"store {self.path} is damaged ({findings[0][0]}): it was left as it is; "
                    "move it away or restore a backup"
                )
        # The switch to WAL does not wait for locks by itself.
        self._wait_for_lock(lambda: self._connection.execute("PRAGMA journal_mode = WAL"))
        self._connection.execute(f"PRAGMA synchronous = {'FULL' if self._is_synced else 'NORMAL'}")
        self._connection.execute("PRAGMA foreign_keys = ON")
        if version < len(self._migrations):
            self._migrate()

    def _refuse_foreign_schema(self) -> int:
        """The schema version of the file, 0 for a new one."""
        application, version, tables = self._wait_for_lock(
            lambda: self._connection.execute(
                "SELECT (SELECT application_id FROM pragma_application_id), "
                "(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)"
            ).fetchone()
        )
        if application != APPLICATION_ID and (application, version, tables) != (0, 0, 0):
            raise StoreError(f"{self.path} is a database of another program: it was left as it is; give another path")
        known = len(self._migrations)
        if version > known:
            raise StoreError(
                f"store {self.path} has schema version {version}, this program knows up to {known}: "
                "it was left as it is; use a newer ctxsieve"
            )
        return int(version)

    def _migrate(self) -> None:
        with self.transaction() as connection:
            # Another process may have been faster: look again under the lock.
            version = self._refuse_foreign_schema()
            if 0 < version < len(self._migrations):
                _back_up(self.path, version)
            for step in self._migrations[version:]:
                for statement in step:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(self._migrations)}")

    def _wait_for_lock(self, action: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + self._busy_timeout_seconds
        while True:
            try:
                return action()
            except sqlite3.OperationalError as error:
                if not is_locked(error) or time.monotonic() >= deadline:
                    raise
            time.sleep(0.01)


def open_store(project_root: str | os.PathLike[str], *, state_directory: str | os.PathLike[str] | None = None) -> Store:
    """Open the store of one project, in the platform's state directory unless another one is given."""
    return Store(store_path(project_root, state_directory=state_directory))


def _statements(depth: int) -> tuple[str, str, tuple[str, ...]]:
    if depth == 0:
        return "BEGIN IMMEDIATE", "COMMIT", ("ROLLBACK",)
    name = f"nested_{depth}"
    return f"SAVEPOINT {name}", f"RELEASE {name}", (f"ROLLBACK TO {name}", f"RELEASE {name}")


def _refuse_lost_start(path: Path) -> None:
    """SQLite would take an empty file for a new database and drop the log beside it: look before it does."""
    log = path.with_name(path.name + "-wal")
    with suppress(FileNotFoundError):
        if path.stat().st_size == 0 and log.stat().st_size > 0:
            raise StoreError(f"store {path} is empty but its log {log.name} is not: both were left; restore a backup")


def _create_private(path: Path) -> None:
    """Create the file for its owner alone; an existing one is not even opened.

    Closing any descriptor of a file drops the locks that this process holds on it, also SQLite's: the file may
    only be opened here while nobody else in the process can have it open.
    """
    try:
        with _creation_lock:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise StoreError(
            f"store {path} cannot be created ({error.strerror}): check the folder, its permissions and free space"
        ) from error


def _back_up(path: Path, version: int) -> None:
    """Copy the committed state beside the store as `<name>.v<version>.backup`, complete or not at all."""
    target = path.with_name(f"{path.name}.v{version}.backup")
    partial = path.with_name(f"{path.name}.v{version}.partial")
    partial.unlink(missing_ok=True)
    try:
        source = sqlite3.connect(path)
        copy = sqlite3.connect(partial)
        try:
            source.backup(copy)
        finally:
            copy.close()
            source.close()
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.chmod(0o600)
        partial.replace(target)
    except OSError as error:
        raise StoreError(f"backup {target} cannot be written ({error.strerror}): the store was not migrated") from error
