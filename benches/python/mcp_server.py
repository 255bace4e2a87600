"""How long a client waits: the server's tools on a warm index, over standard input and output.

python -m benches.python.mcp_server TREE
"""

import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

LIMITS_SECONDS = {"ctx_preload, warm": 0.4, "ctx_read, 1,000 lines": 0.05}
ROUNDS = 15
TASKS = ("fix the {} bug in how names are resolved", "change how {} is loaded", "where is {} validated")
WORDS = ("model", "query", "form", "cache", "session")


def file_of_1000_lines(tree: Path) -> str:
    """The source file whose number of lines is nearest to 1,000."""
    files = [path for path in tree.rglob("*.py") if path.stat().st_size < 200_000]
    nearest = min(files, key=lambda path: (abs(path.read_bytes().count(b"\n") - 1000), path))
    return nearest.relative_to(tree).as_posix()


async def timed(act: Callable[[int], Awaitable[object]]) -> tuple[list[float], float]:
    """Durations of the rounds in seconds, after one that warms up, and the server's processor seconds a round."""
    durations = []
    await act(0)
    used = server_seconds()
    for number in range(1, ROUNDS + 1):
        started = time.perf_counter()
        await act(number)
        durations.append(time.perf_counter() - started)
    return sorted(durations), (server_seconds() - used) / ROUNDS


def server_seconds() -> float:
    """Processor seconds of this process's children so far, 0 where the system does not tell; they show its load."""
    total = 0
    for children in Path("/proc/self/task").glob("*/children"):
        for child in children.read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


async def measure(tree: Path) -> bool:
    """Print a row per tool; say whether all limits hold."""
    command = [sys.executable, "-m", "ctxsieve", "mcp", "--path", str(tree)]
    started = time.perf_counter()
    async with Client(StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))) as client:
        print(f"{'start and handshake':<26} {time.perf_counter() - started:8.3f} s")
        started = time.perf_counter()
        await client.call_tool("ctx_overview", {})
        print(f"{'first answer':<26} {time.perf_counter() - started:8.3f} s")
        path = file_of_1000_lines(tree)
        tasks = [task.format(word) for task in TASKS for word in WORDS]
        rows: dict[str, Callable[[int], Awaitable[object]]] = {
            "ctx_preload, warm": lambda number: client.call_tool(
                "ctx_preload", {"task": tasks[number % len(tasks)], "fresh": True}
            ),
            "ctx_read, 1,000 lines": lambda _: client.call_tool("ctx_read", {"paths": [path], "fresh": True}),
            "ctx_read, again": lambda _: client.call_tool("ctx_read", {"paths": [path]}),
            "ctx_read, map": lambda _: client.call_tool("ctx_read", {"paths": [path], "mode": "map", "fresh": True}),
            "ctx_graph, impact": lambda _: client.call_tool("ctx_graph", {"path": path, "action": "impact"}),
            "ctx_overview": lambda _: client.call_tool("ctx_overview", {}),
        }
        holds = True
        print(f"{'':<26} {'median':>10} {'worst':>10} {'processor':>10}")
        for name, act in rows.items():
            durations, used = await timed(act)
            median = statistics.median(durations)
            limit = LIMITS_SECONDS.get(name)
            verdict = "" if limit is None else f"  at most {limit} s: {'holds' if median <= limit else 'MISSED'}"
            holds = holds and (limit is None or median <= limit)
            print(f"{name:<26} {median:8.3f} s {durations[-1]:8.3f} s {used:8.3f} s{verdict}")
    return holds


def main() -> int:
    """Measure on the tree that is named."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    return 0 if anyio.run(measure, Path(sys.argv[1]).resolve()) else 1


if __name__ == "__main__":
    sys.exit(main())
