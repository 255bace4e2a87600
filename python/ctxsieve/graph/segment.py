"""Reads a segment: the facts of a set of files and their inverted index, as arrays over a mapped file."""

import mmap
import os
import zlib
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import find_texts

__all__ = ["FIELDS", "CorruptCacheError", "Segment"]

FIELDS = ("definitions", "comments", "strings", "code")
MAGIC = b"CTXSVSEG"
VERSION = 1
_HEADER_BYTES = 32
_SECTIONS: dict[str, npt.DTypeLike] = {
    "sha256": np.uint8,
    "language": np.int16,
    "encoding": np.uint8,
    "flags": np.uint16,
    "errno": np.uint16,
    "lines": np.uint32,
    "bytes": np.uint64,
    "lengths": np.uint32,
    "kind_offsets": np.uint32,
    "kind_blob": np.uint8,
    "definition_indptr": np.uint32,
    "definition_names": np.uint32,
    "definition_kinds": np.uint8,
    "definition_lines": np.uint32,
    "name_offsets": np.uint32,
    "name_blob": np.uint8,
    "name_indptr": np.uint32,
    "name_documents": np.uint32,
    "import_indptr": np.uint32,
    "import_texts": np.uint32,
    "import_lines": np.uint32,
    "text_offsets": np.uint32,
    "text_blob": np.uint8,
    "term_offsets": np.uint32,
    "term_blob": np.uint8,
    "posting_indptr": np.uint64,
    "posting_documents": np.uint32,
    "posting_frequencies": np.uint8,
}
# Larger segments are mapped and only their header is proved: reading hundreds of megabytes would cost more than it
# protects.
_WHOLE_LIMIT_BYTES = 32 << 20


class CorruptCacheError(Exception):
    """A cache file is damaged, of another version, or not ours."""


def _load(path: Path) -> tuple[bytes | mmap.mmap, int]:
    """Return the content of a segment file and its checksum: of all bytes up to 32 MiB, of its header beyond."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size == 0:
            return b"", 0
        # Mapped, not read: a copy costs more than the sum, and an answer looks at a small part.
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        is_whole = size <= _WHOLE_LIMIT_BYTES
        return mapped, zlib.crc32(mapped if is_whole else mapped[: _HEADER_BYTES + 16 * len(_SECTIONS)])


class Texts(Sequence[bytes]):
    """Sorted byte strings, read in place."""

    def __init__(self, offsets: npt.NDArray[np.uint32], blob: memoryview) -> None:
        self._offsets = offsets
        self._blob = blob

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, position: Any) -> Any:
        return bytes(self._blob[int(self._offsets[position]) : int(self._offsets[position + 1])])

    def find(self, text: bytes) -> int | None:
        """Return the position of a text."""
        position = bisect_left(self, text)
        return position if position < len(self) and self[position] == text else None

    def find_all(self, texts: Sequence[bytes]) -> list[int]:
        """Return the position of every text, -1 for those that are not there."""
        positions: list[int] = find_texts(self._offsets, self._blob, texts).tolist()
        return positions

    def find_prefix(self, prefix: bytes) -> range:
        """Return the positions of the texts that start with `prefix`."""
        first = bisect_left(self, prefix)
        last = bisect_left(self, prefix + b"\xff" * 8, first)
        # Invalid UTF-8 may hold longer runs of 0xff.
        while last < len(self) and self[last].startswith(prefix):
            last += 1
        return range(first, last)


class Segment:
    """One segment, read or mapped; documents are numbered within it.

    Raises:
        CorruptCacheError: The file is not a segment of this version, or not the one with the expected checksum.
    """

    def __init__(self, path: Path, expected_checksum: int | None = None) -> None:
        self._map, self.checksum = _load(path)
        if expected_checksum not in (None, self.checksum):
            raise CorruptCacheError(f"{path.name} is damaged")
        self.n_documents = self._read_header(path.name)

    def _read_header(self, name: str) -> int:
        if len(self._map) < _HEADER_BYTES or self._map[:8] != MAGIC:
            raise CorruptCacheError(f"{name} is not an index segment")
        version, sections = np.frombuffer(self._map, np.uint32, 2, 8).tolist()
        documents, size = np.frombuffer(self._map, np.uint64, 2, 16).tolist()
        if version != VERSION or sections != len(_SECTIONS):
            raise CorruptCacheError(f"{name} has version {version}: this version reads {VERSION}")
        if size != len(self._map) or _HEADER_BYTES + 16 * sections > len(self._map):
            raise CorruptCacheError(f"{name} has {len(self._map)} bytes: it should have {size}")
        table = np.frombuffer(self._map, np.uint64, 2 * sections, _HEADER_BYTES).reshape(-1, 2).tolist()
        self._bounds = dict(zip(_SECTIONS, table, strict=True))
        if any(start + length > size for start, length in table) or len(self.language) != documents:
            raise CorruptCacheError(f"{name} has sections outside of the file")
        return int(documents)

    def _section(self, name: str) -> npt.NDArray[Any]:
        start, length = self._bounds[name]
        dtype = np.dtype(_SECTIONS[name])
        return np.frombuffer(self._map, dtype, length // dtype.itemsize, start)

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        if name not in _SECTIONS:
            raise AttributeError(name)
        array = self._section(name)
        setattr(self, name, array)
        return array

    def _texts(self, name: str) -> Texts:
        start, length = self._bounds[f"{name}_blob"]
        return Texts(self._section(f"{name}_offsets"), memoryview(self._map)[start : start + length])

    @cached_property
    def terms(self) -> Texts:
        """The vocabulary."""
        return self._texts("term")

    @cached_property
    def names(self) -> Texts:
        """The names of definitions."""
        return self._texts("name")

    @cached_property
    def texts(self) -> Texts:
        """The import statements."""
        return self._texts("text")

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds of definitions."""
        return [kind.decode() for kind in self._texts("kind")]

    def grounds_of(self, document: int) -> tuple[int, list[bytes], set[bytes]]:
        """Return what edges rest on in a document: its language, import statements and names of definitions."""
        imports = slice(*self.import_indptr[document : document + 2].tolist())
        definitions = slice(*self.definition_indptr[document : document + 2].tolist())
        return (
            int(self.language[document]),
            [self.texts[text] for text in self.import_texts[imports].tolist()],
            {self.names[name] for name in self.definition_names[definitions].tolist()},
        )

    def postings(self, position: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
        """Return the documents of a term and their frequencies, shape (n, 4)."""
        first, last = int(self.posting_indptr[position]), int(self.posting_indptr[position + 1])
        frequencies = self.posting_frequencies[first * len(FIELDS) : last * len(FIELDS)]
        return self.posting_documents[first:last], frequencies.reshape(last - first, len(FIELDS))

    def document_frequency(self, position: int) -> int:
        """Return in how many documents a term stands."""
        return int(self.posting_indptr[position + 1] - self.posting_indptr[position])
