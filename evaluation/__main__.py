"""Measure the ranking on released packages with tasks of our own; exit 1 where it got worse.

usage: python -m evaluation [--cache FOLDER] [--attempts N] [--ablate] [--sensitivity] [--verbose]

Packages are fetched once, by the clients of their registries; a package whose client is not installed is left out and
named, and what the others have to reach falls with it.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ctxsieve.graph import ProjectGraph, load_or_build
from ctxsieve.relevance import RelevanceOptions, rank_files
from evaluation.packages import HERE, Package, load_packages, missing_client, unpack
from evaluation.variants import ABLATIONS, VARIED, change

# Tasks that may be lost against the figures in packages.toml: one that moves is chance, two are a regression.
_MAY_BE_LOST = 1


@dataclass(frozen=True, slots=True)
class Case:
    """A task on a tree, and the files that it has to find."""

    language: str
    graph: ProjectGraph
    task: str
    files: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a file of the answer came first, whether all came within the first five, and what came first."""

    is_first: bool
    are_in_five: bool
    top: tuple[str, ...]


def load_cases(packages: Sequence[Package], cache: Path, *, attempts: int) -> list[Case]:
    """Return all cases; trees and indexes are kept in `cache`."""
    tasks = tomllib.loads((HERE / "tasks.toml").read_text(encoding="utf-8"))
    cases = []
    for package in packages:
        root = unpack(package, cache, attempts=attempts)
        graph = load_or_build(root, cache_directory=cache / "index")
        for entry in tasks[package.key]:
            missing = [path for path in entry["files"] if graph.index.document(path) is None]
            if missing:
                raise SystemExit(f"{package.key} has no {missing}: tasks.toml names a file that is not there")
            cases.append(Case(package.language, graph, entry["task"], frozenset(entry["files"])))
    return cases


def choose_packages(cache: Path) -> list[Package]:
    """Return the packages that can be brought here; say which cannot, and why."""
    chosen = []
    for package in load_packages():
        client = missing_client(package, cache)
        if client is None:
            chosen.append(package)
        else:
            print(f"{package.name} is left out: {client} is not installed", file=sys.stderr)
    return chosen


def find_regressions(packages: Sequence[Package], outcomes: Sequence[Outcome]) -> list[str]:
    """Return what to say where more tasks were lost than one."""
    measures = (
        ("with the right file first", sum(p.first for p in packages), sum(o.is_first for o in outcomes)),
        ("with all files in the first five", sum(p.in_five for p in packages), sum(o.are_in_five for o in outcomes)),
    )
    return [
        f"{found} tasks {what}: at least {wanted - _MAY_BE_LOST} of {len(outcomes)} must be"
        for what, wanted, found in measures
        if found < wanted - _MAY_BE_LOST
    ]


def measure(case: Case, options: RelevanceOptions) -> Outcome:
    """Rank the files for one case; packages have no history."""
    top = tuple(file.path for file in rank_files(case.graph, case.task, options=options).files[:5])
    return Outcome(bool(top) and top[0] in case.files, case.files <= set(top), top)


def _value(options: RelevanceOptions, name: str) -> float:
    found: object = options
    for part in name.split("."):
        found = getattr(found, part)
    assert isinstance(found, float)
    return found


def _shares(outcomes: Sequence[Outcome]) -> tuple[float, float]:
    n = max(1, len(outcomes))
    return sum(o.is_first for o in outcomes) / n, sum(o.are_in_five for o in outcomes) / n


def _print_rows(rows: Iterable[tuple[str, int, tuple[float, float]]]) -> None:
    print(f"{'':34s} {'tasks':>5s} {'first':>6s} {'in five':>7s}")
    for name, count, (first, five) in rows:
        print(f"{name:34s} {count:5d} {first:6.3f} {five:7.3f}")


def print_by_language(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
    """Print a row per language and one over all."""
    rows = []
    for language in dict.fromkeys(case.language for case in cases):
        chosen = [o for case, o in zip(cases, outcomes, strict=True) if case.language == language]
        rows.append((language, len(chosen), _shares(chosen)))
    _print_rows([*rows, ("all", len(cases), _shares(outcomes))])


def print_variants(cases: Sequence[Case], variants: dict[str, dict[str, float]]) -> None:
    """Print a row per variant of the options."""
    rows = []
    for name, changes in variants.items():
        options = change(RelevanceOptions(), changes)
        rows.append((name, len(cases), _shares([measure(case, options) for case in cases])))
    _print_rows(rows)


def main() -> int:
    """Print the tables that were asked for; return 1 where the ranking got worse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path(".evaluation"), help="where packages and indexes are kept")
    parser.add_argument("--attempts", type=int, default=3, help="how often a package is asked for")
    parser.add_argument("--ablate", action="store_true", help="switch each signal off in turn")
    parser.add_argument("--sensitivity", action="store_true", help="halve and double each weight")
    parser.add_argument("--verbose", action="store_true", help="print what came first where that was wrong")
    asked = parser.parse_args()
    packages = choose_packages(asked.cache)
    cases = load_cases(packages, asked.cache, attempts=asked.attempts)
    outcomes = [measure(case, RelevanceOptions()) for case in cases]
    print_by_language(cases, outcomes)
    if asked.verbose:
        for case, outcome in zip(cases, outcomes, strict=True):
            if not (outcome.is_first and outcome.are_in_five):
                print(f"\n{case.language}: {case.task.splitlines()[0]}\n  wanted {sorted(case.files)}")
                print(f"  found  {list(outcome.top)}")
    if asked.ablate:
        print_variants(cases, ABLATIONS)
    if asked.sensitivity:
        standard = RelevanceOptions()
        print_variants(cases, {f"{n} x {f:g}": {n: _value(standard, n) * f} for n in VARIED for f in (0.5, 2.0)})
    regressions = find_regressions(packages, outcomes)
    for regression in regressions:
        print(regression, file=sys.stderr)
    return 1 if regressions else 0


if __name__ == "__main__":
    sys.exit(main())
