"""Aggressive reads of many files against parsing alone: `python -m benches.python.read_rate FOLDER`.

Parsing is what any syntax-aware compression needs at least once; a read parses twice (the file, and what is left of
it), scores lines, and chooses nodes. Both sides alternate; the medians are compared.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from ctxsieve._kernels import PARSE_LIMIT, query_captures
from ctxsieve.languages import language_of
from ctxsieve.pipeline import read_files

ROUNDS = 5


def parse_all(sources: dict[str, list[bytes]], threads: int) -> None:
    for grammar, data in sources.items():
        query_captures(data, grammar, "(ERROR) @error", parse_limit=PARSE_LIMIT, match_limit=1000, threads=threads)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


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
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        times[0].append(seconds(lambda: parse_all(sources, asked.threads)))
        times[1].append(seconds(lambda: read_files(asked.folder, paths, "aggressive", threads=asked.threads)))
    parsing, reading = (statistics.median(values) for values in times)
    print(f"{len(paths)} files, {megabytes:.1f} MB, {asked.threads} threads")
    rates = f"parsing {megabytes / parsing:.2f} MB/s, aggressive {megabytes / reading:.2f} MB/s"
    print(f"{rates}: {parsing / reading:.2f} of it")


if __name__ == "__main__":
    main()
