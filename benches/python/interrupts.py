"""How long Ctrl-C takes to stop each kernel: `python -m benches.python.interrupts`.

A child process runs a kernel on a big input, again and again; SIGINT arrives after a random part of a second (fixed
seed), and the child reports when `KeyboardInterrupt` reached it. Runs that end before the signal are not counted.
"""

import argparse
import random
import signal
import statistics
import subprocess
import sys
import time

GOAL_MS = 200.0

PREPARE = """
import sys, time
import numpy
from ctxsieve._kernels import _native
rng = numpy.random.default_rng(0)
def graph(nodes, entries):
    indptr = numpy.linspace(0, entries, nodes + 1).astype(numpy.int64)
    return indptr, rng.integers(0, nodes, entries, dtype=numpy.uint32), rng.random(entries) + 0.5
def words(count):
    letters = rng.integers(97, 123, (count, 7), dtype=numpy.uint8)
    letters[:, 6] = numpy.where(rng.random(count) < 0.2, 10, 32)
    return letters.tobytes()
"""
CALLS = {
    "heat": "g = graph(1_000_000, 10_000_000); f = numpy.full(500, 0.5); s = numpy.ones(1_000_000)\n"
    "call = lambda: _native.heat(*g, seeds=s, decay_factors=f)",
    "pagerank": "g = graph(1_000_000, 10_000_000)\ncall = lambda: _native.pagerank("
    "*g, personalisation=None, damping=1.0, tolerance=0.0, max_iterations=10**6)",
    "louvain": "g = graph(1_000_000, 10_000_000)\ncall = lambda: _native.louvain(*g, resolution=1.0)",
    "rrf": "s = [rng.random(2_000_000)] * 100\ncall = lambda: _native.rrf(s, largest_first=[True] * 100, k=60.0)",
    "mmr": "t = rng.integers(97, 123, 8_000_000, dtype=numpy.uint8); o = numpy.arange(0, 8_000_001, 40)\n"
    "r = numpy.full(len(o) - 1, 0.4)\n"
    "call = lambda: _native.mmr(t, o, relevance=r, lambda_=0.7, max_selected=10**9)",
    "surprise": "c = rng.integers(0, 5_500, 200_000_000, dtype=numpy.uint32)\n"
    "o = numpy.arange(0, 200_000_001, 8, dtype=numpy.int64)\n"
    "def call():\n    for _ in range(20):\n        _native.surprise(c, o, units_per_bit=256.0)",
    "surprise_lines": "t = words(20_000_000)\ncall = lambda: _native.surprise_lines([t], threads=1)",
    "count_tokens": "t = words(20_000_000)\ncall = lambda: _native.count_tokens(t)",
    "encode_tokens": "t = words(20_000_000)\ncall = lambda: _native.encode_tokens(t)",
}
LOOP = """
print("ready", flush=True)
for _ in sys.stdin:
    try:
        print("started", flush=True)
        call()
        print("finished", flush=True)
    except KeyboardInterrupt:
        print(time.time(), flush=True)
"""


def latencies_ms(kernel: str, rounds: int, most_seconds: float) -> list[float]:
    """Return the latency of every round that was interrupted."""
    child = subprocess.Popen(
        [sys.executable, "-c", PREPARE + CALLS[kernel] + LOOP],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    moments = random.Random(kernel)
    found = []
    if child.stdout.readline() != "ready\n":
        raise RuntimeError(f"the child that runs {kernel} did not start: see its error above")
    for _ in range(rounds):
        child.stdin.write("go\n")
        child.stdin.flush()
        child.stdout.readline()
        time.sleep(moments.uniform(0.0, most_seconds))
        sent = time.time()
        child.send_signal(signal.SIGINT)
        answer = child.stdout.readline().strip()
        if answer == "finished":
            # The signal is on its way to the loop, or was raised there: a new child is simpler than guessing.
            raise RuntimeError(f"{kernel} ended before the signal: its input is too small for this machine")
        found.append((float(answer) - sent) * 1000)
    child.stdin.close()
    child.wait(timeout=60)
    return found


def main() -> int:
    """Print one line for each kernel; fail when one is slower than the goal."""
    parser = argparse.ArgumentParser(prog="python -m benches.python.interrupts", description=__doc__)
    parser.add_argument("kernels", nargs="*", choices=[*CALLS, []], help="all by default")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--most-seconds", type=float, default=1.0, help="the latest moment of the signal")
    options = parser.parse_args()
    slowest = 0.0
    sys.stdout.write("| kernel | rounds | median | largest | goal |\n|---|--:|--:|--:|---|\n")
    for kernel in options.kernels or CALLS:
        found = latencies_ms(kernel, options.rounds, options.most_seconds)
        slowest = max(slowest, *found)
        figures = f"{statistics.median(found):.0f} ms | {max(found):.0f} ms | <= {GOAL_MS:.0f} ms"
        sys.stdout.write(f"| {kernel} | {len(found)} | {figures} |\n")
        sys.stdout.flush()
    return int(slowest > GOAL_MS)


if __name__ == "__main__":
    sys.exit(main())
