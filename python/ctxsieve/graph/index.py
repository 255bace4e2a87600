"""The index of one scanned tree: files, terms, rough definitions and import statements."""

import os
from collections.abc import Iterator, Sequence
from enum import IntFlag, StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ctxsieve.fragments import ImportStatement
from ctxsieve.graph.segment import FIELDS, Segment
from ctxsieve.values import dataclass

__all__ = ["Encoding", "FileFlag", "Index", "ScannedDefinition", "StatementTable"]


class Encoding(StrEnum):
    """How a file is encoded; only the first is lossless."""

    UTF_8 = "utf-8"
    UTF_8_BOM = "utf-8-sig"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    UNKNOWN = "unknown"


class FileFlag(IntFlag):
    """What the content of a file says about it."""

    BINARY = 1
    MINIFIED = 2
    GENERATED = 4
    HUGE = 8
    UNREADABLE = 16


@dataclass(frozen=True, slots=True)
class ScannedDefinition:
    """A definition as the scanner sees it: the name without its qualifiers, the line from 1."""

    name: str
    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class StatementTable:
    """All import statements: `texts` unique and sorted by their bytes, the arrays sorted by document, then position."""

    texts: tuple[str, ...]
    documents: npt.NDArray[np.uint32]
    text_ids: npt.NDArray[np.uint32]
    lines: npt.NDArray[np.uint32]


