"""The graph of a project: its files and their facts, and the edges between them."""

from ctxsieve.fragments import ImportStatement
from ctxsieve.graph.build import IndexOptions, ProgressCallback, ProjectGraph, load_or_build
from ctxsieve.graph.edges import Edges
from ctxsieve.graph.index import Encoding, FileFlag, Index, ScannedDefinition, StatementTable
from ctxsieve.graph.queries import graph_statistics, language_statistics, neighbours_of
from ctxsieve.graph.segment import FIELDS

__all__ = [
    "FIELDS",
    "Edges",
    "Encoding",
    "FileFlag",
    "ImportStatement",
    "Index",
    "IndexOptions",
    "ProgressCallback",
    "ProjectGraph",
    "ScannedDefinition",
    "StatementTable",
    "graph_statistics",
    "language_statistics",
    "load_or_build",
    "neighbours_of",
]
