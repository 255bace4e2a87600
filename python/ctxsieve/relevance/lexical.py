"""Seeds from words: BM25F over path, definitions, comments, strings and code.

Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (CIKM 2004). A term of the task stands
for all its spellings; their frequencies are added up before saturation.
"""

from collections.abc import Sequence, Set
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ctxsieve.relevance.options import LexicalWeights, TermWeights
from ctxsieve.relevance.paths import PATH_FIELDS, PathMatches, match_paths
from ctxsieve.relevance.terms import Term
from ctxsieve.values import dataclass

__all__ = ["LexicalScores", "SearchableIndex", "score_words", "select_terms"]

_BODY_FIELDS = 4


class SearchableIndex(Protocol):
    """What the lexical search needs of an index."""

    @property
    def paths(self) -> Sequence[str]:
        """Relative POSIX paths, sorted."""

    @property
    def lengths(self) -> npt.NDArray[np.uint32]:
        """Term occurrences by document and body field."""

    def terms_among(self, words: Sequence[str]) -> set[str]:
        """Those of the words that may have postings."""

    def postings(self, term: str) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
        """Documents of a term and frequencies by body field."""


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """`total` by document; `contributions` has for each term the documents that hold it and what it adds there.

    `term_weights` is the weight of each term times its rarity, `titles` says by document how much of the file's name
    the task says, from 0 to 1.
    """

    total: npt.NDArray[np.float64]
    titles: npt.NDArray[np.float64]
    contributions: tuple[tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]], ...]
    term_weights: npt.NDArray[np.float64]


def select_terms(index: SearchableIndex, terms: Sequence[Term], *, limit: int) -> tuple[Term, ...]:
    """Return at most `limit` terms, those of the largest weight times rarity, in their old order.

    A pasted log has thousands of words: those that the tree does not hold, or holds everywhere, are the first to go.
    """
    if len(terms) <= limit:
        return tuple(terms)
    n_documents = len(index.paths)
    keys = []
    for position, term in enumerate(terms):
        words = term.identifiers or (term.text,)
        found = max(len(index.postings(word)[0]) for word in words)
        rarity = _rarity(found, n_documents) if found else 0.0
        keys.append((-term.weight * rarity, position))
    return tuple(terms[position] for position in sorted(position for _, position in sorted(keys)[:limit]))


def _rarity(document_frequency: int, n_documents: int) -> float:
    return float(np.log(1.0 + (n_documents - document_frequency + 0.5) / (document_frequency + 0.5)))


def score_words(
    index: SearchableIndex,
    terms: Sequence[Term],
    *,
    reference: npt.NDArray[np.bool_],
    weights: LexicalWeights,
    term_weights: TermWeights,
) -> LexicalScores:
    """Return the BM25F score of every document; average lengths are those of the `reference` documents."""
    n_documents = len(index.paths)
    wanted: dict[str, list[tuple[int, float]]] = {}
    for number, term in enumerate(terms):
        for word in term.spellings:
            wanted.setdefault(word, []).append((number, 1.0))
        for word in term.related:
            wanted.setdefault(word, []).append((number, term_weights.related))
    known = index.terms_among(list(wanted))
    in_paths = match_paths(index.paths, wanted)
    lengths = np.concatenate((in_paths.lengths, index.lengths.astype(np.int64)), axis=1)
    norms = _field_norms(lengths, reference, weights)
    order = np.argsort(in_paths.terms, kind="stable")
    bounds = np.searchsorted(in_paths.terms[order], np.arange(len(terms) + 1))

    total = np.zeros(n_documents)
    contributions = []
    final_weights = np.zeros(len(terms))
    for number, term in enumerate(terms):
        frequency = _body_frequency(index, term, known, norms, term_weights.related)
        rows = order[bounds[number] : bounds[number + 1]]
        documents, fields = in_paths.documents[rows], in_paths.fields[rows]
        np.add.at(frequency, documents, in_paths.weights[rows] * norms[documents, fields])
        holders = np.flatnonzero(frequency)
        final_weights[number] = term.weight * _rarity(len(holders), n_documents)
        held = frequency[holders]
        added = final_weights[number] * (held * (weights.saturation + 1.0) / (held + weights.saturation))
        total[holders] += added
        contributions.append((holders, added))
    titles = _score_titles(in_paths, terms, final_weights)
    return LexicalScores(total, titles, tuple(contributions), final_weights)


def _score_titles(
    in_paths: PathMatches, terms: Sequence[Term], term_weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return by document how much of the file's name the task says, however long the file is.

    The mean weight of the name's words, against the heaviest term of the task, times the share of them that the task
    has; an identifier that is the whole name counts in full.
    """
    n_documents = len(in_paths.lengths)
    heaviest = float(term_weights.max()) if len(terms) else 0.0
    if heaviest <= 0:
        return np.zeros(n_documents)
    in_name = in_paths.fields == PATH_FIELDS.index("file_name")
    documents, numbers = in_paths.documents[in_name], in_paths.terms[in_name]
    shares = term_weights[numbers] / heaviest * np.minimum(in_paths.weights[in_name], 1.0)
    is_whole = np.array([bool(term.identifiers) for term in terms], dtype=bool)[numbers]
    sums = np.bincount(documents[~is_whole], weights=shares[~is_whole], minlength=n_documents)
    counts = np.bincount(documents[~is_whole], minlength=n_documents)
    sizes = np.maximum(in_paths.lengths[:, PATH_FIELDS.index("file_name")], 1)
    titles = np.minimum(sums / sizes, 1.0) * np.minimum(counts / sizes, 1.0)
    np.maximum.at(titles, documents[is_whole], shares[is_whole])
    return titles


def _field_norms(
    lengths: npt.NDArray[np.int64], reference: npt.NDArray[np.bool_], weights: LexicalWeights
) -> npt.NDArray[np.float64]:
    """Return, by document and field, what one occurrence of a term counts before saturation."""
    of_reference = lengths[reference] if reference.any() else lengths
    average = np.maximum(of_reference.sum(axis=0) / max(1, len(of_reference)), 1.0)
    field_weights = (
        weights.file_name,
        weights.folders,
        weights.definitions,
        weights.comments,
        weights.strings,
        weights.code,
    )
    b = np.array([weights.path_length] * 2 + [weights.definitions_length] + [weights.body_length] * 3)
    norms: npt.NDArray[np.float64] = np.array(field_weights) / (1.0 - b + b * (lengths / average))
    return norms


def _body_frequency(
    index: SearchableIndex, term: Term, known: Set[str], norms: npt.NDArray[np.float64], related: float
) -> npt.NDArray[np.float64]:
    frequency = np.zeros(len(norms))
    for words, weight in ((term.spellings, 1.0), (term.related, related)):
        for word in words:
            if word not in known:
                # As most spellings that a task may mean.
                continue
            documents, counts = index.postings(word)
            of_documents = norms[documents]
            found = np.zeros(len(documents))
            for field in range(_BODY_FIELDS):
                found += counts[:, field] * of_documents[:, 2 + field]
            frequency[documents] += weight * found
    return frequency
