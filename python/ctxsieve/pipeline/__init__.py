"""The layers of an answer, in order: input, intent, relevance, compression, terse, delivery (ARCHITECTURE.md)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.pipeline.advice import Advice, advise, find_project_deficits
    from ctxsieve.pipeline.auto_mode import WindowState
    from ctxsieve.pipeline.framing import Style, frame
    from ctxsieve.pipeline.handover import pack_session, receive_session
    from ctxsieve.pipeline.layers import Layer, Meter
    from ctxsieve.pipeline.mappings import (
        advice_sections,
        deficit_mapping,
        entry_mapping,
        fact_mapping,
        handoff_mapping,
        metrics_mapping,
        preload_mapping,
        reading_mapping,
        totals_mapping,
    )
    from ctxsieve.pipeline.preload import (
        FileAnswer,
        Omission,
        Preload,
        PreloadOptions,
        PreloadRequest,
    )
    from ctxsieve.pipeline.read import ReadTask, read_files
    from ctxsieve.pipeline.read_options import ReadOptions
    from ctxsieve.pipeline.reading import Reading, frame_reading, join_readings
    from ctxsieve.pipeline.session import ContextSession, PreloadAnswer, SessionAnswer
    from ctxsieve.pipeline.spelling import SpellingOptions

__all__ = [
    "Advice",
    "ContextSession",
    "FileAnswer",
    "Layer",
    "Meter",
    "Omission",
    "Preload",
    "PreloadAnswer",
    "PreloadOptions",
    "PreloadRequest",
    "ReadOptions",
    "ReadTask",
    "Reading",
    "SessionAnswer",
    "SpellingOptions",
    "Style",
    "WindowState",
    "advice_sections",
    "advise",
    "deficit_mapping",
    "entry_mapping",
    "fact_mapping",
    "find_project_deficits",
    "frame",
    "frame_reading",
    "handoff_mapping",
    "join_readings",
    "metrics_mapping",
    "pack_session",
    "preload_mapping",
    "read_files",
    "reading_mapping",
    "receive_session",
    "totals_mapping",
]

_HOMES = {
    "advice": (
        "Advice",
        "advise",
        "find_project_deficits",
    ),
    "auto_mode": ("WindowState",),
    "framing": (
        "Style",
        "frame",
    ),
    "handover": (
        "pack_session",
        "receive_session",
    ),
    "layers": (
        "Layer",
        "Meter",
    ),
    "mappings": (
        "advice_sections",
        "deficit_mapping",
        "entry_mapping",
        "fact_mapping",
        "handoff_mapping",
        "metrics_mapping",
        "preload_mapping",
        "reading_mapping",
        "totals_mapping",
    ),
    "preload": ("FileAnswer", "Omission", "Preload", "PreloadOptions", "PreloadRequest"),
    "read": (
        "ReadTask",
        "read_files",
    ),
    "read_options": ("ReadOptions",),
    "reading": (
        "Reading",
        "frame_reading",
        "join_readings",
    ),
    "session": (
        "ContextSession",
        "PreloadAnswer",
        "SessionAnswer",
    ),
    "spelling": ("SpellingOptions",),
}
__getattr__ = lazy_exports(
    __name__, {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names}
)
