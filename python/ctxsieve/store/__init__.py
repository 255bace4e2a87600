"""The durable store: one SQLite database per project for facts, ledger, journal and metrics (SPEC.md 17)."""

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
