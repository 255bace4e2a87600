"""Heat diffusion against its twin and the same sum of powers on scipy CSR."""

from collections.abc import Callable
from typing import Any

import numpy
import scipy.sparse
from benches.python.graphs import Graph, undirected
from benches.python.harness import Measure, Row, Rows

from ctxsieve._kernels import _native, pure

FACTORS = numpy.exp(-numpy.arange(5.0))


def rows(*, large: bool) -> Rows:
    """Yield the rows; a few seeds is what a task has, a seed everywhere the worst case."""
    twin = undirected(5_000, 25_000)
    seeds = seeds_of(twin, 50)
    yield Row(
        kernel="heat",
        workload="5e3 nodes / 5e4 entries, 50 seeds",
        other_name="pure twin",
        ours=lambda: _native.heat(*twin.csr, seeds=seeds, decay_factors=FACTORS),
        other=lambda: pure.heat(*twin.csr, seeds=seeds, decay_factors=FACTORS),
        goal=30,
    )
    sizes = [(100_000, 1_000_000), (1_000_000, 10_000_000)] if large else [(100_000, 1_000_000)]
    yield Row(
        kernel="heat",
        workload="prepared, 5e3 nodes / 5e4 entries, 50 seeds",
        other_name="pure twin",
        ours=prepared(twin, seeds),
        other=prepared(twin, seeds, backend=pure),
        goal=30,
    )
    for nodes, edges in sizes:
        for count in (50, nodes):
            yield from _scipy_rows(undirected(nodes, edges), count)
    large_graph = undirected(100_000, 1_000_000)
    yield Row(
        kernel="heat",
        workload="1e+05 nodes / 1.5e+06 entries, preparing and a first call with a seed everywhere",
        other_name="one-shot heat",
        ours=lambda: prepared(large_graph, seeds_of(large_graph, large_graph.nodes)),
        other=native(large_graph, large_graph.nodes),
    )
    small, tenfold = undirected(10_000, 100_000), undirected(100_000, 1_000_000)
    yield Row(
        kernel="heat",
        workload="1e5 -> 1e6 edges, a seed everywhere",
        other_name="itself",
        ours=native(tenfold, tenfold.nodes),
        other=native(small, small.nodes),
        measure=Measure.GROWTH,
    )


def _scipy_rows(graph: Graph, count: int) -> Rows:
    """Yield rows of ours from plain arrays, of ours prepared, and of both with normalised columns."""
    workload = f"{graph.nodes:.0e} nodes / {len(graph.indices):.1e} entries, {count} seeds"
    seeds = seeds_of(graph, count)
    yield Row(
        kernel="heat",
        workload=workload,
        other_name="scipy CSR",
        ours=native(graph, count),
        other=lambda: sum_of_powers(graph, seeds),
        goal=2,
    )
    ready = prepared(graph, seeds)
    for other_name, other in (
        ("scipy CSR", lambda: sum_of_powers(graph, seeds)),
        ("scipy CSR, normalised before", normalised(graph, seeds)),
    ):
        yield Row(
            kernel="heat",
            workload=f"prepared, {workload}",
            other_name=other_name,
            ours=ready,
            other=other,
            goal=2,
        )


def seeds_of(graph: Graph, count: int) -> numpy.ndarray:
    """Return seeds of 1 at `count` random nodes."""
    seeds = numpy.zeros(graph.nodes)
    seeds[numpy.random.default_rng(2).permutation(graph.nodes)[:count]] = 1.0
    return seeds


def native(graph: Graph, count: int) -> Callable[[], object]:
    """Return a call of the native kernel."""
    seeds = seeds_of(graph, count)
    return lambda: _native.heat(*graph.csr, seeds=seeds, decay_factors=FACTORS)


def prepared(graph: Graph, seeds: numpy.ndarray, *, backend: Any = _native) -> Callable[[], object]:
    """Return a call of a graph that is prepared now, by a first call too: the first dense hop transposes it."""
    ready = backend.HeatGraph(*graph.csr)
    ready.diffuse(seeds=seeds, decay_factors=FACTORS)
    return lambda: ready.diffuse(seeds=seeds, decay_factors=FACTORS)


def normalised(graph: Graph, seeds: numpy.ndarray) -> Callable[[], object]:
    """Return the same sum of powers over a matrix whose columns are normalised now: products alone are left."""
    degrees = numpy.asarray(graph.matrix.sum(axis=0)).ravel()
    degrees[degrees == 0] = 1.0
    transition = (graph.matrix @ scipy.sparse.diags(1.0 / degrees)).tocsr()

    def call() -> numpy.ndarray:
        total, heat = FACTORS[0] * seeds, seeds
        for factor in FACTORS[1:]:
            heat = transition @ heat
            total += factor * heat
        return total

    return call


def sum_of_powers(graph: Graph, seeds: numpy.ndarray) -> numpy.ndarray:
    """Return the same heat by products with the weight matrix."""
    degrees = numpy.asarray(graph.matrix.sum(axis=0)).ravel()
    degrees[degrees == 0] = 1.0
    total, heat = FACTORS[0] * seeds, seeds
    for factor in FACTORS[1:]:
        heat = graph.matrix @ (heat / degrees)
        total += factor * heat
    return total
