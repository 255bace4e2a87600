"""How much of what is loaded at once repeats: `python -m benches.python.repeats FOLDER [--loads N]`.

Loads of eight files are chosen as `benchmark run` does, and read in `full` and in `aggressive`. The columns: the share
of the tokens on lines that maximal marginal relevance suppresses line by line; the part of it in whole syntax nodes (or
lines of prose) whose shown lines are all redundant; what is left of that when each run of lines pays for a mark of 12
tokens, unless it touches lines that the mode left out, whose mark stands there already; and what a read leaves out, by
exact counts of whole texts. All others are sums over lines.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from ctxsieve import Project
from ctxsieve.benchmark.together import choose_neighbours, choose_related
from ctxsieve.compress import find_lines, find_whole_nodes, is_code, read_source
from ctxsieve.dedup import DedupOptions, find_redundant_lines
from ctxsieve.languages import LANGUAGES
from ctxsieve.pipeline import Reading, read_files
from ctxsieve.tokens import count_lines

MARK_TOKENS = 12
Place = tuple[int, int]


def gains_of_runs(hidden: set[int], shown: dict[int, int], texts: Sequence[str]) -> Iterator[int]:
    """Yield the tokens that each run of hidden lines saves; blank lines and lines that are not shown join runs."""
    cost, mark = 0, MARK_TOKENS
    for line in range(1, len(texts) + 1):
        if line in hidden and line in shown:
            cost += shown[line]
        elif line in shown and texts[line - 1].strip():
            yield max(0, cost - mark)
            cost, mark = 0, MARK_TOKENS
        elif line not in shown:
            mark = 0
    yield max(0, cost - mark)


def measure(readings: Sequence[Reading]) -> tuple[int, int, int, int]:
    """Return all tokens of a load, and those of redundant lines, of redundant nodes, and of these beyond marks."""
    sources = [read_source(reading.path, reading.data, LANGUAGES.get(reading.language)) for reading in readings]
    places: list[Place] = [
        (f, line) for f, r in enumerate(readings) for span in r.lines for line in range(span.first, span.last + 1)
    ]
    texts = [sources[f].lines[line - 1] for f, line in places]
    costs = [int(count) + 1 for count in count_lines("".join([f"{text}\n" for text in texts]))]
    found = find_redundant_lines(texts, [0.0] * len(texts), DedupOptions())
    redundant, short = (
        {place for place, flag in zip(places, flags.tolist(), strict=True) if flag}
        for flags in (found.is_redundant, found.is_short)
    )
    by_file: list[dict[int, int]] = [{} for _ in readings]
    for (f, line), cost in zip(places, costs, strict=True):
        by_file[f][line] = cost
    in_nodes = beyond = 0
    for f, source in enumerate(sources):
        shown = by_file[f]
        free = {line for line in range(1, len(source.lines) + 1) if line not in shown or (f, line) in short}
        hidden: set[int] = set()
        for node in find_whole_nodes(source) if is_code(source) else find_lines(source):
            lines = range(node.first, node.last + 1)
            if all(line in free or (f, line) in redundant for line in lines):
                hidden.update(lines)
        in_nodes += sum(shown.get(line, 0) for line in hidden)
        beyond += sum(gains_of_runs(hidden, shown, source.lines))
    return sum(costs), sum(by_file[f][line] for f, line in redundant), in_nodes, beyond


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--loads", type=int, default=12)
    asked = parser.parse_args()
    project = Project.open(asked.folder)
    index = project.graph().index
    skipped = {path for path, _ in index.skipped}
    paths = [path for path in index.paths if path not in skipped]
    kinds = {
        "neighbours": list(choose_neighbours(paths, asked.loads)),
        "task": list(choose_related(paths, asked.loads, lambda task: [file.path for file in project.rank(task).files])),
    }
    print("load        mode            tokens  lines  nodes  beyond marks  left out")
    for kind, loads in kinds.items():
        for mode in ("full", "aggressive"):
            sums = [0] * 4
            sent = left = 0
            for load in loads:
                whole, without = (
                    read_files(asked.folder, load, mode, dedup=DedupOptions(enabled=enabled))
                    for enabled in (False, True)
                )
                sums = [one + other for one, other in zip(sums, measure(whole), strict=True)]
                sent += sum(reading.tokens for reading in whole)
                left += sum(reading.tokens for reading in without)
            shares = [f"{part / max(1, sums[0]):6.1%}" for part in sums[1:]]
            saved = 1 - left / max(1, sent)
            print(f"{kind:<11} {mode:<11} {sent:>10} {shares[0]} {shares[1]} {shares[2]:>13} {saved:>9.1%}")


if __name__ == "__main__":
    main()
