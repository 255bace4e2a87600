"""Two threads and memory: `python -m benches.python.surprise_limits`.

Prints the wall time of two Python threads that score two halves, as a share of one thread that scores both (it says
something only where two cores are free), and the memory that scoring takes beyond the text and the returned arrays.
"""

import argparse
import resource
import statistics
import threading
import time
from collections.abc import Callable

from benches.python.surprise import cut, real_text

from ctxsieve._kernels import _native

ROUNDS = 5
TEXT_BYTES = 40_000_000


def seconds(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def in_two_threads(halves: list[bytes]) -> None:
    threads = [
        threading.Thread(target=_native.surprise_lines, args=([half],), kwargs={"threads": 1}) for half in halves
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def print_threads() -> None:
    text = real_text(TEXT_BYTES)
    first = cut(text, len(text) // 2)
    halves = [first, text[len(first) :]]
    in_two_threads(halves)
    rounds = [
        (seconds(lambda: in_two_threads(halves)), seconds(lambda: _native.surprise_lines(halves, threads=1)))
        for _ in range(ROUNDS)
    ]
    two, one = (statistics.median(samples) for samples in zip(*rounds, strict=True))
    print(f"two threads: {two:.3f} s, one: {one:.3f} s, ratio {two / one:.2f} (goal: at most 0.65)")


def print_memory(gigabytes: float) -> None:
    part = real_text(TEXT_BYTES)
    text = part * round(gigabytes * 1e9 / len(part))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    arrays = _native.surprise_lines([text], threads=1)
    returned = sum(array.nbytes for array in arrays)
    beyond = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before - returned
    print(
        f"memory for {len(text) / 1e9:.2f} GB of text: {returned / 1e6:.0f} MB returned,"
        f" {beyond / 1e6:.0f} MB beyond (goal: at most 300 MB)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=1.0)
    options = parser.parse_args()
    print_memory(options.gigabytes)
    print_threads()


if __name__ == "__main__":
    main()
