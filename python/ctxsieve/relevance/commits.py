"""Seeds from the past commits: messages like the task, recent changes, and files that change together."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.relevance.history import History, ticket_key
from ctxsieve.relevance.options import RelevanceOptions
from ctxsieve.relevance.terms import Term
from ctxsieve.values import dataclass

__all__ = [
    "ChangeRecord", "match_commits", "match_tickets", "measure_recency", "place_history", "spread_co_change"
]  # fmt: skip

_LARGEST_GROUP = 10
_FEW_CHANGES = 3.0


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """A history on the documents of an index: commit and document of every change to a file that still exists."""

    history: History
    n_documents: int
    commits: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int64]


def place_history(history: History, paths: Sequence[str], numbers: dict[str, int] | None = None) -> ChangeRecord:
    """Return the changes of `history` that concern `paths`."""
    known = numbers if numbers is not None else {path: number for number, path in enumerate(paths)}
    document_of = np.array([known.get(path, -1) for path in history.paths], dtype=np.int64)
    counts = np.diff(history.commit_indptr)
    commits = np.repeat(np.arange(len(history), dtype=np.int64), counts)
    documents = document_of[history.commit_paths] if len(history.paths) else history.commit_paths
    alive = documents >= 0
    return ChangeRecord(history, len(paths), commits[alive], documents[alive])


def _sum_by_document(record: ChangeRecord, commit_values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    values = commit_values[record.commits]
    return np.bincount(record.documents, weights=values, minlength=record.n_documents).astype(np.float64)


def match_commits(
    record: ChangeRecord, terms: Sequence[Term], options: RelevanceOptions
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return a score by document from the commits whose message resembles the task, and the similarity by commit.

    The similarity is the share of the terms' weight times rarity that the message has, lowered by the square root of
    its length; the file gets a power of it, decayed by age and divided by a power of the commit's size.
    """
    history = record.history
    n_commits = len(history)
    similarity = np.zeros(n_commits)
    if not n_commits or not terms:
        return np.zeros(record.n_documents), similarity
    positions = {key: position for position, key in enumerate(history.term_keys)}
    total = 0.0
    for term in terms:
        position = positions.get(term.key)
        commits = (
            history.term_commits[history.term_indptr[position] : history.term_indptr[position + 1]]
            if position is not None
            else history.term_commits[:0]
        )
        rarity = float(np.log(1.0 + (n_commits - len(commits) + 0.5) / (len(commits) + 0.5)))
        similarity[commits] += term.weight * rarity
        total += term.weight * rarity
    if total <= 0:
        return np.zeros(record.n_documents), similarity
    similarity = similarity / total / np.sqrt(1.0 + history.term_counts / options.history_message_terms)
    value = (
        similarity**options.history_power
        * np.exp(-history.ages / options.history_commits)
        / history.file_counts**options.history_commit_size
    )
    return _sum_by_document(record, value), similarity


def match_tickets(record: ChangeRecord, tickets: Sequence[str]) -> npt.NDArray[np.float64]:
    """Return by document the share of the past commits that name a ticket which changed it, the largest over tickets.

    Where many commits name one ticket, each says little about the next.
    """
    history = record.history
    share = np.zeros(record.n_documents)
    for name in tickets:
        position = bisect_left(history.term_keys, ticket_key(name))
        if history.term_keys[position : position + 1] != (ticket_key(name),):
            continue
        commits = history.term_commits[history.term_indptr[position] : history.term_indptr[position + 1]]
        is_named = np.zeros(len(history))
        is_named[commits] = 1.0 / len(commits)
        share = np.maximum(share, _sum_by_document(record, is_named))
    return share


def measure_recency(record: ChangeRecord, options: RelevanceOptions) -> npt.NDArray[np.float64]:
    """Return how much each document changed lately; time is counted in commits."""
    history = record.history
    if not len(history):
        return np.zeros(record.n_documents)
    value = np.exp(-history.ages / options.recency_commits) / np.sqrt(history.file_counts)
    return np.log1p(_sum_by_document(record, value))


def spread_co_change(
    record: ChangeRecord, seeds: npt.NDArray[np.float64], options: RelevanceOptions
) -> npt.NDArray[np.float64]:
    """Return by document the share of its changes that went with the best seeds, discounted where there are few.

    Only commits of 2 to 10 files count, decayed by age; a seed counts by its square.
    """
    history = record.history
    n = record.n_documents
    sizes = np.bincount(record.commits, minlength=len(history))
    is_group = (sizes >= 2) & (sizes <= _LARGEST_GROUP)
    rows = is_group[record.commits]
    if not rows.any():
        return np.zeros(n)
    commits, documents = record.commits[rows], record.documents[rows]
    squares = seeds[documents] ** 2
    of_commit = np.bincount(commits, weights=squares, minlength=len(history))
    decay = np.exp(-history.ages / options.co_change_commits)
    partner_share = decay[commits] / (sizes[commits] - 1)
    gained = np.bincount(documents, weights=partner_share * (of_commit[commits] - squares), minlength=n)
    changes = np.bincount(documents, weights=decay[commits], minlength=n)
    return gained / (changes + _FEW_CHANGES)
