"""Compress real files of the supported languages in every mode and check the rules: `make corpus-check`.

usage: python -m fuzz.compression_corpus [--files N] FOLDER ...
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from compression_rules import CODE, broken_rules
from ctxsieve.compress import read_source
from ctxsieve.languages import language_of

# Larger files are mostly generated, and take minutes each with every mode checked. Of 3,000 files up to this size in
# 26 languages the longest took 8 s, all of them 11 minutes of one processor.
LARGEST_BYTES = 200_000


def files_of_code(folders: Sequence[Path]) -> dict[str, list[Path]]:
    """Return the files of each supported language, in the order of their paths."""
    found: dict[str, list[Path]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            language = language_of(path.name)
            if language is None or language.name not in CODE or path.is_symlink() or not path.is_file():
                continue
            if 0 < path.stat().st_size <= LARGEST_BYTES:
                found.setdefault(language.name, []).append(path)
    return found


def sample(found: dict[str, list[Path]], maximum: int) -> list[Path]:
    """Return at most so many files, each language as evenly as its number of files allows."""
    left, chosen = maximum, []
    by_size = sorted(found.values(), key=len)
    for position, paths in enumerate(by_size):
        count = min(len(paths), left // (len(by_size) - position))
        chosen += [paths[number * len(paths) // count] for number in range(count)]
        left -= count
    return chosen


def problems_of(path: Path) -> tuple[str, str, list[str]]:
    """Return the file's path and language, and which rules its renderings break."""
    language = language_of(path.name)
    assert language is not None, path
    return str(path), language.name, broken_rules(read_source(path.name, path.read_bytes(), language))


def main() -> int:
    """Print how many files of each language were checked and what is broken; 1 where anything is, or without files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=3000, help="at most so many, each language alike")
    arguments = parser.parse_args()
    found = files_of_code(arguments.folders)
    chosen = sample(found, arguments.files)
    counts: Counter[str] = Counter()
    broken = 0
    start = time.monotonic()
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as executor:
        for path, language, problems in executor.map(problems_of, chosen, chunksize=8):
            counts[language] += 1
            for problem in problems:
                broken += 1
                print(f"{path}: {problem}")
    for language in CODE:
        print(f"{language}: {counts[language]} of {len(found.get(language, ()))} files")
    minutes = (time.monotonic() - start) / 60
    print(f"{len(chosen)} files in six renderings each, {minutes:.0f} minutes, {broken} broken rules")
    return 1 if broken or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
