"""The graph of a project: its files and their facts, the edges between them, and what follows from their shape."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.fragments import ImportStatement
    from ctxsieve.graph.build import ProjectGraph, load_or_build
    from ctxsieve.graph.communities import Communities, Community, find_communities
    from ctxsieve.graph.community_options import CommunityOptions
    from ctxsieve.graph.coupling import EDGE_WEIGHTS, edge_weights, rank_importance
    from ctxsieve.graph.cycles import Cycle, find_cycles
    from ctxsieve.graph.edges import Edges
    from ctxsieve.graph.export import GraphExport, GraphFormat, export_graph, graph_documents
    from ctxsieve.graph.impact import DependencyPath, Dependent, Impact, PathStep, find_path, measure_impact
    from ctxsieve.graph.index import Encoding, FileFlag, Index, ScannedDefinition, StatementTable
    from ctxsieve.graph.index_options import MOST_THREADS, IndexOptions, ProgressCallback
    from ctxsieve.graph.live import LiveGraph
    from ctxsieve.graph.queries import graph_statistics, language_statistics, neighbours_of
    from ctxsieve.graph.record import scan_imports
    from ctxsieve.graph.report import (
        Sections,
        communities_sections,
        communities_text,
        cycles_sections,
        cycles_text,
        impact_sections,
        impact_text,
        path_sections,
        path_text,
    )
    from ctxsieve.graph.segment import FIELDS
    from ctxsieve.graph.walking import ProjectWalk, WalkAhead, walk_project
    from ctxsieve.graph.watch_options import WatchOptions

__all__ = [
    "EDGE_WEIGHTS",
    "FIELDS",
    "MOST_THREADS",
    "Communities",
    "Community",
    "CommunityOptions",
    "Cycle",
    "DependencyPath",
    "Dependent",
    "Edges",
    "Encoding",
    "FileFlag",
    "GraphExport",
    "GraphFormat",
    "Impact",
    "ImportStatement",
    "Index",
    "IndexOptions",
    "LiveGraph",
    "PathStep",
    "ProgressCallback",
    "ProjectGraph",
    "ProjectWalk",
    "ScannedDefinition",
    "Sections",
    "StatementTable",
    "WalkAhead",
    "WatchOptions",
    "communities_sections",
    "communities_text",
    "cycles_sections",
    "cycles_text",
    "edge_weights",
    "export_graph",
    "find_communities",
    "find_cycles",
    "find_path",
    "graph_documents",
    "graph_statistics",
    "impact_sections",
    "impact_text",
    "language_statistics",
    "load_or_build",
    "measure_impact",
    "neighbours_of",
    "path_sections",
    "path_text",
    "rank_importance",
    "scan_imports",
    "walk_project",
]

_HOMES = {
    "build": ("ProjectGraph", "load_or_build"),
    "communities": ("Communities", "Community", "find_communities"),
    "community_options": ("CommunityOptions",),
    "coupling": ("EDGE_WEIGHTS", "edge_weights", "rank_importance"),
    "cycles": ("Cycle", "find_cycles"),
    "edges": ("Edges",),
    "export": ("GraphExport", "GraphFormat", "export_graph", "graph_documents"),
    "impact": ("DependencyPath", "Dependent", "Impact", "PathStep", "find_path", "measure_impact"),
    "index": ("Encoding", "FileFlag", "Index", "ScannedDefinition", "StatementTable"),
    "index_options": ("MOST_THREADS", "IndexOptions", "ProgressCallback"),
    "live": ("LiveGraph",),
    "queries": ("graph_statistics", "language_statistics", "neighbours_of"),
    "record": ("scan_imports",),
    "report": (
        "Sections",
        "communities_sections",
        "communities_text",
        "cycles_sections",
        "cycles_text",
        "impact_sections",
        "impact_text",
        "path_sections",
        "path_text",
    ),
    "segment": ("FIELDS",),
    "walking": ("ProjectWalk", "WalkAhead", "walk_project"),
    "watch_options": ("WatchOptions",),
}
__getattr__ = lazy_exports(
    __name__,
    {
        "ImportStatement": "ctxsieve.fragments",
        **{name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names},
    },
)
