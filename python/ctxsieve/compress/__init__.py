"""A file in a mode: what is shown of it, and which lines are left out."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.compress.aggressive import begin_removal, render_aggressive, render_entropy
    from ctxsieve.compress.composition import (
        Piece,
        compose,
        hide_lines,
        omission_mark,
        pieces_of_rendering,
        pieces_of_spans,
        present_pieces,
        shown_lines,
    )
    from ctxsieve.compress.costs import costs_of_source
    from ctxsieve.compress.error_lines import handles_errors
    from ctxsieve.compress.heads import declaration_of
    from ctxsieve.compress.marks import leave_out
    from ctxsieve.compress.modes import Mode, ModeRequest, Rendering, parse_line_ranges, parse_mode
    from ctxsieve.compress.native import RemovalsAhead, leave_out_natively
    from ctxsieve.compress.nodes import NodeClass, bounds_of_classes, bounds_of_whole_nodes, find_whole_nodes
    from ctxsieve.compress.notation import OutlineEntry, OutlineRow, parse_outline, write_rows
    from ctxsieve.compress.options import CompressionOptions
    from ctxsieve.compress.outline import is_minified, render_map, render_reference, render_signatures
    from ctxsieve.compress.prose import find_lines, is_code, render_prose, render_prose_outline
    from ctxsieve.compress.remembered import (
        parse_sources,
        recall_line_facts,
        recall_whole_nodes,
        with_remembered_lines,
    )
    from ctxsieve.compress.removal import Removal, keeps_parsing
    from ctxsieve.compress.scored_file import ScoredFile, arrange_lines
    from ctxsieve.compress.source import SourceFile, is_binary, read_source
    from ctxsieve.compress.task import render_task
    from ctxsieve.compress.traced import nearest_lines
    from ctxsieve.compress.verbatim import render_full, render_lines, render_raw

__all__ = [
    "CompressionOptions",
    "Mode",
    "ModeRequest",
    "NodeClass",
    "OutlineEntry",
    "OutlineRow",
    "Piece",
    "Removal",
    "RemovalsAhead",
    "Rendering",
    "ScoredFile",
    "SourceFile",
    "arrange_lines",
    "begin_removal",
    "bounds_of_classes",
    "bounds_of_whole_nodes",
    "compose",
    "costs_of_source",
    "declaration_of",
    "find_lines",
    "find_whole_nodes",
    "handles_errors",
    "hide_lines",
    "is_binary",
    "is_code",
    "is_minified",
    "keeps_parsing",
    "leave_out",
    "leave_out_natively",
    "nearest_lines",
    "omission_mark",
    "parse_line_ranges",
    "parse_mode",
    "parse_outline",
    "parse_sources",
    "pieces_of_rendering",
    "pieces_of_spans",
    "present_pieces",
    "read_source",
    "recall_line_facts",
    "recall_whole_nodes",
    "render_aggressive",
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
    "shown_lines",
    "with_remembered_lines",
    "write_rows",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "CompressionOptions": "ctxsieve.compress.options",
        "begin_removal": "ctxsieve.compress.aggressive",
        "RemovalsAhead": "ctxsieve.compress.native",
        "render_aggressive": "ctxsieve.compress.aggressive",
        "render_entropy": "ctxsieve.compress.aggressive",
        "Piece": "ctxsieve.compress.composition",
        "compose": "ctxsieve.compress.composition",
        "hide_lines": "ctxsieve.compress.composition",
        "omission_mark": "ctxsieve.compress.composition",
        "pieces_of_rendering": "ctxsieve.compress.composition",
        "pieces_of_spans": "ctxsieve.compress.composition",
        "present_pieces": "ctxsieve.compress.composition",
        "shown_lines": "ctxsieve.compress.composition",
        "costs_of_source": "ctxsieve.compress.costs",
        "leave_out": "ctxsieve.compress.marks",
        "leave_out_natively": "ctxsieve.compress.native",
        "handles_errors": "ctxsieve.compress.error_lines",
        "NodeClass": "ctxsieve.compress.nodes",
        "bounds_of_classes": "ctxsieve.compress.nodes",
        "bounds_of_whole_nodes": "ctxsieve.compress.nodes",
        "find_whole_nodes": "ctxsieve.compress.nodes",
        "Mode": "ctxsieve.compress.modes",
        "ModeRequest": "ctxsieve.compress.modes",
        "Rendering": "ctxsieve.compress.modes",
        "parse_line_ranges": "ctxsieve.compress.modes",
        "parse_mode": "ctxsieve.compress.modes",
        "OutlineEntry": "ctxsieve.compress.notation",
        "OutlineRow": "ctxsieve.compress.notation",
        "parse_outline": "ctxsieve.compress.notation",
        "write_rows": "ctxsieve.compress.notation",
        "declaration_of": "ctxsieve.compress.heads",
        "is_minified": "ctxsieve.compress.outline",
        "render_map": "ctxsieve.compress.outline",
        "render_reference": "ctxsieve.compress.outline",
        "render_signatures": "ctxsieve.compress.outline",
        "find_lines": "ctxsieve.compress.prose",
        "is_code": "ctxsieve.compress.prose",
        "render_prose": "ctxsieve.compress.prose",
        "render_prose_outline": "ctxsieve.compress.prose",
        "parse_sources": "ctxsieve.compress.remembered",
        "recall_line_facts": "ctxsieve.compress.remembered",
        "recall_whole_nodes": "ctxsieve.compress.remembered",
        "with_remembered_lines": "ctxsieve.compress.remembered",
        "Removal": "ctxsieve.compress.removal",
        "keeps_parsing": "ctxsieve.compress.removal",
        "ScoredFile": "ctxsieve.compress.scored_file",
        "arrange_lines": "ctxsieve.compress.scored_file",
        "SourceFile": "ctxsieve.compress.source",
        "is_binary": "ctxsieve.compress.source",
        "read_source": "ctxsieve.compress.source",
        "render_task": "ctxsieve.compress.task",
        "nearest_lines": "ctxsieve.compress.traced",
        "render_full": "ctxsieve.compress.verbatim",
        "render_lines": "ctxsieve.compress.verbatim",
        "render_raw": "ctxsieve.compress.verbatim",
    },
)
