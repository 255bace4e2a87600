"""Questions about a graph that people ask: how large it is, and what stands next to a file."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ctxsieve.errors import InputError
from ctxsieve.graph.build import ProjectGraph
from ctxsieve.languages import EdgeKind

__all__ = ["graph_statistics", "language_statistics", "neighbours_of"]


def graph_statistics(graph: ProjectGraph) -> Mapping[str, Any]:
    """Return the totals of a graph: files, lines, edges by kind, files skipped."""
    index, edges = graph.index, graph.edges
    kinds = np.bincount(edges.kind, minlength=len(EdgeKind))
    return {
        "root": str(index.root),
        "files": len(index.paths),
        "lines": int(index.line_counts.sum()),
        "bytes": int(index.size_bytes.sum()),
        "edges": len(edges.source),
        "edge_kinds": {kind.name.lower(): int(kinds[kind]) for kind in EdgeKind if kinds[kind]},
        "skipped": len(index.skipped),
    }


def language_statistics(graph: ProjectGraph) -> Sequence[Mapping[str, Any]]:
    """Return files, lines and outgoing edges per language, by falling number of files."""
    index = graph.index
    outgoing = np.bincount(graph.edges.source, minlength=len(index.paths))
    rows: dict[str, dict[str, Any]] = {}
    for language, lines, edges in zip(index.languages, index.line_counts.tolist(), outgoing.tolist(), strict=True):
        row = rows.setdefault(
            language or "other", {"language": language or "other", "files": 0, "lines": 0, "edges": 0}
        )
        row["files"] += 1
        row["lines"] += lines
        row["edges"] += edges
    return sorted(rows.values(), key=lambda row: (-row["files"], row["language"]))


def neighbours_of(graph: ProjectGraph, path: str) -> Sequence[Mapping[str, Any]]:
    """Return what the file depends on and what depends on it, each by path.

    Raises:
        InputError: the graph has no such file.
    """
    document = graph.index.document(path)
    if document is None:
        raise InputError(f"path is {path!r}: the graph has no such file")
    edges, paths = graph.edges, graph.index.paths
    outgoing = np.flatnonzero(edges.source == document)
    incoming = np.flatnonzero(edges.target == document)
    rows = [("depends on", paths[edges.target[i]], EdgeKind(int(edges.kind[i]))) for i in outgoing]
    rows += [("used by", paths[edges.source[i]], EdgeKind(int(edges.kind[i]))) for i in incoming]
    return [{"direction": direction, "path": other, "kind": kind.name.lower()} for direction, other, kind in rows]
