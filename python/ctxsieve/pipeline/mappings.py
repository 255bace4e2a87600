"""Answers as records for programs: what the command line prints as JSON and the server sends as structured content."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ctxsieve.fragments import time_text

if TYPE_CHECKING:
    from ctxsieve.agents import HandoffPackage
    from ctxsieve.knowledge import Fact
    from ctxsieve.ledger import ContextLedger, Deficit, LedgerEntry
    from ctxsieve.pipeline.advice import Advice
    from ctxsieve.pipeline.preload import FileAnswer, Preload
    from ctxsieve.pipeline.reading import Reading
    from ctxsieve.store import LayerMetrics

__all__ = [
    "advice_sections",
    "deficit_mapping",
    "entry_mapping",
    "fact_mapping",
    "handoff_mapping",
    "metrics_mapping",
    "preload_mapping",
    "reading_mapping",
    "totals_mapping",
]


def preload_mapping(answer: "Preload", *, timings: bool) -> dict[str, Any]:
    """Return the text with its tokens and what it was made of; durations only where they are asked for."""
    return {
        "text": answer.text,
        "tokens": answer.tokens,
        "files": [_file(file) for file in answer.files],
        "intent": asdict(answer.intent),
        "omitted": [{"path": entry.path, "reason": entry.reason} for entry in answer.omitted],
        "metrics": metrics_mapping(answer.metrics, timings=timings),
    }


def _file(file: "FileAnswer") -> dict[str, Any]:
    record = {
        "path": file.path,
        "score": round(file.score, 6),
        "budget_tokens": file.budget_tokens,
        "sent_tokens": file.sent_tokens,
        "mode": file.mode,
        "lines": [[span.first, span.last] for span in file.lines],
    }
    return record | _loss(file)


def _loss(file: "FileAnswer | Reading") -> dict[str, Any]:
    """Return how a file was decoded, where its text is not its bytes."""
    return {} if file.lossless else {"encoding": file.encoding, "lossless": False, "note": file.note}


def metrics_mapping(metrics: "Sequence[LayerMetrics]", *, timings: bool) -> list[Mapping[str, object]]:
    """Return one record per layer; durations only where they are asked for, since they differ between runs."""
    rows: list[Mapping[str, object]] = []
    for row in metrics:
        ratio = row.output_tokens / row.input_tokens if row.input_tokens else 1.0
        entry: dict[str, object] = {
            "layer": row.layer,
            "input_tokens": row.input_tokens,
            "output_tokens": row.output_tokens,
            "ratio": round(ratio, 4),
        }
        if row.mode:
            entry |= {"mode": row.mode, "language": row.language}
        if timings:
            entry["duration_ms"] = round(row.duration_ms, 3)
        rows.append(entry)
    return rows


def reading_mapping(reading: "Reading") -> dict[str, Any]:
    """Return one file as it was read; what is unusual about it only where it is."""
    record: dict[str, Any] = {
        "path": reading.path,
        "mode": reading.mode,
        "reason": reading.reason,
        "content": reading.content,
        "tokens": reading.tokens,
        "original_tokens": reading.original_tokens,
        "lines": [[span.first, span.last] for span in reading.lines],
        "omitted_lines": [[span.first, span.last] for span in reading.omitted_lines],
    }
    record |= _loss(reading)
    if reading.is_secret:
        record["secret"] = True
    return record


def advice_sections(advice: "Advice") -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """Return the sums of a plan, and by title one row per change and per deficit."""
    plan = advice.plan
    record = {
        "pressure": plan.pressure.value,
        "window_tokens": plan.window_tokens,
        "resident_tokens": plan.resident_tokens,
        "incoming_tokens": plan.incoming_tokens,
        "freed_tokens": plan.freed_tokens,
        "resident_after_tokens": plan.resident_after_tokens,
        "fits": plan.fits,
        "protected": list(plan.protected),
    }
    changes = [
        {"path": item.path, "from": item.mode, "to": "evicted", "freed_tokens": item.held_tokens}
        for item in plan.evictions
    ] + [
        {"path": item.path, "from": item.from_mode, "to": item.to_mode, "freed_tokens": item.freed_tokens}
        for item in plan.downgrades
    ]
    return record, {"changes": changes, "deficits": [deficit_mapping(deficit) for deficit in advice.deficits]}


def deficit_mapping(deficit: "Deficit") -> dict[str, Any]:
    """Return one path that should be loaded."""
    return {
        "path": deficit.path,
        "kind": deficit.kind.value,
        "exists": deficit.exists,
        "reason": deficit.reason,
        "for_path": deficit.for_path,
    }


def totals_mapping(ledger: "ContextLedger") -> dict[str, Any]:
    """Return what a consumer was sent, what it holds, and how full its window is."""
    totals = ledger.totals()
    return {
        "consumer": ledger.consumer,
        "window_tokens": totals.window_tokens,
        "emitted_tokens": totals.emitted_tokens,
        "resident_tokens": totals.resident_tokens,
        "utilisation": round(totals.utilisation, 6),
        "pressure": totals.pressure.value,
    }


def entry_mapping(entry: "LedgerEntry") -> dict[str, Any]:
    """Return one delivery of a file."""
    return {
        "path": entry.path,
        "mode": entry.mode,
        "original_tokens": entry.original_tokens,
        "sent_tokens": entry.sent_tokens,
        "recorded_at": time_text(entry.recorded_at),
        "content_hash": entry.content_hash,
    }


def fact_mapping(fact: "Fact") -> dict[str, Any]:
    """Return one fact that agents share."""
    return {
        "category": fact.category,
        "key": fact.key,
        "value": fact.value,
        "agent": fact.agent,
        "source": fact.source,
        "confidence": fact.confidence,
        "directory": fact.directory,
        "language": fact.language,
        "project": fact.project,
        "session": fact.session,
        "recorded_at": time_text(fact.recorded_at),
    }


def handoff_mapping(packed: "HandoffPackage") -> dict[str, Any]:
    """Return what a package says about the session that it hands over."""
    intent = packed.intent
    return {
        "project": packed.project,
        "created_at": time_text(packed.created_at),
        "sender": packed.ledger.consumer,
        "session": packed.ledger.session,
        "role": packed.sender_role,
        "task": packed.task,
        "task_type": intent.task_type.value if intent else None,
        "targets": list(intent.targets) if intent else [],
        "note": packed.note,
        "window_tokens": packed.ledger.window_tokens,
        "emitted_tokens": packed.ledger.emitted_tokens,
        "resident_tokens": packed.ledger.resident_tokens,
        "ledger_entries": len(packed.ledger.entries),
        "context_files": len(packed.files),
        "facts": len(packed.facts),
    }
