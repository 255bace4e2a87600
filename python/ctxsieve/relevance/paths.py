"""Words of the task in the paths of the files: two fields, the file's name and its folders."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.values import dataclass

__all__ = ["PATH_FIELDS", "PathMatches", "find_named_paths", "match_paths"]

PATH_FIELDS = ("file_name", "folders")
# Words are compared by a polynomial hash modulo 2^64: two words in one tree collide with a chance below 1e-9.
_MULTIPLIER = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
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
    text = _Text(paths)
    starts, ends = text.word_spans()
    hashes = _hash_spans(text.lower, starts, ends)
    components, joined, joined_components = text.joined_components(starts)
    documents, fields = text.document_of[starts], text.field_of(components)
    lengths = np.bincount(documents * 2 + fields, minlength=2 * len(paths)).reshape(-1, 2)

    by_code: dict[int, dict[int, float]] = {}
    for word, entries in wanted.items():
        terms = by_code.setdefault(_hash_word(word), {})
        for term, weight in entries:
            terms[term] = max(weight, terms.get(term, 0.0))
    codes = sorted(by_code.items())
    keys = np.array([code for code, _ in codes], dtype=np.uint64)
    numbered, bare_ends = text.without_numbers(starts, ends)
    bare = _hash_spans(text.lower, starts[numbered], bare_ends)
    every_hash = np.concatenate((hashes, joined, bare))
    in_joined = text.document_of[text.component_starts[joined_components]]
    every_document = np.concatenate((documents, in_joined, documents[numbered]))
    every_field = np.concatenate((fields, text.field_of(joined_components), fields[numbered]))
    if not len(keys) or not len(every_hash):
        empty = np.zeros(0, dtype=np.int64)
        return PathMatches(empty, empty, empty, np.zeros(0), lengths)
    positions = np.minimum(np.searchsorted(keys, every_hash), len(keys) - 1)
    hits = np.flatnonzero(keys[positions] == every_hash)
    best: dict[tuple[int, int, int], float] = {}
    for hit in hits.tolist():
        for term, weight in codes[int(positions[hit])][1].items():
            place = (int(every_document[hit]), int(every_field[hit]), term)
            best[place] = best.get(place, 0.0) + weight
    rows = sorted(best.items())
    table = np.array([place for place, _ in rows], dtype=np.int64).reshape(-1, 3)
    weights = np.array([weight for _, weight in rows], dtype=np.float64)
    return PathMatches(table[:, 0], table[:, 2], table[:, 1], weights, lengths)


class _Text:
    """All paths as one array of bytes, cut into components (folders and file names) and words."""

    def __init__(self, paths: Sequence[str]) -> None:
        raw = ("\0".join(paths) + "\0").encode("utf-8", "surrogateescape") if paths else b""
        data = np.frombuffer(raw, dtype=np.uint8)
        self.is_upper = (data >= 65) & (data <= 90)
        self.lower = data + self.is_upper.astype(np.uint8) * np.uint8(32)
        self.is_word = ((self.lower >= 97) & (self.lower <= 122)) | ((data >= 48) & (data <= 57)) | (data >= 128)
        is_end = data == 0
        # Numbers of four bytes: these arrays are as long as all paths together.
        self.document_of = np.cumsum(is_end, dtype=np.int32) - is_end
        is_cut = is_end | (data == 47)
        self.component_of = np.cumsum(is_cut, dtype=np.int32) - is_cut
        cuts = np.flatnonzero(is_cut)
        self.component_starts = np.concatenate((np.zeros(1, np.int64), cuts[:-1] + 1)) if len(cuts) else cuts
        self.is_file_name = is_end[cuts]
        self._hide_extensions(data, cuts)

    def _hide_extensions(self, data: npt.NDArray[np.uint8], cuts: npt.NDArray[np.int64]) -> None:
        """Words end at the last dot of a file name, unless that is its first character."""
        dots = np.flatnonzero(data == 46)
        last = np.full(len(cuts), -1, dtype=np.int64)
        last[self.component_of[dots]] = dots
        ends = np.flatnonzero(self.is_file_name & (last > self.component_starts))
        # One end per file name, so that no place is counted twice.
        change = np.zeros(len(data) + 1, dtype=np.int8)
        change[last[ends]] += 1
        change[cuts[ends]] -= 1
        self.is_word &= np.cumsum(change[:-1], dtype=np.int8) == 0

    def word_spans(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the starts and ends of all words; camel case ends a word before an upper-case letter."""
        word, upper = self.is_word, self.is_upper
        before = np.concatenate((np.zeros(1, bool), word[:-1]))
        upper_before = np.concatenate((np.zeros(1, bool), upper[:-1]))
        lower_after = np.concatenate((((self.lower >= 97) & ~upper)[1:], np.zeros(1, bool)))
        is_hump = upper & before & (~upper_before | lower_after)
        starts = np.flatnonzero(word & (~before | is_hump))
        after = np.concatenate((word[1:], np.zeros(1, bool)))
        hump_after = np.concatenate((is_hump[1:], np.zeros(1, bool)))
        return starts, np.flatnonzero(word & (~after | hump_after)) + 1

    def without_numbers(
        self, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return which words end in digits, and where each of them ends without."""
        bare = ends.copy()
        moving = np.arange(len(ends))
        while len(moving):
            last = self.lower[bare[moving] - 1]
            moving = moving[(last >= 48) & (last <= 57) & (bare[moving] - 1 > starts[moving])]
            bare[moving] -= 1
        numbered = np.flatnonzero(bare < ends)
        return numbered, bare[numbered]

    def field_of(self, components: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the field of components: 0 for file names, 1 for folders."""
        found: npt.NDArray[np.int64] = 1 - self.is_file_name[components].astype(np.int64)
        return found

    def joined_components(
        self, starts: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """Return the component of each word, and the hashes and numbers of the components of several words."""
        components = self.component_of[starts]
        counts = np.bincount(components, minlength=len(self.is_file_name))
        letters = np.flatnonzero(self.is_word)
        packed = self.lower[letters]
        bounds = np.searchsorted(letters, self.component_starts)
        sizes = np.diff(np.concatenate((bounds, [len(letters)])))
        several = np.flatnonzero((counts > 1) & (sizes <= _LONGEST_WORD))
        return components, _hash_spans(packed, bounds[several], bounds[several] + sizes[several]), several


def _hash_spans(
    data: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint64]:
    hashes = np.zeros(len(starts), dtype=np.uint64)
    sizes = np.minimum(ends - starts, _LONGEST_WORD)
    alive = np.flatnonzero(sizes > 0)
    step = 0
    while len(alive):
        hashes[alive] = hashes[alive] * np.uint64(_MULTIPLIER) + data[starts[alive] + step].astype(np.uint64)
        step += 1
        alive = alive[sizes[alive] > step]
    return hashes


def _hash_word(word: str) -> int:
    code = 0
    for byte in word.replace("_", "").encode("utf-8", "surrogateescape")[:_LONGEST_WORD]:
        code = (code * _MULTIPLIER + byte) & _MASK
    return code


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
