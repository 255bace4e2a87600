from pathlib import Path

import pytest

from ctxsieve.errors import InputError, StoreError
from ctxsieve.store import Store, append_event, journal_runs, read_events


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


def test_sequence_continues_after_a_restart(path: Path) -> None:
    for round_ in range(3):
        with Store(path) as store:
            for _ in range(2):
                append_event(store, "a", "Step", {"round": round_}, now_seconds=float(round_))
            append_event(store, "b", "Step", {}, now_seconds=0.0)
    with Store(path) as store:
        assert [event.sequence for event in read_events(store, "a")] == [1, 2, 3, 4, 5, 6]
        assert [event.sequence for event in read_events(store, "a", after_sequence=4)] == [5, 6]
        assert journal_runs(store) == [("a", 6), ("b", 3)]


def test_second_writer_is_noticed(path: Path) -> None:
    with Store(path) as first, Store(path) as second:
        append_event(first, "run", "Step", {}, now_seconds=0.0, expected_sequence=1)
        append_event(second, "run", "Step", {}, now_seconds=0.0)
        with pytest.raises(StoreError, match="continues at 3, not 2: another writer"):
            append_event(first, "run", "Step", {}, now_seconds=0.0, expected_sequence=2)
        assert len(read_events(first, "run")) == 2


def test_gap_is_an_error(path: Path) -> None:
    with Store(path) as store:
        for _ in range(3):
            append_event(store, "run", "Step", {}, now_seconds=0.0)
        with store.transaction() as connection:
            connection.execute("DELETE FROM journal_events WHERE sequence = 2")
        with pytest.raises(StoreError, match="lacks event 2"):
            read_events(store, "run")


@pytest.mark.parametrize("payload", [{"x": float("nan")}, {"x": object()}, {"x": {1, 2}}])
def test_payload_must_be_json(path: Path, payload: dict[str, object]) -> None:
    with Store(path) as store, pytest.raises(InputError, match="is not JSON"):
        append_event(store, "run", "Step", payload, now_seconds=0.0)


def test_any_text_survives(path: Path) -> None:
    text = "a\x00b\ud800 \U0001f600\n"
    with Store(path) as store:
        append_event(store, "run", "Step", {"text": text}, now_seconds=0.0)
        assert read_events(store, "run")[0].payload == {"text": text}
