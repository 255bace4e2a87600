"""The durable store: one SQLite database per project for facts, ledger, journal and metrics (ARCHITECTURE.md)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.store.database import MEMORY, Store, open_store
    from ctxsieve.store.journal import JournalEvent, append_event, journal_runs, read_events
    from ctxsieve.store.location import default_state_directory, store_path
    from ctxsieve.store.metrics import (
        LayerMetrics,
        MetricGroup,
        MetricTotals,
        metric_sessions,
        record_metrics,
        summarise_metrics,
    )
    from ctxsieve.store.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION

__all__ = [
    "APPLICATION_ID",
    "MEMORY",
    "MIGRATIONS",
    "SCHEMA_VERSION",
    "JournalEvent",
    "LayerMetrics",
    "MetricGroup",
    "MetricTotals",
    "Store",
    "append_event",
    "default_state_directory",
    "journal_runs",
    "metric_sessions",
    "open_store",
    "read_events",
    "record_metrics",
    "store_path",
    "summarise_metrics",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "MEMORY": "ctxsieve.store.database",
        "Store": "ctxsieve.store.database",
        "open_store": "ctxsieve.store.database",
        "JournalEvent": "ctxsieve.store.journal",
        "append_event": "ctxsieve.store.journal",
        "journal_runs": "ctxsieve.store.journal",
        "read_events": "ctxsieve.store.journal",
        "default_state_directory": "ctxsieve.store.location",
        "store_path": "ctxsieve.store.location",
        "LayerMetrics": "ctxsieve.store.metrics",
        "MetricGroup": "ctxsieve.store.metrics",
        "MetricTotals": "ctxsieve.store.metrics",
        "metric_sessions": "ctxsieve.store.metrics",
        "record_metrics": "ctxsieve.store.metrics",
        "summarise_metrics": "ctxsieve.store.metrics",
        "APPLICATION_ID": "ctxsieve.store.schema",
        "MIGRATIONS": "ctxsieve.store.schema",
        "SCHEMA_VERSION": "ctxsieve.store.schema",
    },
)
