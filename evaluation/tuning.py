"""Tunes the documented weights from round numbers, on all repositories and with each one left out."""

from collections.abc import Callable, Mapping, Sequence

__all__ = ["GRID", "START", "Outcome", "Weights", "leave_one_out", "measure_shares", "tune"]

# Whether a right file came first, and all came within the first five and ten.
Outcome = tuple[bool, bool, bool]
Weights = tuple[tuple[str, float], ...]
Evaluate = Callable[[Sequence[Weights]], Sequence[Sequence[Outcome]]]

# Where nothing is known: fields count alike, roles and kinds of words do not matter, there is no history. In the order
# in which they are tuned, the values tried after the first.
GRID: Mapping[str, tuple[float, ...]] = {
    "roles.test": (1.0, 0.5, 0.2),
    "roles.docs": (1.0, 0.3, 0.06),
    "roles.config": (1.0, 0.4, 0.16),
    "history": (0.0, 0.3, 0.6),
    "history_power": (1.0, 2.4),
    "recency": (0.0, 0.15, 0.3),
    "lexical.body_length": (0.75, 0.6, 0.4),
    "lexical.saturation": (1.2, 3.0),
    "lexical.file_name": (1.0, 4.0, 10.0),
    "lexical.folders": (1.0, 2.0),
    "lexical.definitions": (1.0, 3.0),
    "lexical.comments": (1.0, 0.6),
    "terms.compound": (1.0, 1.5),
    "terms.quoted": (1.0, 3.0),
    "terms.commit_word": (1.0, 0.2),
    "terms.common": (1.0, 0.5, 0.2),
    "terms.after_first_line": (1.0, 0.4),
    "ticket": (0.0, 0.3),
    "co_change": (0.0, 0.2),
    "test_of": (0.0, 0.16),
    "title": (0.0, 0.3),
}
START: Weights = tuple((name, values[0]) for name, values in GRID.items())


def measure_shares(outcomes: Sequence[Outcome]) -> tuple[float, float, float]:
    """Return the shares of tasks that reached each of the three."""
    n = max(1, len(outcomes))
    first, five, ten = (sum(outcome[column] for outcome in outcomes) / n for column in range(3))
    return first, five, ten


def _objective(outcomes: Sequence[Outcome]) -> float:
    first, five, ten = measure_shares(outcomes)
    return first + five + 0.5 * ten


def tune(evaluate: Evaluate, chosen: Sequence[int]) -> Weights:
    """Return the weights that one pass over the grid finds best on the rows `chosen`; ties keep the value before."""
    current = dict(START)
    for name, values in GRID.items():
        candidates = [tuple({**current, name: value}.items()) for value in values]
        found = evaluate(candidates)
        scores = [_objective([outcomes[row] for row in chosen]) for outcomes in found]
        current = dict(candidates[scores.index(max(scores))])
    return tuple(current.items())


def leave_one_out(evaluate: Evaluate, groups: Sequence[str]) -> tuple[list[Outcome], list[Outcome], Weights]:
    """Return the outcomes of weights tuned on all rows, those of weights tuned without the row's group, and the former.

    `groups` names the repository of each row.
    """
    everywhere = tune(evaluate, range(len(groups)))
    tuned = list(evaluate([everywhere])[0])
    left_out = list(tuned)
    for group in dict.fromkeys(groups):
        weights = tune(evaluate, [row for row, name in enumerate(groups) if name != group])
        outcomes = evaluate([weights])[0]
        for row, name in enumerate(groups):
            if name == group:
                left_out[row] = outcomes[row]
    return tuned, left_out, everywhere
