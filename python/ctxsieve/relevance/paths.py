"""Words of the task in the paths of the files: two fields, the file's name and its folders."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import find_path_words
from ctxsieve.values import dataclass

__all__ = ["PATH_FIELDS", "PathMatches", "find_named_paths", "match_paths"]

PATH_FIELDS = ("file_name", "folders")
_LONGEST_WORD = 64
_MOST_AMBIGUOUS = 5


@dataclass(frozen=True, slots=True)
class PathMatches:
    """Occurrences of wanted words: `term` and `weight` come from `wanted`, `field` indexes PATH_FIELDS.

    `lengths` has the number of words per document and field.
    """

    documents: npt.NDArray[np.int64]
    terms: npt.NDArray[np.int64]
    fields: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    lengths: npt.NDArray[np.int64]


def match_paths(paths: Sequence[str], wanted: Mapping[str, Sequence[tuple[int, float]]]) -> PathMatches:
    """Return where the lower-case `wanted` words stand in the paths, sorted by (document, field, term).

    A word is a part of a camel-case or separated name, with and without a number at its end, or a whole folder or file
    name (extension left out) with its separators removed. A term counts once per word of the path, with the largest of
    its weights.
    """
    numbers: dict[bytes, int] = {}
    terms_of: list[dict[int, float]] = []
    for word, entries in wanted.items():
        text = word.replace("_", "").encode("utf-8", "surrogateescape")[:_LONGEST_WORD]
        if numbers.setdefault(text, len(terms_of)) == len(terms_of):
            terms_of.append({})
        terms = terms_of[numbers[text]]
        for term, weight in entries:
            terms[term] = max(weight, terms.get(term, 0.0))
    # Undecodable names are text with surrogates.
    joined = "\0".join([*paths, ""]).encode("utf-8", "surrogateescape")
    words, documents, fields, lengths = find_path_words(joined, list(numbers))
    best: dict[tuple[int, int, int], float] = {}
    for word_number, document, field in zip(words.tolist(), documents.tolist(), fields.tolist(), strict=True):
        for term, weight in terms_of[word_number].items():
            place = (document, field, term)
            best[place] = best.get(place, 0.0) + weight
    rows = sorted(best.items())
    table = np.array([place for place, _ in rows], dtype=np.int64).reshape(-1, 3)
    weights = np.array([weight for _, weight in rows], dtype=np.float64)
    return PathMatches(table[:, 0], table[:, 2], table[:, 1], weights, lengths.reshape(-1, 2))


def find_named_paths(paths: Sequence[str], names: Sequence[str]) -> list[dict[int, float]]:
    """Return for each of `names` (paths or their ends) the documents it means, with a share of 1 by how many fit.

    A name means the paths that equal it, else those that end in it, else, for absolute paths from elsewhere, those
    that its longest end fits. Names that fit more than five files say nothing.
    """
    tails = [name.lower().strip("/").split("/") for name in names]
    wanted = {parts[-1] for parts in tails}
    by_file_name: dict[str, list[int]] = {name: [] for name in wanted}
    if wanted:
        for document, path in enumerate(paths):
            file_name = path.rpartition("/")[2].lower()
            if file_name in wanted:
                by_file_name[file_name].append(document)
    found = []
    for parts in tails:
        documents = _longest_ending(paths, by_file_name[parts[-1]], parts)
        is_clear = 0 < len(documents) <= _MOST_AMBIGUOUS
        found.append({document: 1.0 / len(documents) for document in documents} if is_clear else {})
    return found


def _longest_ending(paths: Sequence[str], documents: list[int], parts: list[str]) -> list[int]:
    best: list[int] = []
    longest = 0
    for document in documents:
        own = paths[document].lower().split("/")
        shared = 0
        while shared < min(len(own), len(parts)) and own[-1 - shared] == parts[-1 - shared]:
            shared += 1
        whole = shared == len(own) or shared == len(parts)
        size = shared * 2 + whole
        if size > longest:
            best, longest = [document], size
        elif size == longest:
            best.append(document)
    if len(best) > 1:
        exact = [document for document in best if paths[document].lower().split("/") == parts]
        return exact or best
    return best
