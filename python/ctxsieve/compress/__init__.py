"""A file in a mode: what is shown of it, and which lines are left out."""

from ctxsieve.compress.aggressive import CompressionOptions, render_aggressive, render_entropy
from ctxsieve.compress.modes import Mode, ModeRequest, Rendering, parse_line_ranges, parse_mode
from ctxsieve.compress.notation import OutlineEntry, parse_outline
from ctxsieve.compress.outline import render_map, render_reference, render_signatures
from ctxsieve.compress.prose import is_code, render_prose, render_prose_outline
from ctxsieve.compress.remembered import parse_sources
from ctxsieve.compress.removal import Removal
from ctxsieve.compress.selection import render_chunks
from ctxsieve.compress.source import SourceFile, read_source
from ctxsieve.compress.task import render_task
from ctxsieve.compress.verbatim import render_full, render_lines, render_raw

__all__ = [
    "CompressionOptions",
    "Mode",
    "ModeRequest",
    "OutlineEntry",
    "Removal",
    "Rendering",
    "SourceFile",
    "is_code",
    "parse_line_ranges",
    "parse_mode",
    "parse_outline",
    "parse_sources",
    "read_source",
    "render_aggressive",
    "render_chunks",
    "render_entropy",
    "render_full",
    "render_lines",
    "render_map",
    "render_prose",
    "render_prose_outline",
    "render_raw",
    "render_reference",
    "render_signatures",
    "render_task",
]
