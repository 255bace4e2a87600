"""Making the package from what the sender holds."""

from collections.abc import Sequence

from ctxsieve.agents.handoff import HandoffPackage, LedgerSnapshot, SnapshotEntry, SnapshotFile
from ctxsieve.intent import StructuredIntent
from ctxsieve.knowledge import Fact
from ctxsieve.ledger import ContextLedger, LedgerEntry, Renderer

__all__ = ["pack_handoff"]


def pack_handoff(
    ledger: ContextLedger,
    *,
    render: Renderer,
    now_seconds: float,
    project: str = "",
    sender_role: str = "",
    task: str = "",
    note: str = "",
    intent: StructuredIntent | None = None,
    facts: Sequence[Fact] = (),
) -> HandoffPackage:
    """Bundle the session of one consumer.

    What it still holds is rendered again in the mode it was sent in, so that the receiver gets text of now; files
    that changed since are marked, and files that are gone or have no such form are left to the ledger's list.
    """
    totals = ledger.totals()
    entries = [entry for entry in ledger.entries(resident_only=False) if entry.path]
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
            entries=tuple(_snapshot(entry) for entry in entries),
        ),
        files=_render_held([entry for entry in entries if entry.is_resident], render),
        facts=tuple(facts),
    )


def _snapshot(entry: LedgerEntry) -> SnapshotEntry:
    return SnapshotEntry(
        path=entry.path,
        mode=entry.mode,
        original_tokens=entry.original_tokens,
        sent_tokens=entry.sent_tokens,
        content_hash=entry.content_hash,
        recorded_at=entry.recorded_at,
        is_resident=entry.is_resident,
    )


def _render_held(entries: Sequence[LedgerEntry], render: Renderer) -> tuple[SnapshotFile, ...]:
    """One block per file and mode, in the order they were first sent."""
    latest = {(entry.path, entry.mode): entry for entry in entries}
    files = []
    for (path, mode), entry in latest.items():
        rendering = render(path, mode)
        if rendering is not None:
            files.append(
                SnapshotFile(
                    path=path,
                    mode=mode,
                    original_tokens=rendering.original_tokens,
                    content_hash=rendering.content_hash,
                    text=rendering.text,
                    text_hash=rendering.text_hash,
                    was_changed=rendering.content_hash != entry.content_hash,
                )
            )
    return tuple(files)
