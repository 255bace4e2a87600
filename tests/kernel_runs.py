"""Kernel runs of many seconds, as programs for a child process: what Ctrl-C has to stop."""

__all__ = ["LONG_RUNS", "program"]

PREPARE = """
import sys, time
import numpy
from ctxsieve import _kernels
rng = numpy.random.default_rng(0)
def graph(nodes, entries):
    indptr = numpy.linspace(0, entries, nodes + 1).astype(numpy.int64)
    return indptr, rng.integers(0, nodes, entries, dtype=numpy.uint32), rng.random(entries) + 0.5
def words(count):
    letters = rng.integers(97, 123, (count, 7), dtype=numpy.uint8)
    letters[:, 6] = numpy.where(rng.random(count) < 0.2, 10, 32)
    return letters.tobytes()
"""
LONG_RUNS = {
    "heat": "g = graph(1_000_000, 10_000_000); f = numpy.full(2000, 0.5); s = numpy.ones(1_000_000)\n"
    "call = lambda: _kernels.heat(*g, seeds=s, decay_factors=f)",
    "HeatGraph": "g = graph(1_000_000, 10_000_000)\n"
    "def call():\n    for _ in range(100):\n        _kernels.HeatGraph(*g)",
    "HeatGraph.diffuse": "g = _kernels.HeatGraph(*graph(1_000_000, 10_000_000)); f = numpy.full(2000, 0.5)\n"
    "s = numpy.ones(1_000_000)\ncall = lambda: g.diffuse(seeds=s, decay_factors=f)",
    "build_csr": "a = rng.integers(0, 1_000_000, 5_000_000); b = rng.integers(0, 1_000_000, 5_000_000)\n"
    "w = numpy.ones(5_000_000)\ndef call():\n    for _ in range(100):\n"
    "        _kernels.build_csr(1_000_000, a, b, w, both_ways=True, loop_weight=1.0)",
    "pagerank": "g = graph(1_000_000, 10_000_000)\ncall = lambda: _kernels.pagerank("
    "*g, personalisation=None, damping=1.0, tolerance=0.0, max_iterations=10**6)",
    "louvain": "g = graph(1_000_000, 10_000_000)\ncall = lambda: _kernels.louvain(*g, resolution=1.0)",
    "rrf": "s = [rng.random(2_000_000)] * 200\ncall = lambda: _kernels.rrf(s, largest_first=[True] * 200, k=60.0)",
    "mmr": "t = rng.integers(97, 123, 8_000_000, dtype=numpy.uint8); o = numpy.arange(0, 8_000_001, 40)\n"
    "r = numpy.full(len(o) - 1, 0.4)\n"
    "call = lambda: _kernels.mmr(t, o, relevance=r, lambda_=0.7, max_selected=10**9)",
    "mmr_in_order": "t = rng.integers(97, 123, 8_000_000, dtype=numpy.uint8); o = numpy.arange(0, 8_000_001, 40)\n"
    "call = lambda: _kernels.mmr_in_order(t, o, relevance=numpy.zeros(len(o) - 1), lambda_=0.7)",
    "find_repeats": "from ctxsieve._kernels import flat_lines\n"
    "from ctxsieve.dedup import DedupOptions, LoadedFile, ShownText, plan_suppression\n"
    "from ctxsieve.fragments import LineRange\n"
    "t = words(400_000).decode() + '.\\n'; s = (LineRange(1, t.count('\\n')),)\n"
    "n = [LineRange(i, i) for i in range(1, s[0].last + 1)]\n"
    "f = [LoadedFile(path=str(i), text=t, shown=s, costs=ShownText(t, 90_000), nodes=lambda: flat_lines(n))"
    " for i in range(400)]\n"
    "call = lambda: plan_suppression(f, DedupOptions(), threads=2)",
    "surprise": "c = numpy.tile(rng.integers(0, 5_500, 1_000_000, dtype=numpy.uint32), 50)\n"
    "o = numpy.arange(0, 50_000_001, 8)\n"
    "def call():\n    for _ in range(1000):\n        _kernels.surprise(c, o, units_per_bit=256.0)",
    "surprise_lines": "t = words(20_000_000)\ncall = lambda: _kernels.surprise_lines([t] * 20, threads=1)",
    "surprise_lines in two threads": "t = words(20_000_000)\n"
    "call = lambda: _kernels.surprise_lines([t] * 20, threads=2)",
    "count_tokens": "t = words(20_000_000)\ncall = lambda: _kernels.count_tokens(t)",
    "count_lines of one line": "t = words(20_000_000).replace(b'\\n', b' ')\ncall = lambda: _kernels.count_lines(t)",
    "a queue of removals": "from ctxsieve.languages import LANGUAGES, removal_rules\n"
    "t = 'def f(a):\\n    return [a, a]\\n' * 60_000; rules = removal_rules(LANGUAGES['python'])\n"
    "limits = dict(is_aligned=True, gap_tokens=8, parse_limit=10**9, match_limit=65535)\n"
    "def call():\n    with _kernels.RemovalQueue(2) as queue:\n"
    "        numbers = [queue.add(t, 'python', rules, (0.5, 0.8, 0.02), **limits) for _ in range(20)]\n"
    "        for number in numbers:\n            queue.take(number)",
    "encode_tokens": "t = words(20_000_000)\ncall = lambda: _kernels.encode_tokens(t)",
}


def program(kernel: str, run: str) -> str:
    """Return a program that makes the kernel's input, names its long run `call`, and goes on with `run`."""
    return f"{PREPARE}{LONG_RUNS[kernel]}\n{run}"
