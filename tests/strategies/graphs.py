"""Generated inputs for the graph kernels."""

from typing import Any

import numpy
from hypothesis import strategies as st

Csr = tuple[Any, Any, Any]

# Few distinct values, so that ties happen; 0 is an entry without weight.
WEIGHTS = st.sampled_from([0.0, 0.25, 1.0, 1.0, 1.0, 2.0, 3.7, 1e-100, 1e100 / 3]) | st.floats(0.001, 1000.0)
UNIT = st.just(1.0)


def to_csr(nodes: int, entries: list[tuple[int, int, float]]) -> Csr:
    """Return CSR arrays with the entries of a row in the order given."""
    rows: list[list[tuple[int, float]]] = [[] for _ in range(nodes)]
    for row, column, weight in entries:
        rows[row].append((column, weight))
    indptr = numpy.cumsum([0] + [len(row) for row in rows], dtype=numpy.int64)
    flat = [entry for row in rows for entry in row]
    indices = numpy.array([column for column, _ in flat], dtype=numpy.uint32)
    weights = numpy.array([weight for _, weight in flat], dtype=numpy.float64)
    return indptr, indices, weights


@st.composite
def directed(draw: st.DrawFn, most_nodes: int = 24, weights: st.SearchStrategy[float] | None = None) -> Csr:
    """Draw a directed graph with unsorted rows, repeated entries, self loops and nodes without edges."""
    nodes = draw(st.integers(0, most_nodes))
    if nodes == 0:
        return to_csr(0, [])
    node = st.integers(0, nodes - 1)
    value = weights if weights is not None else draw(st.sampled_from([WEIGHTS, UNIT]))
    return to_csr(nodes, draw(st.lists(st.tuples(node, node, value), max_size=4 * nodes)))


@st.composite
def undirected(draw: st.DrawFn, most_nodes: int = 24, weights: st.SearchStrategy[float] | None = None) -> Csr:
    """Draw a symmetric graph: both directions of every edge."""
    nodes = draw(st.integers(0, most_nodes))
    if nodes == 0:
        return to_csr(0, [])
    node = st.integers(0, nodes - 1)
    value = weights if weights is not None else draw(st.sampled_from([WEIGHTS, UNIT]))
    edges = draw(st.dictionaries(st.tuples(node, node), value, max_size=3 * nodes))
    both = {(min(a, b), max(a, b)): weight for (a, b), weight in edges.items()}
    entries = [(a, b, w) for (a, b), w in both.items()] + [(b, a, w) for (a, b), w in both.items() if a != b]
    return to_csr(nodes, sorted(entries))


def random_undirected(nodes: int, edges: int, seed: int) -> Csr:
    """Return a random graph of 16 planted groups with weights of 1, sorted rows."""
    rng = numpy.random.default_rng(seed)
    a, b = rng.integers(0, nodes, edges), rng.integers(0, nodes, edges)
    inside = rng.random(edges) < 0.7
    b = numpy.where(inside, (b // 16 * 16 + a % 16) % nodes, b)
    pairs = {(int(min(x, y)), int(max(x, y))) for x, y in zip(a, b, strict=True) if x != y}
    return to_csr(nodes, sorted([(x, y, 1.0) for x, y in pairs] + [(y, x, 1.0) for x, y in pairs]))


def seeds_of(data: st.DataObject, nodes: int) -> numpy.ndarray:
    """Draw the heat of each node, 0 for some."""
    values = st.lists(st.floats(0.01, 1.0) | st.just(0.0), min_size=nodes, max_size=nodes)
    return numpy.array(data.draw(values), dtype=numpy.float64)
