"""The durable record of one consumer's window: what was sent, what it still holds."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ctxsieve.errors import InputError
from ctxsieve.ledger.entries import FRAMING, Delivery, LedgerEntry, LedgerTotals, SentItem
from ctxsieve.ledger.options import LedgerOptions
from ctxsieve.store import Store

if TYPE_CHECKING:
    from ctxsieve.ledger.reinjection import AppliedReinjection, ReinjectionPlan

__all__ = ["DEFAULT_CONSUMER", "DEFAULT_SESSION", "DEFAULT_WINDOW_TOKENS", "ContextLedger", "ledger_consumers"]

DEFAULT_SESSION = "default"
DEFAULT_CONSUMER = "default"
DEFAULT_WINDOW_TOKENS = LedgerOptions().window_tokens

_COLUMNS = (
    "id, delivery, consumer, path, mode, original_tokens, sent_tokens, content_hash, text_hash, recorded_at, ended_at, "
    "end_reason"
)
_OWN = "session = ? AND consumer = ?"


class ContextLedger:
    """Everything that was sent to one consumer in one session, shared by every process that opens the store."""

    def __init__(
        self,
        store: Store,
        *,
        session: str = DEFAULT_SESSION,
        consumer: str = DEFAULT_CONSUMER,
        options: LedgerOptions | None = None,
    ) -> None:
        for label, name in (("session", session), ("consumer", consumer)):
            if not name or not name.isprintable():
                raise InputError(f"{label} is {name!r}: it needs at least one printable character")
        self._store = store
        self.options = options or LedgerOptions()
        self.session = session
        self.consumer = consumer
        self._own = (session, consumer)

    @property
    def window_tokens(self) -> int:
        """The size of the consumer's window, that of the options unless it was set."""
        rows = self._store.read(f"SELECT window_tokens FROM ledger_windows WHERE {_OWN}", self._own)  # noqa: S608
        return int(rows[0][0]) if rows else self.options.window_tokens

    def set_window(self, window_tokens: int) -> None:
        """Remember the size of the consumer's window."""
        if window_tokens < 1:
            raise InputError(f"window is {window_tokens} tokens: it must be 1 or more")
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT INTO ledger_windows VALUES (?, ?, ?) "
                "ON CONFLICT DO UPDATE SET window_tokens = excluded.window_tokens",
                (*self._own, window_tokens),
            )

    def record(
        self,
        items: Sequence[SentItem],
        *,
        kind: str,
        sent_tokens: int,
        now_seconds: float,
        was_received: bool = True,
    ) -> Delivery:
        """Record one emission as a unit.

        Args:
            items: The files in it.
            kind: What it was: read, preload, replacement, ...
            sent_tokens: Tokens of the emitted text as a whole; what the files alone do not explain is kept as an
                entry of its own, so that sums stay exact.
            now_seconds: The caller's clock, seconds since the epoch.
            was_received: False when the text still has to be written; `confirm` follows when it was. Only what
                was received can be answered with a stub later.
        """
        if sent_tokens < 0:
            raise InputError(f"sent_tokens is {sent_tokens}: it must be 0 or more")
        with self._store.transaction() as connection:
            number = connection.execute(
                "INSERT INTO ledger_deliveries (session, consumer, kind, sent_tokens, recorded_at, received) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (*self._own, kind, sent_tokens, now_seconds, int(was_received)),
            ).lastrowid
            rows = [
                (
                    _storable(item.path),
                    item.mode,
                    item.original_tokens,
                    item.sent_tokens,
                    item.content_hash,
                    item.text_hash,
                )
                for item in items
            ]
            framing = sent_tokens - sum(item.sent_tokens for item in items)
            if framing:
                rows.append(("", FRAMING, 0, framing, "", ""))
            connection.executemany(
                "INSERT INTO ledger_entries (delivery, session, consumer, path, mode, original_tokens, sent_tokens, "
                "content_hash, text_hash, recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(number, *self._own, *row, now_seconds) for row in rows],
            )
        if number is None:
            raise AssertionError("an inserted row has a number")
        return Delivery(number, kind, sent_tokens, now_seconds, was_received)

    def confirm(self, delivery: Delivery) -> None:
        """Note that the consumer received a delivery."""
        with self._store.transaction() as connection:
            changed = connection.execute(
                f"UPDATE ledger_deliveries SET received = 1 WHERE id = ? AND {_OWN}",  # noqa: S608
                (delivery.id, *self._own),
            ).rowcount
        if changed != 1:
            raise InputError(f"delivery {delivery.id} does not belong to consumer {self.consumer!r}: confirm your own")

    def entries(self, *, resident_only: bool = True, path: str | None = None) -> list[LedgerEntry]:
        """The recorded files in the order they were sent, framing entries (path "") included."""
        rows = self._store.read(
            f"SELECT {_COLUMNS} FROM ledger_entries WHERE {_OWN} AND (NOT ? OR ended_at IS NULL) "  # noqa: S608
            "AND (? IS NULL OR path = ?) ORDER BY id",
            (*self._own, resident_only, *[None if path is None else _storable(path)] * 2),
        )
        return [LedgerEntry(*row) for row in rows]

    def received_entry(self, path: str, *, mode: str | None = None, text_hash: str | None = None) -> LedgerEntry | None:
        """The latest entry of a file that the consumer received and still holds, of one mode or text or of any."""
        columns = ", ".join(f"e.{column}" for column in _COLUMNS.split(", "))
        rows = self._store.read(
            f"SELECT {columns} FROM ledger_entries e JOIN ledger_deliveries d ON d.id = e.delivery "  # noqa: S608
            "WHERE e.session = ? AND e.consumer = ? AND e.path = ? AND e.ended_at IS NULL AND d.received = 1 "
            "AND (? IS NULL OR e.mode = ?) AND (? IS NULL OR e.text_hash = ?) ORDER BY e.id DESC LIMIT 1",
            (*self._own, _storable(path), mode, mode, text_hash, text_hash or None),
        )
        return LedgerEntry(*rows[0]) if rows else None

    def received_entries(self, path: str) -> list[LedgerEntry]:
        """The entries of a file that the consumer received and still holds, in the order they were sent."""
        columns = ", ".join(f"e.{column}" for column in _COLUMNS.split(", "))
        rows = self._store.read(
            f"SELECT {columns} FROM ledger_entries e JOIN ledger_deliveries d ON d.id = e.delivery "  # noqa: S608
            "WHERE e.session = ? AND e.consumer = ? AND e.path = ? AND e.ended_at IS NULL AND d.received = 1 "
            "ORDER BY e.id",
            (*self._own, _storable(path)),
        )
        return [LedgerEntry(*row) for row in rows]

    def totals(self) -> LedgerTotals:
        """The sums of this consumer, from one state of the store."""
        (row,) = self._store.read(
            "SELECT (SELECT window_tokens FROM ledger_windows WHERE session = :s AND consumer = :c), "
            "(SELECT coalesce(sum(sent_tokens), 0) FROM ledger_deliveries WHERE session = :s AND consumer = :c), "
            "(SELECT coalesce(sum(sent_tokens), 0) FROM ledger_entries "
            "WHERE session = :s AND consumer = :c AND ended_at IS NULL), "
            "(SELECT coalesce(sum(e.original_tokens), 0) FROM ledger_entries e JOIN ledger_deliveries d "
            "ON d.id = e.delivery WHERE e.session = :s AND e.consumer = :c AND d.kind != 'replacement'), "
            "(SELECT count(*) FROM ledger_deliveries WHERE session = :s AND consumer = :c)",
            {"s": self.session, "c": self.consumer},
        )
        return LedgerTotals(row[0] or self.options.window_tokens, *row[1:], options=self.options)

    def evict(self, paths: Iterable[str], *, now_seconds: float) -> int:
        """Note that the consumer dropped files from its window, and return the tokens freed.

        Raises:
            InputError: a file is not resident; nothing was changed.
        """
        with self._store.transaction() as connection:
            before = self.totals().resident_tokens
            for path in dict.fromkeys(paths):
                ids = [entry.id for entry in self.entries(path=path) if path]
                if not ids:
                    raise InputError(
                        f"{path!r} is not in the window of consumer {self.consumer!r}: see `ctxsieve ledger show`"
                    )
                self._end(connection, ids, "evicted", now_seconds)
            return before - self.totals().resident_tokens

    def reset(self, *, now_seconds: float) -> int:
        """Start with an empty window and return the tokens freed; what was emitted stays counted."""
        with self._store.transaction() as connection:
            freed = self.totals().resident_tokens
            connection.execute(
                "UPDATE ledger_entries SET ended_at = ?, end_reason = 'reset' "  # noqa: S608
                f"WHERE {_OWN} AND ended_at IS NULL",
                (now_seconds, *self._own),
            )
        return freed

    def apply(self, plan: "ReinjectionPlan", *, now_seconds: float, was_received: bool = True) -> "AppliedReinjection":
        """Carry out a plan: what it replaces and evicts leaves the window, the replacement text enters it.

        Raises:
            InputError: the window changed since the plan was made; nothing was changed.
        """
        with self._store.transaction() as connection:
            before = self.totals().resident_tokens
            resident = {entry.id for entry in self.entries()}
            for path, ids in plan.replaced_entries():
                if not resident.issuperset(ids):
                    raise InputError(f"the window changed since the plan was made ({path}): plan again")
                reason = "evicted" if path in plan.evicted_paths else "replaced"
                self._end(connection, ids, reason, now_seconds)
            delivery = None
            if plan.downgrades:
                items = [
                    SentItem(d.path, d.to_mode, d.original_tokens, d.replacement_tokens, d.content_hash, d.text_hash)
                    for d in plan.downgrades
                ]
                delivery = self.record(
                    items,
                    kind="replacement",
                    sent_tokens=plan.text_tokens,
                    now_seconds=now_seconds,
                    was_received=was_received,
                )
            after = self.totals().resident_tokens
        from ctxsieve.ledger.reinjection import AppliedReinjection

        return AppliedReinjection(plan.text, plan.text_tokens, before - after, before, after, delivery)

    def _end(self, connection: Any, ids: Sequence[int], reason: str, now_seconds: float) -> None:
        connection.executemany(
            "UPDATE ledger_entries SET ended_at = ?, end_reason = ? WHERE id = ? AND ended_at IS NULL",
            [(now_seconds, reason, number) for number in ids],
        )
        # A frame without files is held by nobody.
        connection.execute(
            "UPDATE ledger_entries SET ended_at = ?, end_reason = ? "  # noqa: S608
            f"WHERE {_OWN} AND path = '' AND ended_at IS NULL AND delivery IN "
            f"(SELECT delivery FROM ledger_entries WHERE id IN ({', '.join('?' * len(ids))})) "
            "AND NOT EXISTS (SELECT 1 FROM ledger_entries other WHERE other.delivery = ledger_entries.delivery "
            "AND other.path != '' AND other.ended_at IS NULL)",
            (now_seconds, reason, *self._own, *ids),
        )


def _storable(path: str) -> str:
    """File names are bytes: what is no UTF-8 is kept as escapes."""
    return path.encode("utf-8", "backslashreplace").decode()


def ledger_consumers(store: Store) -> list[tuple[str, str]]:
    """Every (session, consumer) that something was sent to, oldest first."""
    rows = store.read("SELECT session, consumer FROM ledger_deliveries GROUP BY session, consumer ORDER BY min(id)")
    return [(str(session), str(consumer)) for session, consumer in rows]
