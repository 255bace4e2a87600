"""The layers of an answer, in order: input, intent, relevance, compression, terse, delivery (SPEC 1)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports
from ctxsieve.pipeline.framing import Style, frame
from ctxsieve.pipeline.layers import Layer, Meter
from ctxsieve.pipeline.preload import (
    FileAnswer,
    Omission,
    Preload,
    PreloadOptions,
    PreloadRequest,
    preload,
)
from ctxsieve.pipeline.read_options import ReadOptions
from ctxsieve.pipeline.reading import Reading, frame_reading, join_readings
from ctxsieve.pipeline.session import ContextSession, PreloadAnswer, SessionAnswer
from ctxsieve.pipeline.spelling import SpellingOptions

if TYPE_CHECKING:
    from ctxsieve.pipeline.advice import Advice, advise, find_project_deficits
    from ctxsieve.pipeline.auto_mode import WindowState
    from ctxsieve.pipeline.handover import pack_session, receive_session
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
    from ctxsieve.pipeline.read import ReadTask, read_files

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
    "preload",
    "preload_mapping",
    "read_files",
    "reading_mapping",
    "receive_session",
    "totals_mapping",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "Advice": "ctxsieve.pipeline.advice",
        "advise": "ctxsieve.pipeline.advice",
        "find_project_deficits": "ctxsieve.pipeline.advice",
        "WindowState": "ctxsieve.pipeline.auto_mode",
        "advice_sections": "ctxsieve.pipeline.mappings",
        "deficit_mapping": "ctxsieve.pipeline.mappings",
        "entry_mapping": "ctxsieve.pipeline.mappings",
        "fact_mapping": "ctxsieve.pipeline.mappings",
        "handoff_mapping": "ctxsieve.pipeline.mappings",
        "metrics_mapping": "ctxsieve.pipeline.mappings",
        "preload_mapping": "ctxsieve.pipeline.mappings",
        "reading_mapping": "ctxsieve.pipeline.mappings",
        "totals_mapping": "ctxsieve.pipeline.mappings",
        "ReadTask": "ctxsieve.pipeline.read",
        "pack_session": "ctxsieve.pipeline.handover",
        "read_files": "ctxsieve.pipeline.read",
        "receive_session": "ctxsieve.pipeline.handover",
    },
)
