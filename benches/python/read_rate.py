"""Aggressive reads of many files against parsing alone: `python -m benches.python.read_rate FOLDER`.

Parsing is what any syntax-aware compression needs at least once. Both sides take the same files with the same limits on
as many threads. Parsing has the bytes in memory, parses them natively in one call and counts error nodes. A read
also opens each file inside the root and reads and decodes it, finds definitions and nodes, counts tokens, scores lines,
chooses, writes, checks that the rest parses (parsing it again where the tree does not tell), and makes the values that
a caller gets. All files are read in one answer, in which lines that stand in it already are searched for, and once more
without that search. The sides alternate; the medians are compared.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from ctxsieve._kernels import PARSE_LIMIT, query_captures
from ctxsieve.dedup import DedupOptions
from ctxsieve.languages import language_of
from ctxsieve.pipeline import read_files

ROUNDS = 5


def parse_all(sources: dict[str, list[bytes]], threads: int) -> None:
    for grammar, data in sources.items():
        query_captures(data, grammar, "", parse_limit=PARSE_LIMIT, match_limit=1000, threads=threads)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def read_all(folder: Path, paths: list[str], threads: int, *, has_search: bool) -> None:
    read_files(folder, paths, "aggressive", threads=threads, dedup=DedupOptions(enabled=has_search))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    sources: dict[str, list[bytes]] = {}
    paths = []
    for path in sorted(asked.folder.rglob("*")):
        language = language_of(path.name)
        if len(paths) == asked.files or language is None or language.grammar is None or not path.is_file():
            continue
        data = path.read_bytes()
        if 500 <= len(data) <= 200_000 and b"\0" not in data:
            sources.setdefault(language.grammar, []).append(data)
            paths.append(path.relative_to(asked.folder).as_posix())
    megabytes = sum(len(data) for files in sources.values() for data in files) / 1e6
    sides: dict[str, Callable[[], object]] = {
        "parsing": lambda: parse_all(sources, asked.threads),
        "aggressive": lambda: read_all(asked.folder, paths, asked.threads, has_search=True),
        "aggressive without the search for repeats": lambda: read_all(
            asked.folder, paths, asked.threads, has_search=False
        ),
    }
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, work in sides.items():
            times[name].append(seconds(work))
    print(f"{len(paths)} files, {megabytes:.1f} MB, {asked.threads} threads")
    parsing = statistics.median(times["parsing"])
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name}: {megabytes / median:.2f} MB/s, {parsing / median:.2f} of parsing")


if __name__ == "__main__":
    main()
