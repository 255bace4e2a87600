"""What compression saves and what it preserves, measured on a tree (docs/benchmarks.md)."""

from ctxsieve.benchmark.report import as_mapping, as_markdown, as_text
from ctxsieve.benchmark.run import BenchmarkOptions, BenchmarkReport, Group, run_benchmark

__all__ = [
    "BenchmarkOptions",
    "BenchmarkReport",
    "Group",
    "as_mapping",
    "as_markdown",
    "as_text",
    "run_benchmark",
]
