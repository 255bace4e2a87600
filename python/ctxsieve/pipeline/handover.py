"""Handing a session over with the text that was really held (docs/agents.md)."""

from collections.abc import Sequence

from ctxsieve.agents import HandoffPackage, ReceivedHandoff, SnapshotFile, pack_handoff, receive_handoff
from ctxsieve.intent import StructuredIntent
from ctxsieve.jail import is_secret
from ctxsieve.knowledge import Fact
from ctxsieve.ledger import LedgerEntry, Rendering
from ctxsieve.pipeline.framing import Style, frame
from ctxsieve.pipeline.session import ContextSession

__all__ = ["pack_session", "receive_session"]


def pack_session(
    session: ContextSession,
    *,
    project: str = "",
    role: str = "",
    task: str = "",
    note: str = "",
    intent: StructuredIntent | None = None,
    facts: Sequence[Fact] = (),
) -> HandoffPackage:
    """Bundle a session: its ledger, the intent, what the consumer holds, and facts."""
    return pack_handoff(
        session.ledger,
        snapshot=lambda entry: _snapshot(session, entry),
        now_seconds=session.clock(),
        project=project,
        sender_role=role,
        task=task,
        note=note,
        intent=intent,
        facts=facts,
    )


def receive_session(session: ContextSession, package: HandoffPackage) -> ReceivedHandoff:
    """Make a package the start of a session; `confirm` has to follow once its text was handed over."""
    return receive_handoff(
        session.store,
        session.ledger,
        package,
        now_seconds=session.clock(),
        hash_of=session.hash_of,
        was_received=False,
    )


def _snapshot(session: ContextSession, entry: LedgerEntry) -> SnapshotFile | None:
    """The very text that was sent while its file is unchanged, otherwise the file as the mode shows it now.

    Secrets are not passed on: their entry in the ledger tells the receiver that they matter.
    """
    current = session.hash_of(entry.path)
    if current is None or is_secret(entry.path):
        return None
    rendering: Rendering | None = None
    if current == entry.content_hash and entry.text_hash:
        rendering = _kept(session, entry)
    rendering = rendering or session.render(entry.path, entry.mode)
    if rendering is None:
        return None
    return SnapshotFile(
        path=entry.path,
        mode=entry.mode,
        original_tokens=rendering.original_tokens,
        content_hash=rendering.content_hash,
        text=rendering.text,
        text_hash=rendering.text_hash,
        was_changed=current != entry.content_hash,
    )


def _kept(session: ContextSession, entry: LedgerEntry) -> Rendering | None:
    content = session.cache.find(entry.text_hash)
    if content is None:
        return None
    text = frame(
        Style.TEXT,
        path=entry.path,
        mode=entry.mode,
        language=None,
        content=content.decode("utf-8", "surrogatepass"),
    )
    return Rendering(text, entry.content_hash, entry.original_tokens, entry.text_hash)
