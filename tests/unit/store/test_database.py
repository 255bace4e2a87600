import os
import resource
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ctxsieve.errors import StoreError
from ctxsieve.store import (
    APPLICATION_ID,
    MEMORY,
    MIGRATIONS,
    SCHEMA_VERSION,
    Store,
    append_event,
    open_store,
    read_events,
)
from ctxsieve.store import store_path as path_of_store

NEXT = (*MIGRATIONS, ("ALTER TABLE facts ADD COLUMN reviewed INTEGER NOT NULL DEFAULT 0",))


def files_of(path: Path) -> dict[str, bytes]:
    return {found.name: found.read_bytes() for found in sorted(path.parent.glob(path.name + "*"))}


def append_and_fail(store: Store) -> None:
    with store.transaction():
        append_event(store, "run", "Dropped", {}, now_seconds=1.0)
        raise RuntimeError("stop")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "store.sqlite3"


def test_store_is_private_durable_and_versioned(path: Path) -> None:
    with Store(path) as store:
        append_event(store, "run", "Started", {"n": 1}, now_seconds=1.0)
        assert store.read("PRAGMA journal_mode") == [("wal",)]
        assert store.read("PRAGMA synchronous") == [(2,)]
        assert store.read("PRAGMA application_id") == [(APPLICATION_ID,)]
        assert store.schema_version == SCHEMA_VERSION
        modes = {stat.S_IMODE(found.stat().st_mode) for found in path.parent.iterdir()}
        assert modes == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    with Store(path) as store:
        assert [event.payload for event in read_events(store, "run")] == [{"n": 1}]
        store.check()


def test_projects_have_stores_of_their_own_and_links_share_one(tmp_path: Path) -> None:
    (tmp_path / "a" / "web").mkdir(parents=True)
    (tmp_path / "b" / "web").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "a" / "web")
    state = tmp_path / "state"
    first = path_of_store(tmp_path / "a" / "web", state_directory=state)
    assert first != path_of_store(tmp_path / "b" / "web", state_directory=state)
    assert first == path_of_store(tmp_path / "link", state_directory=state)
    with open_store(tmp_path / "link", state_directory=state) as store:
        assert store.path == first
        assert first.is_file()


def test_failed_transaction_leaves_nothing(path: Path) -> None:
    with Store(path) as store:
        with pytest.raises(RuntimeError, match="stop"):
            append_and_fail(store)
        assert read_events(store, "run") == []


def test_failed_inner_transaction_undoes_only_itself(path: Path) -> None:
    with Store(path) as store:
        with store.transaction():
            append_event(store, "run", "Kept", {}, now_seconds=1.0)
            with pytest.raises(RuntimeError, match="stop"):
                append_and_fail(store)
            append_event(store, "run", "AlsoKept", {}, now_seconds=1.0)
        assert [event.kind for event in read_events(store, "run")] == ["Kept", "AlsoKept"]


