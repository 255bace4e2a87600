"""The graph of a project: its files and their facts, and the edges between them."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports
from ctxsieve.fragments import ImportStatement
from ctxsieve.graph.build import IndexOptions, ProgressCallback, ProjectGraph, load_or_build
from ctxsieve.graph.edges import Edges
from ctxsieve.graph.index import Encoding, FileFlag, Index, ScannedDefinition, StatementTable
from ctxsieve.graph.queries import graph_statistics, language_statistics, neighbours_of
from ctxsieve.graph.record import scan_imports
from ctxsieve.graph.segment import FIELDS

if TYPE_CHECKING:
    from ctxsieve.graph.live import LiveGraph
    from ctxsieve.graph.watch_options import WatchOptions

__all__ = [
    "FIELDS",
    "Edges",
    "Encoding",
    "FileFlag",
    "ImportStatement",
    "Index",
    "IndexOptions",
    "LiveGraph",
    "ProgressCallback",
    "ProjectGraph",
    "ScannedDefinition",
    "StatementTable",
    "WatchOptions",
    "graph_statistics",
    "language_statistics",
    "load_or_build",
    "neighbours_of",
    "scan_imports",
]

__getattr__ = lazy_exports(
    __name__, {"LiveGraph": "ctxsieve.graph.live", "WatchOptions": "ctxsieve.graph.watch_options"}
)
