"""The graph of a report: which files are drawn, where, and what the page knows about them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ctxsieve.fragments import one_line
from ctxsieve.graph import Communities, ProjectGraph, graph_documents, rank_importance
from ctxsieve.relevance import Ranking
from ctxsieve.report.layout import Layout, lay_out
from ctxsieve.values import dataclass

__all__ = ["Picture", "draw_graph"]

# The files of a group that stand in no community.
_OUTSIDE = "in no community"


@dataclass(frozen=True, slots=True)
class Picture:
    """The drawn files, arrays and lists by node.

    Attributes:
        paths: by falling heat, then importance.
        heat: relevance for the task, 0..1; importance where there is no task.
        imports: edges to files of the project, drawn or not; `importers` from them.
        left_out: files that are not drawn.
        groups: the communities that are drawn, and last what stands in none.
    """

    paths: list[str]
    heat: npt.NDArray[np.float64]
    importance: npt.NDArray[np.float64]
    languages: list[str]
    lines: list[int]
    imports: list[int]
    importers: list[int]
    group_of: list[int]
    group_names: list[str]
    sources: list[int]
    targets: list[int]
    layout: Layout
    left_out: int

    def as_mapping(self) -> dict[str, Any]:
        """Return what the script of the page draws, in flat lists."""
        return {
            "paths": self.paths,
            "x": np.rint(self.layout.points[:, 0]).astype(int).tolist(),
            "y": np.rint(self.layout.points[:, 1]).astype(int).tolist(),
            "heat": np.round(self.heat, 4).tolist(),
            "importance": np.round(self.importance, 4).tolist(),
            "languages": self.languages,
            "lines": self.lines,
            "group": self.group_of,
            "groups": [
                {"name": name, "x": round(circle.x), "y": round(circle.y), "r": round(circle.radius)}
                for name, circle in zip(self.group_names, self.layout.circles, strict=True)
            ],
            "sources": self.sources,
            "targets": self.targets,
        }


def draw_graph(
    graph: ProjectGraph, communities: Communities, ranking: Ranking | None, *, maximum_files: int
) -> Picture:
    """Return the picture of all code and of what it depends on; a task decides what is hot."""
    importance = rank_importance(graph.edges)
    heat = importance
    if ranking is not None:
        top = float(ranking.scores.max(initial=0.0))
        heat = ranking.scores / top if top > 0 else ranking.scores
    documents, left_out = _choose(graph, heat, importance, maximum_files)
    number = {document: position for position, document in enumerate(documents)}
    pairs = _pairs(graph)
    drawn = [(number[s], number[t]) for s, t in pairs.tolist() if s in number and t in number]
    group_of, names = _groups(graph, documents, communities)
    members = [[node for node, of in enumerate(group_of) if of == group] for group in range(len(names))]
    sources, targets = [s for s, _ in drawn], [t for _, t in drawn]
    index = graph.index
    outgoing = np.bincount(pairs[:, 0], minlength=len(index))
    incoming = np.bincount(pairs[:, 1], minlength=len(index))
    return Picture(
        paths=[one_line(index.paths[document]) for document in documents],
        heat=heat[documents],
        importance=importance[documents],
        languages=[index.languages[document] or "" for document in documents],
        lines=[int(index.line_counts[document]) for document in documents],
        imports=outgoing[documents].tolist(),
        importers=incoming[documents].tolist(),
        group_of=group_of,
        group_names=names,
        sources=sources,
        targets=targets,
        layout=lay_out(members, sources, targets, len(documents)),
        left_out=left_out,
    )


def _pairs(graph: ProjectGraph) -> npt.NDArray[np.int64]:
    pairs: npt.NDArray[np.int64] = graph.edges.pairs[graph.edges.pairs[:, 0] != graph.edges.pairs[:, 1]]
    return pairs


def _choose(
    graph: ProjectGraph,
    heat: npt.NDArray[np.float64],
    importance: npt.NDArray[np.float64],
    maximum_files: int,
) -> tuple[list[int], int]:
    """Return the documents of code or with edges, the hottest first, and how many more there are."""
    documents = graph_documents(graph)
    order = np.lexsort((documents, -importance[documents], -heat[documents]))
    chosen = documents[order][:maximum_files]
    return chosen.tolist(), len(documents) - len(chosen)


def _groups(graph: ProjectGraph, documents: Sequence[int], communities: Communities) -> tuple[list[int], list[str]]:
    """Return the group of each document, and the names of the groups that have one."""
    position = {
        path: place
        for place, community in enumerate(communities.communities)
        for path in (*community.paths, *community.tests)
    }
    outside = len(communities.communities)
    places = [position.get(graph.index.paths[document], outside) for document in documents]
    used = sorted(set(places))
    names = [_OUTSIDE if place == outside else one_line(communities.communities[place].name) for place in used]
    numbers = {place: number for number, place in enumerate(used)}
    return [numbers[place] for place in places], names
