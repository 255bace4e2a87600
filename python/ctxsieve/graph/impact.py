"""What depends on a file, directly and through others, and the shortest way from one file to another."""

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ctxsieve.errors import InputError
from ctxsieve.graph.build import ProjectGraph
from ctxsieve.graph.coupling import edge_weights
from ctxsieve.graph.edges import Edges
from ctxsieve.languages import EdgeKind
from ctxsieve.values import dataclass

__all__ = ["DependencyPath", "Dependent", "Impact", "PathStep", "find_path", "measure_impact"]

_DECAY = math.exp(-1.0)


@dataclass(frozen=True, slots=True)
class Dependent:
    """A file that a change reaches.

    Attributes:
        path: the file.
        distance: imports between it and the changed file, 1 for those that import it.
        weight: 0..1, see `measure_impact`.
        via: the file through which the change reaches it; the changed file itself at distance 1.
    """

    path: str
    distance: int
    weight: float
    via: str


@dataclass(frozen=True, slots=True)
class Impact:
    """What depends on a file, nearest first, then by falling weight, then by path.

    Attributes:
        path: the changed file.
        dependents: files that are no tests.
        tests: test files.
        blast_radius: sum of the weights of `dependents`.
    """

    path: str
    dependents: tuple[Dependent, ...]
    tests: tuple[Dependent, ...]
    blast_radius: float

    @property
    def direct(self) -> int:
        """Number of dependents at distance 1, tests apart."""
        return sum(dependent.distance == 1 for dependent in self.dependents)


@dataclass(frozen=True, slots=True)
class PathStep:
    """One edge: `source` depends on `target`."""

    source: str
    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class DependencyPath:
    """The shortest chain of dependencies between two files.

    `direction` is "depends on" where `start` reaches `end`, "used by" where only `end` reaches `start` (the steps then
    run from `end` to `start`), "none" where neither does.
    """

    start: str
    end: str
    direction: str
    steps: tuple[PathStep, ...]


def measure_impact(graph: ProjectGraph, path: str) -> Impact:
    """Return all files that depend on a file, through any number of imports.

    The weight of a dependent is the largest over its shortest chains of the product of the edges' weights, times
    exp(-1) for each step behind the first: an import weighs 1, being in the same package .3.

    Raises:
        InputError: the graph has no such file.
    """
    start = _document(graph, path)
    reached = list(_spread(graph.edges, start))
    roles = graph.index.roles
    paths = graph.index.paths
    found = sorted(
        (roles[document] == "test", distance, -weight, document, via) for document, distance, weight, via in reached
    )
    dependents = [
        (is_test, Dependent(paths[document], distance, round(-negative, 6), paths[via]))
        for is_test, distance, negative, document, via in found
    ]
    others = tuple(dependent for is_test, dependent in dependents if not is_test)
    tests = tuple(dependent for is_test, dependent in dependents if is_test)
    return Impact(path, others, tests, round(math.fsum(dependent.weight for dependent in others), 4))


def _document(graph: ProjectGraph, path: str) -> int:
    document = graph.index.document(path)
    if document is None:
        raise InputError(f"path is {path!r}: the graph has no such file")
    return document


def _spread(edges: Edges, start: int) -> Iterator[tuple[int, int, float, int]]:
    """Yield (document, distance, weight, through which) of all that reaches `start`, breadth first."""
    indptr, sources, weights = _incoming(edges)
    seen = np.zeros(edges.n_documents, dtype=bool)
    seen[start] = True
    frontier = [(start, 1.0)]
    distance = 0
    while frontier:
        distance += 1
        best: dict[int, tuple[float, int]] = {}
        for target, weight in frontier:
            for at in range(indptr[target], indptr[target + 1]):
                source = int(sources[at])
                if seen[source]:
                    continue
                carried = weight * float(weights[at]) * (_DECAY if distance > 1 else 1.0)
                # The frontier is sorted: an equal weight stays with the smaller path.
                if source not in best or carried > best[source][0]:
                    best[source] = (carried, target)
        frontier = [(source, weight) for source, (weight, _) in sorted(best.items())]
        for source, (weight, via) in sorted(best.items()):
            seen[source] = True
            yield source, distance, weight, via


def _incoming(edges: Edges) -> tuple[list[int], npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
    order = np.argsort(edges.target, kind="stable")
    counts = np.bincount(edges.target, minlength=edges.n_documents)
    indptr = [0, *np.cumsum(counts).tolist()]
    return indptr, edges.source[order], edge_weights(edges)[order]


def find_path(graph: ProjectGraph, start: str, end: str) -> DependencyPath:
    """Return the shortest chain of dependencies from one file to another, of equal ones the smallest by path.

    Where `start` does not reach `end`, the chain from `end` to `start` is looked for.

    Raises:
        InputError: the graph lacks one of the files.
    """
    first, last = _document(graph, start), _document(graph, end)
    for direction, source, target in (("depends on", first, last), ("used by", last, first)):
        chain = _shortest(graph.edges, source, target)
        if chain is not None:
            return DependencyPath(start, end, direction, tuple(_steps(graph, chain)))
    return DependencyPath(start, end, "none", ())


def _shortest(edges: Edges, source: int, target: int) -> list[int] | None:
    distances = {target: 0}
    distances.update((document, distance) for document, distance, _, _ in _spread(edges, target))
    if source not in distances:
        return None
    chain = [source]
    while chain[-1] != target:
        wanted = distances[chain[-1]] - 1
        chain.append(next(to for to in edges.targets_of(chain[-1]).tolist() if distances.get(to) == wanted))
    return chain


def _steps(graph: ProjectGraph, chain: list[int]) -> Iterator[PathStep]:
    edges, paths = graph.edges, graph.index.paths
    for source, target in pairwise(chain):
        between = slice(int(edges.indptr[source]), int(edges.indptr[source + 1]))
        at = int(np.flatnonzero(edges.target[between] == target)[0])
        yield PathStep(paths[source], paths[target], EdgeKind(int(edges.kind[between][at])).name.lower())
