"""Making the package from what the sender holds."""

from collections.abc import Callable, Sequence

from ctxsieve.agents.handoff import HandoffPackage, LedgerSnapshot, SnapshotEntry, SnapshotFile
from ctxsieve.intent import StructuredIntent
from ctxsieve.knowledge import Fact
from ctxsieve.ledger import ContextLedger, LedgerEntry

__all__ = ["pack_handoff"]


def pack_handoff(
    ledger: ContextLedger,
    *,
    snapshot: Callable[[LedgerEntry], SnapshotFile | None],
    now_seconds: float,
    project: str = "",
    sender_role: str = "",
    task: str = "",
    note: str = "",
    intent: StructuredIntent | None = None,
    facts: Sequence[Fact] = (),
) -> HandoffPackage:
    """Bundle the session of one consumer.

    `snapshot` gives the text of what the consumer still holds, once per file and mode in the order they were first
    sent; where it gives None, the file is left to the ledger's list.
    """
    totals = ledger.totals()
    entries = [entry for entry in ledger.entries(resident_only=False) if entry.path]
    held = {(entry.path, entry.mode): entry for entry in entries if entry.is_resident}
    return HandoffPackage(
        project=project,
        created_at=now_seconds,
        sender_role=sender_role,
        task=task,
        note=note,
        intent=intent,
        ledger=LedgerSnapshot(
            session=ledger.session,
            consumer=ledger.consumer,
            window_tokens=totals.window_tokens,
            emitted_tokens=totals.emitted_tokens,
            resident_tokens=totals.resident_tokens,
            entries=tuple(_line(entry) for entry in entries),
        ),
        files=tuple(file for entry in held.values() if (file := snapshot(entry)) is not None),
        facts=tuple(facts),
    )


def _line(entry: LedgerEntry) -> SnapshotEntry:
    return SnapshotEntry(
        path=entry.path,
        mode=entry.mode,
        original_tokens=entry.original_tokens,
        sent_tokens=entry.sent_tokens,
        content_hash=entry.content_hash,
        recorded_at=entry.recorded_at,
        is_resident=entry.is_resident,
    )