class Index:
    """Immutable view of one scanned tree.

    Documents are numbered by their position in `paths`. `languages` and `roles` are by document, `flags` too.
    """

    def __init__(
        self,
        *,
        root: Path,
        paths: Sequence[str],
        segments: Sequence[Segment],
        segment_of: npt.NDArray[np.uint8],
        local_of: npt.NDArray[np.uint32],
        language_names: Sequence[str],
        role_names: Sequence[str],
        path_role_of: npt.NDArray[np.uint8],
        state: str,
        grounds: str,
        skipped: Sequence[tuple[str, str]],
        repositories: Sequence[str],
        sizes: npt.NDArray[np.uint64],
        max_file_bytes: int,
    ) -> None:
        self.root = root
        self.paths = paths
        self.repositories = repositories
        self.size_bytes = sizes
        self.state = state
        self.grounds = grounds
        self._role_names = role_names
        self._path_role_of = path_role_of
        self._walk_skipped = skipped
        self._max_file_bytes = max_file_bytes
        self._segments = segments
        self._segment_of = segment_of
        self._local_of = local_of
        self._language_names = (*language_names, None)
        self._public_of = [self._documents_of(number, segment) for number, segment in enumerate(segments)]
        self._is_whole = len(segments) == 1 and segments[0].n_documents == len(paths)

    def _documents_of(self, number: int, segment: Segment) -> npt.NDArray[np.int64]:
        public = np.full(segment.n_documents, -1, dtype=np.int64)
        documents = np.flatnonzero(self._segment_of == number)
        public[self._local_of[documents]] = documents
        return public

    def __len__(self) -> int:
        return len(self.paths)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {path: document for document, path in enumerate(self.paths)}

    def document(self, path: str) -> int | None:
        """Return the document of a relative POSIX path."""
        return self._numbers.get(path)

    def _gather(self, section: str, width: int = 1) -> npt.NDArray[Any]:
        parts = [getattr(segment, section).reshape(-1, width) for segment in self._segments]
        if self._is_whole:
            found: npt.NDArray[Any] = parts[0]
        else:
            dtype = parts[0].dtype if parts else np.uint8
            found = np.zeros((len(self.paths), width), dtype=dtype)
            for number, part in enumerate(parts):
                documents = np.flatnonzero(self._segment_of == number)
                found[documents] = part[self._local_of[documents]]
        return found[:, 0] if width == 1 else found

    @cached_property
    def language_ids(self) -> npt.NDArray[np.int16]:
        """Language by document as an index into `language_names`, -1 for none."""
        return self._gather("language")

    @property
    def language_names(self) -> tuple[str, ...]:
        """The languages that `language_ids` refers to."""
        return tuple(name for name in self._language_names if name is not None)

    @cached_property
    def languages(self) -> Sequence[str | None]:
        """Language name by document."""
        names = self._language_names
        return [names[language] for language in self.language_ids.tolist()]

    @cached_property
    def line_counts(self) -> npt.NDArray[np.uint32]:
        """Number of lines by document; 0 for what was not scanned."""
        return self._gather("lines")

    @cached_property
    def lengths(self) -> npt.NDArray[np.uint32]:
        """Number of term occurrences by document and field."""
        return self._gather("lengths", len(FIELDS))

    @cached_property
    def flags(self) -> npt.NDArray[np.uint16]:
        """`FileFlag` bits by document."""
        return self._gather("flags")

    @cached_property
    def roles(self) -> Sequence[str]:
        """Role by document: what the path says, unless the content says binary, minified or generated."""
        roles = [self._role_names[role] for role in self._path_role_of.tolist()]
        by_flag = ((FileFlag.GENERATED, "generated"), (FileFlag.MINIFIED, "minified"), (FileFlag.BINARY, "binary"))
        for flag, role in by_flag:
            for document in np.flatnonzero(self.flags & flag.value).tolist():
                roles[document] = role
        return roles

    @cached_property
    def skipped(self) -> Sequence[tuple[str, str]]:
        """Paths without facts, each with the reason, sorted: special files, binary, huge and unreadable ones."""
        reasons = dict(self._walk_skipped)
        for document in np.flatnonzero(self.flags & FileFlag.UNREADABLE.value).tolist():
            segment, local = self._place(document)
            reasons[self.paths[document]] = f"cannot be read: {os.strerror(int(segment.errno[local]))}"
        by_flag = (
            (FileFlag.BINARY, "binary: not scanned"),
            (FileFlag.HUGE, f"larger than {self._max_file_bytes:,} bytes: not scanned"),
        )
        for flag, reason in by_flag:
            for document in np.flatnonzero(self.flags & flag.value).tolist():
                reasons[self.paths[document]] = reason
        return sorted(reasons.items())

    def encoding(self, document: int) -> Encoding:
        """Return how a file is encoded."""
        segment, local = self._place(document)
        return tuple(Encoding)[int(segment.encoding[local])]

    def sha256(self, document: int) -> bytes:
        """Return the SHA-256 of a file's bytes when it was scanned; zeros for files that were not read."""
        segment, local = self._place(document)
        return segment.sha256[local * 32 : local * 32 + 32].tobytes()

    def _place(self, document: int) -> tuple[Segment, int]:
        if not 0 <= document < len(self.paths):
            raise IndexError(f"document is {document}: it must be from 0 to {len(self.paths) - 1}")
        return self._segments[self._segment_of[document]], int(self._local_of[document])

    def terms_among(self, words: Sequence[str]) -> set[str]:
        """Return those of the words that the index knows; only they can have postings."""
        keys = [word.encode("utf-8", "surrogateescape") for word in words]
        known: set[str] = set()
        for segment in self._segments:
            found = zip(words, segment.terms.find_all(keys), strict=True)
            known.update(word for word, position in found if position >= 0)
        return known

    def postings(self, term: str) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
        """Return the documents of a term, ascending, and the frequencies by field, shape (n, 4), at most 255 each."""
        documents, frequencies = [], []
        key = term.encode("utf-8", "surrogateescape")
        for segment, public in zip(self._segments, self._public_of, strict=True):
            position = segment.terms.find(key)
            if position is not None:
                local, counts = segment.postings(position)
                found = public[local]
                documents.append(found[found >= 0])
                frequencies.append(counts[found >= 0])
        if not documents:
            # Most spellings of a word that a task may mean stand nowhere.
            return np.zeros(0, dtype=np.uint32), np.zeros((0, len(FIELDS)), dtype=np.uint16)
        joined = np.concatenate(documents)
        order = np.argsort(joined, kind="stable")
        return joined[order].astype(np.uint32), np.concatenate(frequencies)[order].astype(np.uint16)

    def terms_with_prefix(self, prefix: str) -> list[str]:
        """Return the terms that start with `prefix`, sorted by their bytes."""
        found: set[bytes] = set()
        key = prefix.encode("utf-8", "surrogateescape")
        for segment, public in zip(self._segments, self._public_of, strict=True):
            n_dead = int((public < 0).sum())
            for position in segment.terms.find_prefix(key):
                # A term in more documents than are gone has one that is left.
                if segment.document_frequency(position) > n_dead or (public[segment.postings(position)[0]] >= 0).any():
                    found.add(segment.terms[position])
        return [term.decode("utf-8", "surrogateescape") for term in sorted(found)]

    def definitions(self, document: int) -> Sequence[ScannedDefinition]:
        """Return the rough definitions of a document in source order."""
        segment, local = self._place(document)
        first, last = segment.definition_indptr[local], segment.definition_indptr[local + 1]
        names, kinds, lines = segment.definition_names, segment.definition_kinds, segment.definition_lines
        return [
            ScannedDefinition(
                segment.names[names[entry]].decode("utf-8", "replace"),
                segment.kinds[kinds[entry]],
                int(lines[entry]),
            )
            for entry in range(first, last)
        ]

    def documents_defining(self, name: str) -> npt.NDArray[np.uint32]:
        """Return the documents that define `name`, ascending."""
        return next(self.documents_defining_all([name]))

    def documents_defining_all(self, names: Sequence[str]) -> Iterator[npt.NDArray[np.uint32]]:
        """Yield for each name the documents that define it, ascending."""
        keys = [name.encode("utf-8", "surrogateescape") for name in names]
        positions = [segment.names.find_all(keys) for segment in self._segments]
        for number in range(len(names)):
            documents = [np.zeros(0, dtype=np.int64)]
            for segment, public, found in zip(self._segments, self._public_of, positions, strict=True):
                position = found[number]
                if position >= 0:
                    first, last = segment.name_indptr[position], segment.name_indptr[position + 1]
                    owners = public[segment.name_documents[first:last]]
                    documents.append(owners[owners >= 0])
            yield np.sort(np.concatenate(documents)).astype(np.uint32)

    def imports(self, document: int) -> Sequence[ImportStatement]:
        """Return the import statements of a document in source order."""
        segment, local = self._place(document)
        first, last = segment.import_indptr[local], segment.import_indptr[local + 1]
        return [
            ImportStatement(
                segment.texts[segment.import_texts[entry]].decode("utf-8", "replace"), int(segment.import_lines[entry])
            )
            for entry in range(first, last)
        ]

    def statements(self) -> StatementTable:
        """Return the import statements of all documents as one table."""
        documents: list[npt.NDArray[Any]] = []
        texts: list[npt.NDArray[Any]] = []
        lines: list[npt.NDArray[Any]] = []
        numbers: dict[bytes, int] = {}
        for segment, public in zip(self._segments, self._public_of, strict=True):
            indptr = segment.import_indptr.astype(np.int64)
            counts = indptr[1:] - indptr[:-1]
            owners = np.repeat(public, counts)
            alive = owners >= 0
            used, inverse = np.unique(segment.import_texts[alive], return_inverse=True)
            ids = [numbers.setdefault(segment.texts[text], len(numbers)) for text in used.tolist()]
            documents.append(owners[alive])
            texts.append(np.array(ids, dtype=np.int64)[inverse])
            lines.append(segment.import_lines[alive])
        ordered = sorted(numbers)
        rank = np.zeros(len(ordered), dtype=np.int64)
        rank[[numbers[text] for text in ordered]] = np.arange(len(ordered))
        owners = np.concatenate([np.zeros(0, np.int64), *documents])
        order = np.argsort(owners, kind="stable")
        text_ids = rank[np.concatenate([np.zeros(0, np.int64), *texts])[order]]
        return StatementTable(
            tuple(text.decode("utf-8", "replace") for text in ordered),
            owners[order].astype(np.uint32),
            text_ids.astype(np.uint32),
            np.concatenate([np.zeros(0, np.uint32), *lines])[order].astype(np.uint32),
        )
