"""What was sent over time, to all consumers."""

from ctxsieve.store import Store
from ctxsieve.values import dataclass

__all__ = ["DeliveryRecord", "list_deliveries"]


@dataclass(frozen=True, slots=True)
class DeliveryRecord:
    """One delivery: `original_tokens` is what its files would have cost in full."""

    session: str
    consumer: str
    kind: str
    recorded_at: float
    sent_tokens: int
    original_tokens: int


def list_deliveries(store: Store, *, limit: int) -> list[DeliveryRecord]:
    """Return the latest deliveries of all sessions, oldest first."""
    rows = store.read(
        "SELECT d.session, d.consumer, d.kind, d.recorded_at, d.sent_tokens, "
        "(SELECT COALESCE(SUM(e.original_tokens), 0) FROM ledger_entries AS e WHERE e.delivery = d.id) "
        "FROM ledger_deliveries AS d ORDER BY d.id DESC LIMIT ?",
        (limit,),
    )
    return [DeliveryRecord(*row) for row in reversed(rows)]
