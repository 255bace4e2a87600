"""The journal: events of a run in a gap-free sequence that survives restarts (docs/reasoning.md)."""

import json
from collections.abc import Mapping
from typing import Any

from ctxsieve.errors import InputError, StoreError
from ctxsieve.store.database import Store
from ctxsieve.values import dataclass

__all__ = ["JournalEvent", "append_event", "journal_runs", "read_events"]


@dataclass(frozen=True, slots=True)
class JournalEvent:
    """One event of a run; `sequence` counts from 1 without gaps, `recorded_at` is in seconds since the epoch."""

    run: str
    sequence: int
    kind: str
    payload: Mapping[str, Any]
    recorded_at: float


def append_event(
    store: Store,
    run: str,
    kind: str,
    payload: Mapping[str, Any],
    *,
    now_seconds: float,
    expected_sequence: int | None = None,
) -> int:
    """Append an event durably and return its sequence number.

    Args:
        store: The project's store.
        run: The run that the event belongs to; sequences of different runs are independent.
        kind: The type of the event, for example `StepLimitReached`.
        payload: Anything that JSON can hold; NaN and infinities are refused.
        now_seconds: The caller's clock, seconds since the epoch.
        expected_sequence: The number that the caller believes to be next; another writer on the same run is
            then an error instead of an interleaved journal.

    Raises:
        InputError: the payload is not JSON, or run or kind is empty.
        StoreError: the event could not be stored, or `expected_sequence` is taken.
    """
    if not run or not kind:
        raise InputError(f"journal event has run {run!r} and kind {kind!r}: neither may be empty")
    try:
        text = json.dumps(payload, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise InputError(f"payload of journal event {kind!r} is not JSON ({error}): use plain values") from error
    with store.transaction() as connection:
        (last,) = connection.execute("SELECT max(sequence) FROM journal_events WHERE run = ?", (run,)).fetchone()
        sequence = (last or 0) + 1
        if expected_sequence is not None and expected_sequence != sequence:
            raise StoreError(
                f"run {run!r} continues at {sequence}, not {expected_sequence}: another writer appended to it"
            )
        connection.execute(
            "INSERT INTO journal_events (run, sequence, kind, payload, recorded_at) VALUES (?, ?, ?, ?, ?)",
            (run, sequence, kind, text, now_seconds),
        )
    return sequence


def read_events(store: Store, run: str, *, after_sequence: int = 0) -> list[JournalEvent]:
    """The events of a run in order, those up to `after_sequence` left out.

    Raises:
        StoreError: the sequence has a gap.
    """
    rows = store.read(
        "SELECT run, sequence, kind, payload, recorded_at FROM journal_events "
        "WHERE run = ? AND sequence > ? ORDER BY sequence",
        (run, after_sequence),
    )
    for expected, row in enumerate(rows, start=max(after_sequence, 0) + 1):
        if row[1] != expected:
            raise StoreError(f"journal of run {run!r} lacks event {expected}: the store was changed by other means")
    return [JournalEvent(row[0], row[1], row[2], json.loads(row[3]), row[4]) for row in rows]


def journal_runs(store: Store) -> list[tuple[str, int]]:
    """Every run with its number of events, by name."""
    rows = store.read("SELECT run, count(*) FROM journal_events GROUP BY run ORDER BY run")
    return [(str(run), int(count)) for run, count in rows]
