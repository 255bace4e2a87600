"""`ctxsieve stats`: where the savings come from."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ctxsieve.cli.options import FormatOption, PathOption
from ctxsieve.cli.output import OutputFormat
from ctxsieve.cli.sections import print_sections

__all__ = ["stats"]


def stats(
    path: PathOption = Path("."),
    session: Annotated[str | None, typer.Option("--session", help="Only this session; all of them otherwise.")] = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print what each layer, mode and language took in and gave out, and what each consumer holds."""
    from ctxsieve.api import Project
    from ctxsieve.errors import InputError
    from ctxsieve.store import MetricGroup, Store, metric_sessions, summarise_metrics

    project = Project.open(path)
    with Store(project.directories.store) as store:
        if session is not None and session not in {*metric_sessions(store), *(s for s, _ in _consumers(store))}:
            raise InputError(f"session {session!r} is not known: leave it out to see all of them")
        tables = {
            f"{group.value}s": [_row(total) for total in summarise_metrics(store, by=group, session=session)]
            for group in (MetricGroup.LAYER, MetricGroup.MODE, MetricGroup.LANGUAGE)
        }
        tables["consumers"] = _ledgers(store, session, project.settings.ledger)
    print_sections({}, tables, output, name="stats")


def _row(total: Any) -> dict[str, Any]:
    return {
        "name": total.name,
        "runs": total.count,
        "input_tokens": total.input_tokens,
        "output_tokens": total.output_tokens,
        "ratio": round(total.ratio, 4),
        "duration_ms": round(total.duration_ms, 3),
    }


def _consumers(store: Any) -> list[tuple[str, str]]:
    from ctxsieve.ledger import ledger_consumers

    return ledger_consumers(store)


def _ledgers(store: Any, session: str | None, options: Any) -> list[dict[str, Any]]:
    """One row per consumer; `saved_tokens` is against reading the same files in full, as often."""
    from ctxsieve.ledger import ContextLedger

    rows = []
    for name, consumer in _consumers(store):
        if session is not None and name != session:
            continue
        totals = ContextLedger(store, session=name, consumer=consumer, options=options).totals()
        rows.append(
            {
                "session": name,
                "consumer": consumer,
                "deliveries": totals.deliveries,
                "original_tokens": totals.original_tokens,
                "emitted_tokens": totals.emitted_tokens,
                "saved_tokens": totals.original_tokens - totals.emitted_tokens,
                "resident_tokens": totals.resident_tokens,
                "utilisation": round(totals.utilisation, 4),
                "pressure": totals.pressure.value,
            }
        )
    return rows
