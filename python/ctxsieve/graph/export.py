"""The graph in the formats of other tools: DOT, GraphML, JSON (node-link) and Mermaid."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from ctxsieve.errors import InputError
from ctxsieve.fragments import one_line
from ctxsieve.graph.build import ProjectGraph
from ctxsieve.graph.communities import Communities
from ctxsieve.graph.coupling import edge_weights, rank_importance
from ctxsieve.languages import LANGUAGES, EdgeKind, LanguageKind
from ctxsieve.values import dataclass

__all__ = ["GraphExport", "GraphFormat", "export_graph", "graph_documents"]


class GraphFormat(StrEnum):
    """What the graph is written as."""

    DOT = "dot"
    GRAPHML = "graphml"
    JSON = "json"
    MERMAID = "mermaid"


# Layouts of more files take minutes or cannot be read; Mermaid refuses more than 500 edges. 0 is no limit.
_LIMITS = {GraphFormat.DOT: 2000, GraphFormat.GRAPHML: 0, GraphFormat.JSON: 0, GraphFormat.MERMAID: 60}
_MOST_MERMAID_EDGES = 500


@dataclass(frozen=True, slots=True)
class GraphExport:
    """A written graph.

    Attributes:
        format: what `text` is.
        text: the whole file.
        files: number of files in it.
        edges: number of edges in it; those of several kinds between two files are one.
        omitted_files: files left out because of the limit, the least important ones.
        omitted_edges: edges left out, those of left-out files included.
    """

    format: GraphFormat
    text: str
    files: int
    edges: int
    omitted_files: int
    omitted_edges: int


@dataclass(frozen=True, slots=True)
class _Node:
    path: str
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Edge:
    source: int
    target: int
    kinds: str
    weight: float


def export_graph(
    graph: ProjectGraph,
    format: str,  # noqa: A002
    *,
    communities: Communities,
    maximum_files: int | None = None,
) -> GraphExport:
    """Return the graph of all code, and of what it refers to, as one text.

    Args:
        graph: the graph.
        format: dot, graphml, json or mermaid.
        communities: name the groups of the nodes.
        maximum_files: of more files the most important (PageRank) are taken, 0 for all; by default 2,000 for DOT and 60
            for Mermaid.

    Raises:
        InputError: the format is unknown, or the limit negative.
    """
    if format not in list(GraphFormat):
        raise InputError(f"format is {format!r}: it must be one of {', '.join(GraphFormat)}")
    chosen_format = GraphFormat(format)
    limit = _LIMITS[chosen_format] if maximum_files is None else maximum_files
    if limit < 0:
        raise InputError(f"maximum_files is {limit}: it must be 0 or more")
    documents, left_out = _chosen_documents(graph, limit)
    nodes = _nodes(graph, documents, communities)
    edges, all_edges = _edges(graph, documents)
    if chosen_format is GraphFormat.MERMAID:
        edges = sorted(sorted(edges, key=lambda edge: -edge.weight)[:_MOST_MERMAID_EDGES], key=_place)
    text = _WRITERS[chosen_format](nodes, edges)
    return GraphExport(chosen_format, text, len(nodes), len(edges), left_out, all_edges - len(edges))


def _place(edge: _Edge) -> tuple[int, int]:
    return edge.source, edge.target


def _chosen_documents(graph: ProjectGraph, limit: int) -> tuple[list[int], int]:
    """Return the documents of code or with edges, the most important where there are more than the limit."""
    documents = graph_documents(graph)
    if limit and len(documents) > limit:
        importance = rank_importance(graph.edges)[documents]
        taken = np.sort(documents[np.argsort(-importance, kind="stable")[:limit]])
        return taken.tolist(), len(documents) - limit
    return documents.tolist(), 0


def graph_documents(graph: ProjectGraph) -> npt.NDArray[np.intp]:
    """Return the documents that a picture of the graph has, ascending: all code, and what it has edges to."""
    is_chosen = np.array([_is_code(language) for language in graph.index.languages], dtype=bool)
    is_chosen[graph.edges.source] = True
    is_chosen[graph.edges.target] = True
    return np.flatnonzero(is_chosen)


def _is_code(language: str | None) -> bool:
    return language is not None and LANGUAGES[language].kind is LanguageKind.CODE


def _nodes(graph: ProjectGraph, documents: Sequence[int], communities: Communities) -> list[_Node]:
    index = graph.index
    importance = rank_importance(graph.edges)
    community_of = {path: found for found in communities.communities for path in (*found.paths, *found.tests)}
    nodes = []
    for document in documents:
        path = index.paths[document]
        community = community_of.get(path)
        attributes = {
            "language": index.languages[document] or "",
            "role": index.roles[document],
            "lines": int(index.line_counts[document]),
            "importance": round(float(importance[document]), 6),
            "community": community.id if community else "",
        }
        nodes.append(_Node(one_line(path), attributes))
    return nodes


def _edges(graph: ProjectGraph, documents: Sequence[int]) -> tuple[list[_Edge], int]:
    """Return the edges among the documents by their position, kinds joined, and how many there are in all."""
    number = {document: position for position, document in enumerate(documents)}
    kinds: dict[tuple[int, int], list[str]] = {}
    weights: dict[tuple[int, int], float] = {}
    found = graph.edges
    rows = zip(
        found.source.tolist(), found.target.tolist(), found.kind.tolist(), edge_weights(found).tolist(), strict=True
    )
    for source, target, kind, weight in rows:
        pair = (source, target)
        kinds.setdefault(pair, []).append(EdgeKind(kind).name.lower())
        weights[pair] = weights.get(pair, 0.0) + weight
    edges = [
        _Edge(number[source], number[target], "+".join(names), round(weights[source, target], 6))
        for (source, target), names in kinds.items()
        if source in number and target in number
    ]
    return edges, len(kinds)


def _dot(nodes: Sequence[_Node], edges: Sequence[_Edge]) -> str:
    lines = ["digraph dependencies {", "  rankdir=LR;", "  node [shape=box];"]
    for number, node in enumerate(nodes):
        attributes = ", ".join(f"{key}={_dot_text(value)}" for key, value in node.attributes.items())
        lines.append(f"  n{number} [label={_dot_text(node.path)}, {attributes}];")
    lines += [
        f"  n{edge.source} -> n{edge.target} [kind={_dot_text(edge.kinds)}, weight={_dot_text(edge.weight)}];"
        for edge in edges
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _dot_text(value: object) -> str:
    # In DOT a backslash escapes: `\n` in a label would be a line break.
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


_GRAPHML_TYPES = {"lines": "int", "importance": "double", "weight": "double"}


def _graphml(nodes: Sequence[_Node], edges: Sequence[_Edge]) -> str:
    keys = [("node", name) for name in ("path", "language", "role", "lines", "importance", "community")]
    keys += [("edge", name) for name in ("kind", "weight")]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns '
        'http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">',
    ]
    lines += [
        f'  <key id="{kind}_{name}" for="{kind}" attr.name="{name}" attr.type="{_GRAPHML_TYPES.get(name, "string")}"/>'
        for kind, name in keys
    ]
    lines.append('  <graph id="dependencies" edgedefault="directed">')
    for number, node in enumerate(nodes):
        data = _graphml_data("node", {"path": node.path, **node.attributes})
        lines.append(f'    <node id="n{number}">{data}</node>')
    for edge in edges:
        data = _graphml_data("edge", {"kind": edge.kinds, "weight": edge.weight})
        lines.append(f'    <edge source="n{edge.source}" target="n{edge.target}">{data}</edge>')
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _graphml_data(kind: str, values: Mapping[str, Any]) -> str:
    return "".join(f'<data key="{kind}_{name}">{escape(str(value))}</data>' for name, value in values.items())


def _json(nodes: Sequence[_Node], edges: Sequence[_Edge]) -> str:
    value = {
        "directed": True,
        "multigraph": False,
        "graph": {},
        "nodes": [{"id": node.path, **node.attributes} for node in nodes],
        "edges": [
            {
                "source": nodes[edge.source].path,
                "target": nodes[edge.target].path,
                "kind": edge.kinds,
                "weight": edge.weight,
            }
            for edge in edges
        ],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _mermaid(nodes: Sequence[_Node], edges: Sequence[_Edge]) -> str:
    """Return a flow chart with one subgraph per community."""
    lines = ["flowchart LR"]
    groups: dict[str, list[int]] = {}
    for number, node in enumerate(nodes):
        groups.setdefault(node.attributes["community"], []).append(number)
    for community, members in groups.items():
        lines += [f"  subgraph c{community}"] if community else []
        lines += [f"    n{number}[{_mermaid_text(nodes[number].path)}]" for number in members]
        lines += ["  end"] if community else []
    lines += _mermaid_edges(edges)
    return "\n".join(lines) + "\n"


def _mermaid_edges(edges: Iterable[_Edge]) -> list[str]:
    return [f"  n{edge.source} --> n{edge.target}" for edge in edges]


def _mermaid_text(text: str) -> str:
    """Return a quoted label; entity codes are Mermaid's own escape, and back ticks would begin Markdown."""
    escaped = re.sub(r"[\"#;&<>`\\]", lambda match: f"#{ord(match[0])};", text)
    return f'"{escaped}"'


_WRITERS: Mapping[GraphFormat, Callable[[Sequence[_Node], Sequence[_Edge]], str]] = {
    GraphFormat.DOT: _dot,
    GraphFormat.GRAPHML: _graphml,
    GraphFormat.JSON: _json,
    GraphFormat.MERMAID: _mermaid,
}
