"""Many processes at once, kill -9 and a full disk: what was acknowledged stays."""

import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ctxsieve.knowledge import KnowledgeBase
from ctxsieve.ledger import ContextLedger
from ctxsieve.store import Store, read_events

# `make kill-check` sets 200.
KILLS = int(os.environ.get("CTXSIEVE_TEST_KILLS", "10"))

WRITE_FACTS = """
import sys
from pathlib import Path
from ctxsieve.knowledge import Fact, KnowledgeBase
from ctxsieve.store import Store
path, agent, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
with Store(path) as store:
    base = KnowledgeBase(store)
    for number in range(count):
        base.record(Fact("load", f"fact_{number}", f"{agent} {number}", agent=agent, recorded_at=float(number)))
"""

# Prints a number only after facts, ledger and journal of that number are acknowledged.
WRITE_UNTIL_KILLED = """
import sys
from ctxsieve.knowledge import Fact, KnowledgeBase
from ctxsieve.ledger import ContextLedger, SentItem
from ctxsieve.store import Store, append_event
path, number = sys.argv[1], int(sys.argv[2])
store = Store(path)
while True:
    number += 1
    KnowledgeBase(store).record(Fact("load", f"fact_{number}", "x" * (number % 3000 + 1)))
    with store.transaction():
        item = SentItem("a.py", "full", 10, number, "h")
        ContextLedger(store).record([item], kind="read", sent_tokens=number, now_seconds=0.0)
        append_event(store, "run", "Step", {"number": number}, now_seconds=0.0)
    print(number, flush=True)
"""

FILL_THE_DISK = """
import sys
from pathlib import Path
from ctxsieve.errors import StoreError
from ctxsieve.store import Store, append_event, read_events
folder = Path(sys.argv[1])
filler = folder / "filler"
filler.write_bytes(b"x" * 300_000)
store = Store(folder / "store.sqlite3")
acknowledged = 0
message = ""
while not message:
    try:
        acknowledged = append_event(store, "run", "Step", {"text": "x" * 900}, now_seconds=0.0)
    except StoreError as error:
        message = str(error)
assert "the disk may be full" in message and "nothing acknowledged is lost" in message, message
assert len(read_events(store, "run")) == acknowledged > 10
store.check()
try:
    Store(folder / "second.sqlite3")
except StoreError as error:
    assert "disk" in str(error) or "space" in str(error), error
else:
    raise AssertionError("a store was made on a full disk")
filler.unlink()
assert append_event(store, "run", "Step", {}, now_seconds=0.0) == acknowledged + 1
store.close()
with Store(folder / "store.sqlite3") as again:
    again.check()
    assert len(read_events(again, "run")) == acknowledged + 1
print("held", acknowledged)
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_eight_processes_with_250_facts_each_lose_none(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    writers = [start(WRITE_FACTS, str(path), f"agent-{n}", "250") for n in range(8)]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        _, errors = writer.communicate(timeout=300)
        assert (writer.returncode, errors) == (0, "")
    with Store(path) as store:
        store.check()
        facts = KnowledgeBase(store).facts()
        assert len(facts) == 2000
        assert {(fact.agent, fact.key, fact.value) for fact in facts} == {
            (f"agent-{n}", f"fact_{number}", f"agent-{n} {number}") for n in range(8) for number in range(250)
        }
        assert len(KnowledgeBase(store).conflicts()) == 250


def test_killed_writers_lose_nothing_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    chance = random.Random(1)
    acknowledged = 0
    for kill in range(KILLS):
        writer = start(WRITE_UNTIL_KILLED, str(path), str(acknowledged))
        assert writer.stdout is not None
        try:
            # Every tenth is killed while it starts and opens, the others in the middle of their writes.
            if kill % 10:
                acknowledged = int(writer.stdout.readline() or writer.stderr.read())  # type: ignore[union-attr]
            writer.wait(timeout=chance.uniform(0.0, 0.25))
        except subprocess.TimeoutExpired:
            pass
        writer.send_signal(signal.SIGKILL)
        rest, errors = writer.communicate(timeout=60)
        assert (writer.returncode, errors) == (-signal.SIGKILL, "")
        lines = [line for line in rest.split("\n")[:-1] if line]
        acknowledged = int(lines[-1]) if lines else acknowledged
        acknowledged = verify(path, acknowledged)


def verify(path: Path, acknowledged: int) -> int:
    """Check that nothing acknowledged is missing, and return the last number that is in the store."""
    with Store(path) as store:
        store.check()
        facts = {fact.key: fact.value for fact in KnowledgeBase(store).facts()}
        assert all(len(facts[f"fact_{n}"]) == n % 3000 + 1 for n in range(1, acknowledged + 1))
        events = read_events(store, "run")
        numbers = [event.payload["number"] for event in events]
        # At most the step in flight is there beyond the last acknowledgement, and it is whole.
        assert numbers == list(range(1, len(numbers) + 1))
        assert acknowledged <= len(numbers) <= acknowledged + 1
        assert ContextLedger(store).totals().emitted_tokens == sum(numbers)
        return len(numbers)


def test_full_disk_gives_a_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    probe = ["unshare", "-rm", "sh", "-c", f"mount -t tmpfs -o size=64k tmpfs {tmp_path}"]
    if unshare is None or subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        pytest.skip("file systems cannot be mounted here; the file-size limit stands in (tests/unit/store)")
    script = f'mount -t tmpfs -o size=1m tmpfs {tmp_path} && exec "$0" -c "$1" {tmp_path}'
    done = subprocess.run(
        [unshare, "-rm", "sh", "-c", script, sys.executable, FILL_THE_DISK],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("held ")
