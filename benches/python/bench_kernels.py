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


@pytest.mark.parametrize("side", ["ours", "other"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.kernel}-{row.workload}-{row.other_name}")
def test_row(benchmark: Any, row: Row, side: str) -> None:
    call: Callable[[], object] = getattr(row, side)
    benchmark.group = f"{row.kernel}: {row.workload}, {row.other_name}"
    benchmark.pedantic(call, rounds=row.rounds, warmup_rounds=1)
