"""Where the events of runs are kept: in memory, or durably in the project's store."""

from collections.abc import Callable
from typing import Protocol

from ctxsieve.reasoning.events import Event, read_event
from ctxsieve.store import Store, append_event, read_events

__all__ = ["Journal", "MemoryJournal", "StoreJournal"]


class Journal(Protocol):
    """The events of one run in order; the first has the number 1, none is missing."""

    def append(self, event: Event) -> int:
        """Keep the event and return its number."""

    def events(self) -> list[Event]:
        """Return everything that was appended, also before a restart."""


class MemoryJournal:
    """A journal that ends with the process."""

    def __init__(self) -> None:
        self._events: list[Event] = []

    def append(self, event: Event) -> int:
        """Keep the event and return its number."""
        self._events.append(event)
        return len(self._events)

    def events(self) -> list[Event]:
        """Return everything that was appended."""
        return list(self._events)


class StoreJournal:
    """A run's journal in the store: an event is on the disk when `append` returns.

    Opened again after a crash it goes on with the next number. Two writers of one run are an error for the one that
    comes second, which finds the number taken.

    Args:
        store: The project's store.
        run: The name of the run.
        now_seconds: The caller's clock, seconds since the epoch.
    """

    def __init__(self, store: Store, run: str, *, now_seconds: Callable[[], float]) -> None:
        self._store = store
        self._run = run
        self._now_seconds = now_seconds
        self._next = len(read_events(store, run)) + 1

    def append(self, event: Event) -> int:
        """Keep the event durably and return its number.

        Raises:
            StoreError: The store failed, or another writer took the number.
        """
        number = append_event(
            self._store,
            self._run,
            type(event).__name__,
            event.to_dict(),
            now_seconds=self._now_seconds(),
            expected_sequence=self._next,
        )
        self._next = number + 1
        return number

    def events(self) -> list[Event]:
        """Return everything that was appended; a gap is a StoreError."""
        return [read_event(entry.kind, entry.payload) for entry in read_events(self._store, self._run)]
