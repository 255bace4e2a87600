"""Measure the ranking on real commits: the message is the task, the parent tree the input, its changes the answer.

usage: python -m evaluation.commits ROWS.jsonl... --repositories FOLDER [--ablate | --leave-one-out] [--workers N]

A row is a JSON object with `repo` (a clone below FOLDER), `parent` (commit), `task` and `gold` (paths). Trees and
indexes are kept in --cache. Only what HEAD of the parent's worktree reaches is used as history.
"""

import argparse
import functools
import json
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ctxsieve.graph import ProjectGraph, load_or_build
from ctxsieve.relevance import History, RelevanceOptions, rank_files, read_history
from evaluation.tuning import START, Outcome, Weights, leave_one_out, measure_shares
from evaluation.variants import ABLATIONS, HISTORY_ABLATIONS, change

_WITHOUT_HISTORY = (("without history", 1.0),)


@functools.cache
def _open(repository: str, parent: str, repositories: Path, cache: Path) -> tuple[ProjectGraph, History | None]:
    """Return the graph and the history of a commit's tree; each process opens a tree once."""
    tree = cache / "trees" / f"{repository}-{parent[:12]}"
    if not tree.is_dir():
        add = ("worktree", "add", "--quiet", "--detach", "--force", str(tree), parent)
        subprocess.run(["git", "-C", str(repositories / repository), *add], check=True, capture_output=True)
    graph = load_or_build(tree, cache_directory=cache / "index")
    # Variants of the weights look up the same words.
    graph.index.postings = functools.cache(graph.index.postings)  # type: ignore[method-assign]
    return graph, read_history(tree, cache_directory=cache / "index")


def measure(row: dict[str, object], *, repositories: Path, cache: Path, variants: Sequence[Weights]) -> list[Outcome]:
    """Return per variant whether a right file came first, and all within the first five and ten."""
    graph, history = _open(str(row["repo"]), str(row["parent"]), repositories, cache)
    gold = set(row["gold"]) if isinstance(row["gold"], list) else set()
    outcomes = []
    for weights in variants:
        options = RelevanceOptions() if weights == _WITHOUT_HISTORY else change(RelevanceOptions(), dict(weights))
        given = None if weights == _WITHOUT_HISTORY else history
        files = rank_files(graph, str(row["task"]), history=given, options=options).files
        found = [file.path for file in files[:10]]
        outcomes.append((bool(found) and found[0] in gold, gold <= set(found[:5]), gold <= set(found)))
    return outcomes


class Evaluator:
    """Measures variants on all rows; no variant twice."""

    def __init__(self, pool: ProcessPoolExecutor, rows: Sequence[dict[str, object]], **places: Path) -> None:
        self._pool, self._rows, self._places = pool, rows, places
        self._known: dict[Weights, list[Outcome]] = {}

    def __call__(self, variants: Sequence[Weights]) -> list[list[Outcome]]:
        """Return per variant the outcomes in the order of the rows."""
        fresh = [variant for variant in dict.fromkeys(variants) if variant not in self._known]
        if fresh:
            work = functools.partial(measure, variants=fresh, **self._places)
            by_row = list(self._pool.map(work, self._rows, chunksize=5))
            self._known |= {variant: [found[n] for found in by_row] for n, variant in enumerate(fresh)}
        return [self._known[variant] for variant in variants]


def print_rows(heading: str, rows: Sequence[tuple[str, Sequence[Outcome]]]) -> None:
    """Print the three shares of each named list of outcomes."""
    print(f"{heading:28s} {'tasks':>5s} {'first':>6s} {'in 5':>6s} {'in 10':>6s}")
    for name, outcomes in rows:
        first, five, ten = measure_shares(outcomes)
        print(f"{name:28s} {len(outcomes):5d} {first:6.3f} {five:6.3f} {ten:6.3f}")


def print_by_repository(heading: str, groups: Sequence[str], outcomes: Sequence[Outcome]) -> None:
    """Print a row per repository and one over all."""
    found = {
        name: [outcome for group, outcome in zip(groups, outcomes, strict=True) if group == name]
        for name in dict.fromkeys(groups)
    }
    print_rows(heading, [*found.items(), ("all", outcomes)])


def print_left_out(evaluate: Callable[[Sequence[Weights]], list[list[Outcome]]], groups: Sequence[str]) -> None:
    """Print what tuning on all repositories reaches and what is left of it on a repository that tuning did not see."""
    tuned, left_out, weights = leave_one_out(evaluate, groups)
    print_by_repository("tuned on all", groups, tuned)
    print_by_repository("tuned on the others", groups, left_out)
    print_rows("side by side", [("round numbers", evaluate([START])[0]), ("tuned", tuned), ("left out", left_out)])
    print("tuned on all: " + ", ".join(f"{name} {value:g}" for name, value in weights))


def main() -> None:
    """Print a row per repository and one over all, then what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, nargs="+")
    parser.add_argument("--repositories", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path(".evaluation"))
    parser.add_argument("--ablate", action="store_true", help="switch each signal off in turn")
    parser.add_argument("--leave-one-out", action="store_true", help="tune the weights without each repository in turn")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    rows = [json.loads(line) for path in asked.rows for line in path.read_text(encoding="utf-8").splitlines()]
    groups = [str(row["repo"]) for row in rows]
    with ProcessPoolExecutor(asked.workers) as pool:
        evaluate = Evaluator(pool, rows, repositories=asked.repositories.resolve(), cache=asked.cache.resolve())
        print_by_repository("as it is", groups, evaluate([()])[0])
        if asked.ablate:
            changes = {name: tuple(values.items()) for name, values in (ABLATIONS | HISTORY_ABLATIONS).items()}
            changes["no history at all"] = _WITHOUT_HISTORY
            print_rows("changed", list(zip(changes, evaluate(list(changes.values())), strict=True)))
        if asked.leave_one_out:
            print_left_out(evaluate, groups)


if __name__ == "__main__":
    main()
