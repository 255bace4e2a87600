"""Arguments of heat diffusion: good ones, and what is refused with which text."""

from typing import Any

import numpy

FACTORS = numpy.exp(-numpy.arange(5.0))

GOOD: dict[str, Any] = {
    "indptr": numpy.array([0, 1, 2]),
    "indices": numpy.array([1, 0], dtype=numpy.uint32),
    "weights": numpy.ones(2),
    "seeds": numpy.array([1.0, 0.0]),
    "decay_factors": FACTORS,
}

BUFFER = "it must be a contiguous one-dimensional buffer of"
RANGE = "it must be 0 or from 1e-100 to 1e+100"
BAD: list[tuple[str, Any, str]] = [
    ("indptr", numpy.array([], dtype=numpy.int64), "indptr is empty: it must hold one entry more than there are nodes"),
    ("indptr", numpy.array([0, 1, 2], dtype=numpy.int32), f"indptr holds items of format 'i': {BUFFER} int64"),
    ("indptr", [0, 1, 2], f"indptr is a list: {BUFFER} int64"),
    ("indptr", numpy.array([1, 1, 2]), "indptr[0] is 1: it must be 0"),
    ("indptr", numpy.array([0, 2, 1]), "indptr[2] is 1: it must not be less than the 2 before it"),
    ("indptr", numpy.array([0, 1, 2**31]), "indptr ends at 2147483648: it must end at the number of indices, 2"),
    ("indptr", numpy.array([0, 1, -1]), "indptr[2] is -1: it must not be less than the 1 before it"),
    ("indptr", numpy.array([0, 1, 1]), "indptr ends at 1: it must end at the number of indices, 2"),
    ("indptr", numpy.array([0, 9, 0, 9, 1, 9, 2])[::3], f"indptr is not contiguous: {BUFFER} int64"),
    (
        "indices",
        numpy.array([1, 2], dtype=numpy.uint32),
        "indices[1] is 2: it must be less than the number of nodes, 2",
    ),
    ("indices", numpy.array([1, 0]), f"indices holds items of format 'l': {BUFFER} uint32"),
    ("weights", numpy.ones(3), "there are 3 weights for 2 indices: they must be equal in number"),
    ("weights", numpy.ones((2, 1)), f"weights has 2 dimensions: {BUFFER} float64"),
    ("weights", numpy.ones(2, dtype=numpy.float32), f"weights holds items of format 'f': {BUFFER} float64"),
    ("weights", numpy.array([1.0, numpy.nan]), f"weights[1] is nan: {RANGE}"),
    ("weights", numpy.array([numpy.inf, 1.0]), f"weights[0] is inf: {RANGE}"),
    ("weights", numpy.array([1.0, -2.5]), f"weights[1] is -2.5: {RANGE}"),
    ("weights", numpy.array([1.0, 5e-324]), f"weights[1] is 5e-324: {RANGE}"),
    ("seeds", numpy.zeros(3), "there are 3 seeds for 2 nodes: they must be equal in number"),
    ("seeds", numpy.array([1.0, 1e200]), f"seeds[1] is 1e+200: {RANGE}"),
    ("seeds", None, f"seeds is a NoneType: {BUFFER} float64"),
    ("decay_factors", numpy.array([]), "decay_factors is empty: it must hold the factor of hop 0 at least"),
    ("decay_factors", numpy.array([1.0, -0.5]), f"decay_factors[1] is -0.5: {RANGE}"),
]
