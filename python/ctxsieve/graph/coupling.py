"""How strongly files hold together: the weights of edges, as matrices for the kernels."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from ctxsieve import _kernels
from ctxsieve.graph.edges import Edges
from ctxsieve.languages import EdgeKind

__all__ = ["EDGE_WEIGHTS", "Csr", "coupling_matrix", "edge_weights", "rank_importance"]

# Row offsets (int64), columns (uint32), weights (float64).
Csr = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.float64]]

# What an edge says about two files: that somebody wrote the name of the other says most.
EDGE_WEIGHTS: Mapping[EdgeKind, float] = MappingProxyType(
    {
        EdgeKind.IMPORT: 1.0,
        EdgeKind.RE_EXPORT: 1.0,
        EdgeKind.PACKAGE: 0.3,
        EdgeKind.TYPE_USE: 0.7,
        EdgeKind.INCLUDE: 1.0,
        EdgeKind.MODULE: 1.0,
        EdgeKind.TEST_OF: 0.5,
    }
)
_DAMPING = 0.85
_TOLERANCE = 1e-9
_MOST_ITERATIONS = 200


def edge_weights(edges: Edges) -> npt.NDArray[np.float64]:
    """Return the weight of each edge by its kind."""
    weight_of = np.array([EDGE_WEIGHTS[kind] for kind in EdgeKind])
    weights: npt.NDArray[np.float64] = weight_of[edges.kind]
    return weights


def coupling_matrix(edges: Edges) -> Csr:
    """Return the symmetric matrix of weights: edges of both directions and of all kinds between two files add up."""
    sources, targets = edges.source.astype(np.int64), edges.target.astype(np.int64)
    weights = edge_weights(edges)
    rows, columns = np.concatenate((sources, targets)), np.concatenate((targets, sources))
    return _to_csr(edges.n_documents, rows, columns, np.concatenate((weights, weights)))


def rank_importance(edges: Edges) -> npt.NDArray[np.float64]:
    """Return the uniform PageRank by document (importer -> imported, damping .85), scaled to a maximum of 1."""
    if not edges.n_documents:
        return np.zeros(0)
    matrix = _to_csr(
        edges.n_documents, edges.source.astype(np.int64), edges.target.astype(np.int64), edge_weights(edges)
    )
    scores, _, _ = _kernels.pagerank(
        *matrix, personalisation=None, damping=_DAMPING, tolerance=_TOLERANCE, max_iterations=_MOST_ITERATIONS
    )
    scaled: npt.NDArray[np.float64] = scores / scores.max()
    return scaled


def _to_csr(n: int, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64], weights: npt.NDArray[Any]) -> Csr:
    keys, inverse = np.unique(rows * n + columns, return_inverse=True)
    summed = np.bincount(inverse, weights=weights, minlength=len(keys)).astype(np.float64)
    counts = np.bincount(keys // n, minlength=n) if n else np.zeros(0, dtype=np.int64)
    indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)))
    return indptr, (keys % n if n else keys).astype(np.uint32), summed
