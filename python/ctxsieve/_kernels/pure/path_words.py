"""Words of a task in the paths of files, compared by a polynomial hash modulo 2^64."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["find_path_words"]

# Two words in one tree collide with a chance below 1e-9.
_MULTIPLIER = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_LONGEST_WORD = 64


def find_path_words(
    paths: bytes, words: Sequence[bytes]
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return the number of the word, document and field of every occurrence, and the number of words by path and field.

    A word of a path is a part of a camel-case or separated name: all of these come first, then the names of several
    words with their separators removed (the extension left out), then words without the number at their end; each in
    the order of the text.

    Args:
        paths: each ends with a NUL byte.
        words: distinct, in lower case.
    """
    text = _Text(paths)
    starts, ends = text.word_spans()
    components, joined, joined_components = text.joined_components(starts)
    documents, fields = text.document_of[starts], text.field_of(components)
    lengths = np.bincount(documents * 2 + fields, minlength=2 * paths.count(0))
    numbered, bare_ends = text.without_numbers(starts, ends)
    bare = _hash_spans(text.lower, starts[numbered], bare_ends)
    every_hash = np.concatenate((_hash_spans(text.lower, starts, ends), joined, bare))
    in_joined = text.document_of[text.component_starts[joined_components]]
    every_document = np.concatenate((documents, in_joined, documents[numbered]))
    every_field = np.concatenate((fields, text.field_of(joined_components), fields[numbered]))
    numbers = {_hash_word(word): number for number, word in enumerate(words)}
    keys = np.array(sorted(numbers), dtype=np.uint64)
    if not len(keys):
        every_hash = every_hash[:0]
    positions = np.minimum(np.searchsorted(keys, every_hash), len(keys) - 1)
    hits = np.flatnonzero(keys[positions] == every_hash)
    number_of = np.array([numbers[key] for key in keys.tolist()], dtype=np.uint32)
    return (
        number_of[positions[hits]],
        every_document[hits].astype(np.uint32),
        every_field[hits].astype(np.uint8),
        lengths.astype(np.int64),
    )


class _Text:
    """All paths as one array of bytes, cut into components (folders and file names) and words."""

    def __init__(self, paths: bytes) -> None:
        data = np.frombuffer(paths, dtype=np.uint8)
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


def _hash_word(word: bytes) -> int:
    code = 0
    for byte in word[:_LONGEST_WORD]:
        code = (code * _MULTIPLIER + byte) & _MASK
    return code
