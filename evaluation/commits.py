"""Measure the ranking on real commits: the message is the task, the parent tree the input, its changes the answer.

usage: python -m evaluation.commits ROWS.jsonl... --repositories FOLDER [--ablate] [--workers N]

A row is a JSON object with `repo` (a clone below FOLDER), `parent` (commit), `task` and `gold` (paths). Trees and
indexes are kept in --cache. Only what HEAD of the parent's worktree reaches is used as history.
"""

import argparse
import json
import subprocess
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from ctxsieve.graph import load_or_build
from ctxsieve.relevance import RelevanceOptions, rank_files, read_history
from evaluation.variants import ABLATIONS, HISTORY_ABLATIONS, change

Outcome = tuple[bool, bool, bool]


def measure(row: dict[str, object], *, repositories: Path, cache: Path, variants: tuple[str, ...]) -> list[Outcome]:
    """Return per variant whether a right file came first, and all within the first five and ten."""
    tree = cache / "trees" / f"{row['repo']}-{str(row['parent'])[:12]}"
    if not tree.is_dir():
        clone = str(repositories / str(row["repo"]))
        command = [
            "git",
            "-C",
            clone,
            "worktree",
            "add",
            "--quiet",
            "--detach",
            "--force",
            str(tree),
            str(row["parent"]),
        ]
        subprocess.run(command, check=True, capture_output=True)
    graph = load_or_build(tree, cache_directory=cache / "index")
    history = read_history(tree, cache_directory=cache / "index")
    gold = set(row["gold"]) if isinstance(row["gold"], list) else set()
    outcomes = []
    for name in variants:
        options = change(RelevanceOptions(), (ABLATIONS | HISTORY_ABLATIONS)[name])
        given = None if name == "no history at all" else history
        files = rank_files(graph, str(row["task"]), history=given, options=options).files
        found = [file.path for file in files[:10]]
        outcomes.append((bool(found) and found[0] in gold, gold <= set(found[:5]), gold <= set(found)))
    return outcomes


def main() -> None:
    """Print a row per repository and one over all, then a row per variant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, nargs="+")
    parser.add_argument("--repositories", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path(".evaluation"))
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    variants = tuple(ABLATIONS | HISTORY_ABLATIONS) if asked.ablate else ("as it is",)
    rows = [json.loads(line) for path in asked.rows for line in path.read_text(encoding="utf-8").splitlines()]
    work = partial(measure, repositories=asked.repositories, cache=asked.cache.resolve(), variants=variants)
    with ProcessPoolExecutor(asked.workers) as pool:
        outcomes = list(pool.map(work, rows, chunksize=5))
    by_repository: dict[str, list[Outcome]] = defaultdict(list)
    for row, outcome in zip(rows, outcomes, strict=True):
        by_repository[row["repo"]].append(outcome[0])
    print(f"{'':28s} {'tasks':>5s} {'first':>6s} {'in 5':>6s} {'in 10':>6s}")
    for name, found in (*by_repository.items(), *((v, [o[i] for o in outcomes]) for i, v in enumerate(variants))):
        shares = [sum(outcome[column] for outcome in found) / len(found) for column in range(3)]
        print(f"{name:28s} {len(found):5d} {shares[0]:6.3f} {shares[1]:6.3f} {shares[2]:6.3f}")


if __name__ == "__main__":
    main()
