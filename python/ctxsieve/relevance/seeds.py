"""The initial heat of every file: what the task says about it, before the graph is asked."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.relevance.commits import ChangeRecord, match_commits, match_tickets, measure_recency, spread_co_change
from ctxsieve.relevance.lexical import LexicalScores, SearchableIndex, score_words
from ctxsieve.relevance.options import RelevanceOptions, RoleWeights
from ctxsieve.relevance.paths import find_named_paths
from ctxsieve.relevance.spread import EdgeList, scale_to_one
from ctxsieve.relevance.terms import TaskTerms, Term
from ctxsieve.values import dataclass

__all__ = ["Seeds", "plant_seeds", "role_factors"]

_FRAME_DECAY = 0.7
# About what one small commit just now gives: where all files are equally new, none is recent.
_ONE_CHANGE = 1.0
_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts", ".pyi")


@dataclass(frozen=True, slots=True)
class Seeds:
    """`total` is scaled to a maximum of 1; `signals` add up to it, document by document."""

    total: npt.NDArray[np.float64]
    signals: Mapping[str, npt.NDArray[np.float64]]
    words: LexicalScores
    traced_lines: Mapping[int, tuple[int, ...]]


def role_factors(
    roles: Sequence[str], paths: Sequence[str], asked: frozenset[str], weights: RoleWeights
) -> npt.NDArray[np.float64]:
    """Return by document the share of its score that a file keeps for its role; roles that are asked for keep more."""
    table = {}
    for role in ("test", "docs", "example", "config", "data", "vendored", "generated", "minified", "binary"):
        factor = float(getattr(weights, role))
        table[role] = min(1.0, factor * weights.asked_factor) if role in asked else factor
    table["build"] = table["config"]
    table |= dict.fromkeys(set(roles) - table.keys(), 1.0)
    factors = np.array(list(map(table.__getitem__, roles)), dtype=np.float64)
    declarations = [document for document, path in enumerate(paths) if path.endswith(_DECLARATIONS)]
    factors[[document for document in declarations if roles[document] == "source"]] = weights.declaration
    return factors


def plant_seeds(
    index: SearchableIndex,
    task: TaskTerms,
    terms: Sequence[Term],
    *,
    roles: Sequence[str],
    changes: ChangeRecord | None,
    tests: EdgeList,
    options: RelevanceOptions,
) -> Seeds:
    """Return the seeds of all documents; `tests` holds the edges from a test to what it tests."""
    n = len(index.paths)
    factors = role_factors(roles, index.paths, task.asks_for, options.roles)
    reference = np.array([role == "source" for role in roles], dtype=bool)
    words = score_words(index, terms, reference=reference, weights=options.lexical, term_weights=options.terms)
    lexical = scale_to_one(words.total)
    signals: dict[str, npt.NDArray[np.float64]] = {
        "words": lexical * factors,
        "title": options.title * words.titles * factors,
    }
    if changes is not None:
        past, _ = match_commits(changes, terms, options)
        signals["history"] = options.history * scale_to_one(past) * factors
        lately = scale_to_one(measure_recency(changes, options), at_least=_ONE_CHANGE)
        signals["tickets"] = options.ticket * match_tickets(changes, task.tickets) * factors
        signals["recency"] = options.recency * lately * factors
    if len(tests.sources):
        tested = np.zeros(n)
        np.maximum.at(tested, tests.targets, lexical[tests.sources])
        signals["tests"] = options.test_of * tested * factors
    if not words.total.any() and changes is not None and not (signals["history"] + signals["tickets"]).any():
        # Recency alone is no match.
        signals.pop("recency", None)
    signals = _scale_together(signals)
    if changes is not None:
        together = scale_to_one(spread_co_change(changes, _sum(signals, n), options))
        signals["co_change"] = options.co_change * together * factors
        signals = _scale_together(signals)
    named, traced, lines = _find_named(index.paths, task, options)
    signals["named"] = named
    signals["trace"] = traced
    signals = _scale_together(signals)
    return Seeds(_sum(signals, n), signals, words, lines)


def _sum(signals: Mapping[str, npt.NDArray[np.float64]], n: int) -> npt.NDArray[np.float64]:
    total = np.zeros(n)
    for values in signals.values():
        total = total + values
    return total


def _scale_together(signals: Mapping[str, npt.NDArray[np.float64]]) -> dict[str, npt.NDArray[np.float64]]:
    n = len(next(iter(signals.values())))
    total = _sum(signals, n)
    largest = float(total.max()) if n else 0.0
    return {name: values / largest if largest > 0 else values for name, values in signals.items()}


def _find_named(
    paths: Sequence[str], task: TaskTerms, options: RelevanceOptions
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], dict[int, tuple[int, ...]]]:
    """Return what paths in the task add, what stack frames add, and the lines that the frames name."""
    named, traced = np.zeros(len(paths)), np.zeros(len(paths))
    frame_paths = {frame.path for frame in task.frames}
    names = [path for path in task.paths if path not in frame_paths]
    found = find_named_paths(paths, [*names, *(frame.path for frame in task.frames)])
    for documents in found[: len(names)]:
        for document, share in documents.items():
            named[document] = max(named[document], options.mentioned * share)
    lines: dict[int, list[int]] = {}
    rank = 0
    for frame, documents in zip(task.frames, found[len(names) :], strict=True):
        for document, share in documents.items():
            traced[document] = max(traced[document], options.traced * share * _FRAME_DECAY**rank)
            lines.setdefault(document, []).append(frame.line)
        # Frames in code of others do not push the project's own frames down.
        rank += bool(documents)
    return named, traced, {document: tuple(sorted(set(numbers))) for document, numbers in lines.items()}
