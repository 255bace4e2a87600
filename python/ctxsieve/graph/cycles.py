"""Import cycles: groups of files that all reach each other."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ctxsieve.graph.build import ProjectGraph
from ctxsieve.graph.edges import Edges
from ctxsieve.languages import EdgeKind
from ctxsieve.values import dataclass

__all__ = ["Cycle", "find_cycles"]

# Files of one package see each other, and modules name their parents: that is how languages work, no cycle by choice.
_CHOSEN_KINDS = (EdgeKind.IMPORT, EdgeKind.RE_EXPORT, EdgeKind.TYPE_USE, EdgeKind.INCLUDE)


@dataclass(frozen=True, slots=True)
class Cycle:
    """A strongly connected group of files.

    Attributes:
        paths: all its files, sorted.
        example: a shortest cycle through the first of them, without repeating it at the end.
    """

    paths: tuple[str, ...]
    example: tuple[str, ...]


def find_cycles(graph: ProjectGraph) -> tuple[Cycle, ...]:
    """Return the groups of two and more files that import each other, by their smallest path.

    Imports, re-exports, uses of types and includes count; that files share a package or are modules of each other does
    not. Imports inside of functions count as well: the scan does not tell them apart.
    """
    edges = _chosen_edges(graph.edges)
    paths = graph.index.paths
    targets = _targets_within_core(edges)
    found = []
    for members in _components(targets):
        group = sorted(members)
        example = _shortest_cycle(group, targets)
        found.append(Cycle(tuple(paths[i] for i in group), tuple(paths[i] for i in example)))
    return tuple(sorted(found, key=lambda cycle: cycle.paths))


def _chosen_edges(edges: Edges) -> Edges:
    chosen = np.isin(edges.kind, np.array(_CHOSEN_KINDS, dtype=np.uint8)) & (edges.source != edges.target)
    return Edges(edges.n_documents, edges.source[chosen], edges.target[chosen], edges.kind[chosen])


def _targets_within_core(edges: Edges) -> dict[int, list[int]]:
    """Return the targets by source, both among the files that are neither first nor last of all chains."""
    source, target = edges.source, edges.target
    while len(source):
        kept: npt.NDArray[np.bool_] = np.isin(source, target) & np.isin(target, source)
        if kept.all():
            break
        source, target = source[kept], target[kept]
    targets: dict[int, list[int]] = {}
    for one, other in zip(source.tolist(), target.tolist(), strict=True):
        known = targets.setdefault(one, [])
        if not known or known[-1] != other:
            known.append(other)
    return targets


def _components(targets: dict[int, list[int]]) -> Iterator[list[int]]:
    """Yield the strongly connected components of two and more nodes (Tarjan 1972, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for root in targets:
        if root in order:
            continue
        work = [(root, iter(targets[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            child = next(rest, None)
            if child is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    component: list[int] = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                    on_stack.difference_update(component)
                    if len(component) > 1:
                        yield component
            elif child not in order:
                order[child] = low[child] = len(order)
                stack.append(child)
                on_stack.add(child)
                work.append((child, iter(targets.get(child, ()))))
            elif child in on_stack:
                low[node] = min(low[node], order[child])


def _shortest_cycle(group: list[int], targets: dict[int, list[int]]) -> list[int]:
    """Return a shortest cycle through the first node of a component, of equal ones the smallest by node."""
    members = set(group)
    start = group[0]
    came_from: dict[int, int] = {}
    frontier = [start]
    while frontier:
        following = []
        for node in frontier:
            for child in targets[node]:
                if child == start:
                    chain = [node]
                    while chain[-1] != start:
                        chain.append(came_from[chain[-1]])
                    return chain[::-1]
                if child in members and child not in came_from:
                    came_from[child] = node
                    following.append(child)
        frontier = following
    raise AssertionError(f"{len(group)} nodes are no component")
