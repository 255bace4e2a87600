"""What loads that belong together lose by repeats: `python -m benches.python.loads FOLDER [--loads N]`.

Read in `aggressive`, with the search for repeats and without: up to eight files of code of one folder and language, up
to eight tests of one folder and language, and four files of code each followed by the test that is named after it. So
many loads of each kind are taken evenly over the order of paths. The last columns give the same without two limits of
the search: however many names are lost, and however little a mark saves.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from pathlib import PurePosixPath as Name

from ctxsieve import Project
from ctxsieve.dedup import DedupOptions
from ctxsieve.languages import LanguageKind, language_of
from ctxsieve.pipeline import read_files

FILES = 8
LIMITS = (DedupOptions(), DedupOptions(lost_identifiers=1.0), DedupOptions(least_gain_tokens=1))
_TEST_MARKS = re.compile(r"^test_|^Test(?=[A-Z])|[._-](test|spec)s?$|Tests?$", re.ASCII)
_TEST_ROLE = "test"


def of_folders(paths: Sequence[str]) -> Iterator[list[str]]:
    """Yield neighbours of one folder and language, at least half as many as make a load."""
    groups: dict[tuple[str, str], list[str]] = {}
    for path in paths:
        groups.setdefault((str(Name(path).parent), Name(path).suffix), []).append(path)
    for group in groups.values():
        for start in range(0, len(group), FILES):
            if len(group) - start >= FILES // 2:
                yield group[start : start + FILES]


def with_tests(code: Sequence[str], tests: Sequence[str]) -> Iterator[list[str]]:
    """Yield files of code, each followed by the first test of its name."""
    named: dict[tuple[str, str], str] = {}
    for test in tests:
        stem = _TEST_MARKS.sub("", Name(test).stem)
        if stem != Name(test).stem:
            named.setdefault((stem, Name(test).suffix), test)
    pairs = [(path, named[key]) for path in code if (key := (Name(path).stem, Name(path).suffix)) in named]
    half = FILES // 2
    for start in range(0, len(pairs) - half + 1, half):
        yield [path for pair in pairs[start : start + half] for path in pair]


def evenly(loads: Sequence[list[str]], maximum: int) -> list[list[str]]:
    """Return at most so many, evenly spread."""
    count = min(maximum, len(loads))
    return [loads[number * len(loads) // count] for number in range(count)]


def tokens_of(folder: Path, load: Sequence[str], dedup: DedupOptions) -> int:
    """Return the tokens of what is read."""
    return sum(reading.tokens for reading in read_files(folder, load, "aggressive", dedup=dedup))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--loads", type=int, default=12)
    asked = parser.parse_args()
    index = Project.open(asked.folder).graph().index
    skipped = {path for path, _ in index.skipped}
    by_role: dict[bool, list[str]] = {True: [], False: []}
    for path, role in zip(index.paths, index.roles, strict=True):
        language = language_of(Name(path).name)
        if path not in skipped and language is not None and language.kind is LanguageKind.CODE:
            by_role[role == _TEST_ROLE].append(path)
    kinds = {
        "code of a folder": of_folders(by_role[False]),
        "tests of a folder": of_folders(by_role[True]),
        "code and its tests": with_tests(by_role[False], by_role[True]),
    }
    print("loads                 number  tokens  lost  of 10% and more  any names  any gain")
    for kind, loads in kinds.items():
        chosen = evenly(list(loads), asked.loads)
        without = [tokens_of(asked.folder, load, DedupOptions(enabled=False)) for load in chosen]
        left = [[tokens_of(asked.folder, load, limits) for load in chosen] for limits in LIMITS]
        whole = sum(without) or 1
        shares = [f"{(sum(without) - sum(tokens)) / whole:.1%}" for tokens in left]
        many = sum(tokens <= 0.9 * before for tokens, before in zip(left[0], without, strict=True))
        print(f"{kind:<20} {len(chosen):>7} {sum(without):>8} {shares[0]:>5} {many:>16} {shares[1]:>10} {shares[2]:>9}")


if __name__ == "__main__":
    main()
