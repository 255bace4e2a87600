"""The six layers, in order: input, intent, relevance, compression, terse, delivery (SPEC 1)."""

from ctxsieve.pipeline.framing import Style, frame
from ctxsieve.pipeline.layers import Layer, Meter
from ctxsieve.pipeline.preload import (
    FileAnswer,
    Omission,
    Preload,
    PreloadOptions,
    PreloadRequest,
    metrics_as_mapping,
    preload,
)
from ctxsieve.pipeline.read import Reading, ReadOptions, read_files

__all__ = [
    "FileAnswer",
    "Layer",
    "Meter",
    "Omission",
    "Preload",
    "PreloadOptions",
    "PreloadRequest",
    "ReadOptions",
    "Reading",
    "Style",
    "frame",
    "metrics_as_mapping",
    "preload",
    "read_files",
]
