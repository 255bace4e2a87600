"""Twin of the native `build_segment`: scan files and write their facts and inverted index as flat arrays."""

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels.pure.scan_record import HUGE, UNREADABLE, FileFacts, collect_facts, count_terms, saturate
from ctxsieve._kernels.pure.scan_table import Table, load_table
from ctxsieve._kernels.pure.statements import Findings
from ctxsieve._kernels.trees import NO_LANGUAGE

__all__ = ["build_segment"]

_MAGIC = b"CTXSVSEG"
_VERSION = 1
_ALIGNMENT = 64
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def build_segment(
    root: bytes,
    paths: Sequence[bytes],
    languages: npt.NDArray[np.int16],
    tables: Sequence[bytes],
    max_bytes: int,
    threads: int,  # noqa: ARG001
    output: bytes,
) -> None:
    """Scan the files and write their segment to `output`.

    Files that cannot be read are documents with the flag UNREADABLE and their errno.

    Raises:
        ValueError: `languages` and `paths` differ in length.
        OSError: `output` cannot be written.
    """
    if len(languages) != len(paths):
        raise ValueError(f"languages has {len(languages)} entries for {len(paths)} paths: they must be equal")
    builder = _Builder([load_table(table) for table in tables])
    for path, language in zip(paths, languages.tolist(), strict=True):
        builder.add_file(os.path.join(root, path), language, max_bytes)
    _write_sections(len(paths), builder.sections(), Path(os.fsdecode(output)))


def _read_regular(path: bytes, max_bytes: int) -> bytes | int:
    """Return the content of a regular file, or its size when it is larger than `max_bytes`."""
    descriptor = os.open(path, _OPEN_FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        if status.st_size > max_bytes:
            return status.st_size
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(max_bytes + 1)
    finally:
        os.close(descriptor)
    return content if len(content) <= max_bytes else len(content)


class _Builder:
    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables
        self.facts: list[FileFacts] = []
        self.lengths: list[list[int]] = []
        self.postings: dict[bytes, list[tuple[int, bytes]]] = {}
        self.definitions: list[list[tuple[bytes, bytes, int]]] = []
        self.imports: list[list[tuple[bytes, int]]] = []

    def add_file(self, path: bytes, language: int, max_bytes: int) -> None:
        findings = Findings()
        try:
            content = _read_regular(path, max_bytes)
        except OSError as error:
            facts = FileFacts(language=max(language, NO_LANGUAGE), flags=UNREADABLE, errno=error.errno or 0)
        else:
            if isinstance(content, int):
                facts = FileFacts(language=max(language, NO_LANGUAGE), flags=HUGE, n_bytes=content)
            else:
                facts, findings = collect_facts(content, language, self.tables)
        terms, lengths = count_terms(findings)
        document = len(self.facts)
        for term, counts in terms.items():
            self.postings.setdefault(term, []).append((document, saturate(counts)))
        self.facts.append(facts)
        self.lengths.append(lengths)
        self.definitions.append(findings.definitions)
        self.imports.append(findings.imports)

    def sections(self) -> list[bytes]:
        facts = self.facts
        return [
            b"".join(one.sha256 for one in facts),
            _array([one.language for one in facts], np.int16),
            _array([one.encoding for one in facts], np.uint8),
            _array([one.flags for one in facts], np.uint16),
            _array([one.errno for one in facts], np.uint16),
            _array([one.lines for one in facts], np.uint32),
            _array([one.n_bytes for one in facts], np.uint64),
            _array([length for lengths in self.lengths for length in lengths], np.uint32),
            *self._definition_sections(),
            *self._import_sections(),
            *self._posting_sections(),
        ]

    def _definition_sections(self) -> list[bytes]:
        flat = [entry for definitions in self.definitions for entry in definitions]
        kinds = sorted({kind for _, kind, _ in flat})
        names = sorted({name for name, _, _ in flat})
        kind_numbers = {kind: number for number, kind in enumerate(kinds)}
        name_numbers = {name: number for number, name in enumerate(names)}
        owners: list[list[int]] = [[] for _ in names]
        for document, definitions in enumerate(self.definitions):
            for number in {name_numbers[name] for name, _, _ in definitions}:
                owners[number].append(document)
        return [
            *_texts(kinds),
            _indptr((len(definitions) for definitions in self.definitions), np.uint32),
            _array([name_numbers[name] for name, _, _ in flat], np.uint32),
            _array([kind_numbers[kind] for _, kind, _ in flat], np.uint8),
            _array([line for _, _, line in flat], np.uint32),
            *_texts(names),
            _indptr((len(documents) for documents in owners), np.uint32),
            _array([document for documents in owners for document in documents], np.uint32),
        ]

    def _import_sections(self) -> list[bytes]:
        flat = [entry for imports in self.imports for entry in imports]
        texts = sorted({text for text, _ in flat})
        numbers = {text: number for number, text in enumerate(texts)}
        return [
            _indptr((len(imports) for imports in self.imports), np.uint32),
            _array([numbers[text] for text, _ in flat], np.uint32),
            _array([line for _, line in flat], np.uint32),
            *_texts(texts),
        ]

    def _posting_sections(self) -> list[bytes]:
        terms = sorted(self.postings)
        postings = [self.postings[term] for term in terms]
        return [
            *_texts(terms),
            _indptr((len(entries) for entries in postings), np.uint64),
            _array([document for entries in postings for document, _ in entries], np.uint32),
            b"".join(counts for entries in postings for _, counts in entries),
        ]


def _array(values: Sequence[int], dtype: npt.DTypeLike) -> bytes:
    return np.array(values, dtype=np.dtype(dtype).newbyteorder("<")).tobytes()


def _indptr(counts: Iterable[int], dtype: npt.DTypeLike) -> bytes:
    sums = [0]
    for count in counts:
        sums.append(sums[-1] + count)
    return _array(sums, dtype)


def _texts(texts: Sequence[bytes]) -> tuple[bytes, bytes]:
    return _indptr((len(text) for text in texts), np.uint32), b"".join(texts)


def _write_sections(n_documents: int, sections: Sequence[bytes], output: Path) -> None:
    position = _align(32 + 16 * len(sections))
    table = []
    for section in sections:
        table += [position, len(section)]
        position = _align(position + len(section))
    header = _MAGIC + _array([_VERSION, len(sections)], np.uint32) + _array([n_documents, position], np.uint64)
    with output.open("wb") as file:
        file.write(header + _array(table, np.uint64))
        for section in sections:
            file.write(bytes(_align(file.tell()) - file.tell()))
            file.write(section)
        file.write(bytes(position - file.tell()))


def _align(position: int) -> int:
    return -(-position // _ALIGNMENT) * _ALIGNMENT
