"""Metrics of the layers, kept per session (ARCHITECTURE.md)."""

from collections.abc import Iterable
from enum import StrEnum

from ctxsieve.store.database import Store
from ctxsieve.values import dataclass

__all__ = ["LayerMetrics", "MetricGroup", "MetricTotals", "metric_sessions", "record_metrics", "summarise_metrics"]


class MetricGroup(StrEnum):
    """By what metrics are added up."""

    LAYER = "layer"
    MODE = "mode"
    LANGUAGE = "language"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class LayerMetrics:
    """What one layer did in one run; `mode` and `language` are empty where they mean nothing."""

    layer: str
    input_tokens: int
    output_tokens: int
    duration_ms: float
    mode: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class MetricTotals:
    """Sums over the rows of one group."""

    name: str
    count: int
    input_tokens: int
    output_tokens: int
    duration_ms: float

    @property
    def ratio(self) -> float:
        """Output over input tokens; 1.0 where nothing came in."""
        return self.output_tokens / self.input_tokens if self.input_tokens else 1.0


def record_metrics(store: Store, session: str, run: str, rows: Iterable[LayerMetrics], *, now_seconds: float) -> None:
    """Store the metrics of one run as one unit."""
    values = [
        (session, run, r.layer, r.mode, r.language, r.input_tokens, r.output_tokens, r.duration_ms, now_seconds)
        for r in rows
    ]
    with store.transaction() as connection:
        connection.executemany(
            "INSERT INTO metrics (session, run, layer, mode, language, input_tokens, output_tokens, duration_ms, "
            "recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )


def summarise_metrics(
    store: Store, *, by: MetricGroup, session: str | None = None, layer: str | None = None
) -> list[MetricTotals]:
    """Totals per group in the order of their first record, of one session or of all; empty groups are left out.

    Grouping by mode or language counts only rows that carry one. `layer` narrows to one layer: rows of different
    layers describe the same tokens, so a total across layers is no total.
    """
    column = MetricGroup(by).value
    rows = store.read(
        f"SELECT {column}, count(*), sum(input_tokens), sum(output_tokens), sum(duration_ms) FROM metrics "  # noqa: S608
        f"WHERE {column} != '' AND (? IS NULL OR session = ?) AND (? IS NULL OR layer = ?) "
        f"GROUP BY {column} ORDER BY min(id)",
        (session, session, layer, layer),
    )
    return [MetricTotals(*row) for row in rows]


def metric_sessions(store: Store) -> list[str]:
    """The sessions with metrics, oldest first."""
    return [str(row[0]) for row in store.read("SELECT session FROM metrics GROUP BY session ORDER BY min(id)")]
