"""Prints one table of ratios and writes it as JSON: `python -m benches.python [KERNEL ...] [--large]`."""

import argparse
import importlib
import json
import os
import platform
import sys
from dataclasses import asdict
from pathlib import Path

from benches.python.harness import Measure, Result, measure

HERE = Path(__file__).parent
HEADER = "| kernel | workload | against | ours | other | ratio | goal | |\n|---|---|---|--:|--:|--:|--:|---|"


def main() -> int:
    """Run the rows of all modules here that define `rows`."""
    parser = argparse.ArgumentParser(prog="python -m benches.python", description=__doc__)
    parser.add_argument("kernels", nargs="*", help="modules to run; all by default")
    parser.add_argument("--large", action="store_true", help="also graphs of 10,000,000 edges and the like")
    parser.add_argument("--growth", action="store_true", help="only the growth rows")
    parser.add_argument("--json", type=Path, default=Path("benches/results.json"), help="where the JSON goes")
    options = parser.parse_args()
    sys.stdout.write(f"{machine()}\n\n{HEADER}\n")
    results = []
    for name in options.kernels or kernels():
        module = importlib.import_module(f"benches.python.{name}")
        for row in module.rows(large=options.large):
            if options.growth and row.measure != Measure.GROWTH:
                continue
            results.append(measure(row))
            sys.stdout.write(f"{line(results[-1])}\n")
            sys.stdout.flush()
    document = {"machine": machine(), "results": [asdict(result) for result in results]}
    options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


def kernels() -> list[str]:
    """Return the modules here that define `rows`, by name."""
    named = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith(("_", "bench_", "test_")))
    return [name for name in named if "\ndef rows(" in (HERE / f"{name}.py").read_text(encoding="utf-8")]


def machine() -> str:
    """Return what a reader needs to place the figures."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    flags = cpuinfo.read_text(encoding="utf-8") if cpuinfo.exists() else ""
    vectors = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "no AVX2"
    load = f", load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    return f"{model}, {vectors}, Python {platform.python_version()}{load}; processor time, one thread, medians"


def line(result: Result) -> str:
    """Return a row of the table."""
    goal = "" if result.goal is None else f"{'<=' if result.measure == Measure.GROWTH else '>='} {result.goal:g}"
    verdict = {None: "", True: "reached", False: "missed"}[result.is_reached]
    times = f"{seconds(result.ours_s)} | {seconds(result.other_s)}"
    ratio = f"{result.ratio:.{1 if result.ratio >= 10 else 2}f}"
    return f"| {result.kernel} | {result.workload} | {result.other_name} | {times} | {ratio} | {goal} | {verdict} |"


def seconds(value: float) -> str:
    """Return a time with three digits and its unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


if __name__ == "__main__":
    sys.exit(main())