def test_threads_share_one_store(path: Path) -> None:
    with Store(path) as store:

        def work(name: str) -> None:
            for _ in range(20):
                append_event(store, name, "Step", {}, now_seconds=1.0)

        threads = [threading.Thread(target=work, args=(f"run-{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [len(read_events(store, f"run-{n}")) for n in range(4)] == [20] * 4


def test_opening_again_in_one_process_keeps_the_locks_of_the_first(path: Path) -> None:
    with Store(path) as first:
        append_event(first, "run", "Step", {}, now_seconds=1.0)
        Store(path).close()
        log = path.with_name(path.name + "-wal")
        assert log.stat().st_size > 0
        # A second process that opens and closes would remove the log if this process had lost its locks.
        code = f"import sqlite3; c = sqlite3.connect({str(path)!r}); c.execute('SELECT * FROM facts'); c.close()"
        subprocess.run([sys.executable, "-c", code], check=True)
        assert log.exists()


def test_older_schema_is_migrated_after_a_backup(path: Path) -> None:
    with Store(path) as store:
        append_event(store, "run", "Old", {}, now_seconds=1.0)
    with Store(path, migrations=NEXT) as store:
        assert store.schema_version == len(NEXT)
        assert store.read("SELECT count(reviewed) FROM facts") == [(0,)]
        assert len(read_events(store, "run")) == 1
    with Store(path.with_name(f"{path.name}.v{SCHEMA_VERSION}.backup")) as backup:
        assert backup.schema_version == SCHEMA_VERSION
        assert len(read_events(backup, "run")) == 1


def test_failed_migration_changes_nothing(path: Path) -> None:
    with Store(path) as store:
        append_event(store, "run", "Old", {}, now_seconds=1.0)
    broken = (*MIGRATIONS, ("CREATE TABLE half (a)", "INSERT INTO missing VALUES (1)"))
    with pytest.raises(StoreError, match="no such table: missing"):
        Store(path, migrations=broken)
    with Store(path) as store:
        assert store.schema_version == SCHEMA_VERSION
        assert store.read("SELECT name FROM sqlite_master WHERE name = 'half'") == []
        assert len(read_events(store, "run")) == 1


def test_newer_schema_is_refused_and_untouched(path: Path) -> None:
    Store(path, migrations=NEXT).close()
    before = files_of(path)
    with pytest.raises(StoreError, match=rf"schema version {len(NEXT)}, this program knows up to {SCHEMA_VERSION}"):
        Store(path)
    assert files_of(path) == before


@pytest.mark.parametrize("content", [b"no database", b"x" * 5000, b"SQLite format 3\x00" + b"\xff" * 4000])
def test_damaged_file_is_refused_and_untouched(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        Store(path)
    assert files_of(path) == {path.name: content}


def test_damage_in_the_middle_is_found_on_opening(path: Path) -> None:
    with Store(path) as store:
        for n in range(200):
            append_event(store, "run", "Step", {"text": "x" * 200, "n": n}, now_seconds=1.0)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 8192] = b"\xa5" * 8192
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        Store(path)
    assert path.read_bytes() == bytes(content)


def test_emptied_file_beside_its_log_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"")
    path.with_name(path.name + "-wal").write_bytes(b"log")
    with pytest.raises(StoreError, match="empty but its log"):
        Store(path)
    assert path.with_name(path.name + "-wal").read_bytes() == b"log"


def test_database_of_another_program_is_refused_and_untouched(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (a)")
    other.close()
    before = files_of(path)
    with pytest.raises(StoreError, match="another program"):
        Store(path)
    assert files_of(path) == before


def test_folder_in_place_of_the_file_is_an_error(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(path)


def test_lock_of_another_process_times_out_with_a_clear_error(path: Path) -> None:
    with Store(path, busy_timeout_seconds=0.05) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked by another process"):
            append_event(store, "run", "Step", {}, now_seconds=1.0)
        other.execute("COMMIT")
        other.close()
        assert append_event(store, "run", "Step", {}, now_seconds=1.0) == 1


def test_full_store_gives_a_clear_error_and_keeps_what_was_acknowledged(path: Path) -> None:
    with Store(path) as store:
        store.read("PRAGMA max_page_count = 60")
        acknowledged = 0
        message = ""
        while not message:
            try:
                acknowledged = append_event(store, "run", "Step", {"text": "x" * 500}, now_seconds=1.0)
            except StoreError as error:
                message = str(error)
        assert "the disk may be full" in message
        assert acknowledged > 10
        assert len(read_events(store, "run")) == acknowledged
        store.check()


def test_file_size_limit_gives_a_clear_error_and_keeps_what_was_acknowledged(path: Path) -> None:
    code = f"""
import resource
from ctxsieve.errors import StoreError
from ctxsieve.store import Store, append_event
store = Store({str(path)!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
count = 0
try:
    while True:
        append_event(store, "run", "Step", {{"text": "x" * 500}}, now_seconds=1.0)
        count += 1
except StoreError as error:
    print(count, error)
"""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    count, message = done.stdout.split(" ", 1)
    assert "cannot be written" in message
    assert "nothing acknowledged is lost" in message
    with Store(path) as store:
        assert len(read_events(store, "run")) == int(count) > 10
        store.check()


def test_store_refuses_use_after_fork(path: Path) -> None:
    with Store(path) as store:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                store.read("SELECT 1")
            except StoreError:
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}


def test_store_in_memory_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Store(MEMORY) as store:
        append_event(store, "run", "Step", {}, now_seconds=1.0)
        assert len(read_events(store, "run")) == 1
    assert list(tmp_path.iterdir()) == []
