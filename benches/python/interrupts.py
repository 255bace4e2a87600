"""How long Ctrl-C takes to stop each kernel: `python -m benches.python.interrupts`.

A child process runs a kernel on a big input, again and again; SIGINT arrives after a random part of a second (fixed
seed), and the child reports when `KeyboardInterrupt` reached it.
"""

import argparse
import random
import signal
import statistics
import subprocess
import sys
import time

from tests.kernel_runs import LONG_RUNS, program

GOAL_MS = 200.0

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
        [sys.executable, "-c", program(kernel, LOOP)],
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
    parser.add_argument("kernels", nargs="*", choices=[*LONG_RUNS, []], help="all by default")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--most-seconds", type=float, default=1.0, help="the latest moment of the signal")
    options = parser.parse_args()
    slowest = 0.0
    sys.stdout.write("| kernel | rounds | median | largest | goal |\n|---|--:|--:|--:|---|\n")
    for kernel in options.kernels or LONG_RUNS:
        found = latencies_ms(kernel, options.rounds, options.most_seconds)
        slowest = max(slowest, *found)
        figures = f"{statistics.median(found):.0f} ms | {max(found):.0f} ms | <= {GOAL_MS:.0f} ms"
        sys.stdout.write(f"| {kernel} | {len(found)} | {figures} |\n")
        sys.stdout.flush()
    return int(slowest > GOAL_MS)


if __name__ == "__main__":
    sys.exit(main())
