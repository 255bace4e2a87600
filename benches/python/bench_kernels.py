"""The rows of the ranking kernels under pytest-benchmark: `pytest benches/python/bench_kernels.py`."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from benches.python.harness import Row

KERNELS = ("heat", "louvain", "mmr", "pagerank", "rrf")
ROWS: list[Row] = [
    row for kernel in KERNELS for row in importlib.import_module(f"benches.python.{kernel}").rows(large=False)
]
CASES = [pytest.param(row, call, id=f"{row.kernel}-{row.workload}-{name}") for row in ROWS for name, call in row.sides]


@pytest.mark.parametrize(("row", "call"), CASES)
def test_row(benchmark: Any, row: Row, call: Callable[[], object]) -> None:
    benchmark.group = f"{row.kernel}: {row.workload}, native against {row.other_name}"
    benchmark.pedantic(call, rounds=row.rounds, warmup_rounds=1)
