"""The edges between files: resolved once, kept beside the index, resolved again when something they rest on changed."""

import contextlib
import json
import os
import stat
import zlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import sha256
from ctxsieve.errors import PathError
from ctxsieve.graph.index import Index, StatementTable
from ctxsieve.graph.manifest import replace_file
from ctxsieve.values import dataclass, field, replace

__all__ = ["Edges", "load_edges"]

_EDGES_NAME = "edges.bin"
_MAGIC = b"CTXSVEDG"
# Raised whenever resolution or this format changes.
_VERSION = 4


@dataclass(frozen=True)
class Edges:
    """Edges importer -> imported, sorted by (source, target, kind), unique, as arrays and as CSR over the sources.

    `read_paths` are the files that resolution looked into beyond the index, such as manifests. `prepared` holds what
    others made of the edges for as long as these are current, by name.
    """

    n_documents: int
    source: npt.NDArray[np.uint32]
    target: npt.NDArray[np.uint32]
    kind: npt.NDArray[np.uint8]
    read_paths: tuple[str, ...] = ()
    prepared: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def indptr(self) -> npt.NDArray[np.int64]:
        """Where the edges of each source start; one more entry than documents."""
        counts = np.bincount(self.source, minlength=self.n_documents)
        return np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)))

    @cached_property
    def pairs(self) -> npt.NDArray[np.int64]:
        """The (source, target) pairs in order, shape (n, 2); edges of several kinds between two files are one."""
        keys = np.unique(self.source.astype(np.int64) * max(self.n_documents, 1) + self.target)
        return np.column_stack(np.divmod(keys, max(self.n_documents, 1)))

    def targets_of(self, document: int) -> npt.NDArray[np.uint32]:
        """Return what a document depends on, ascending; twice where there are two kinds of edges."""
        targets: npt.NDArray[np.uint32] = self.target[self.indptr[document] : self.indptr[document + 1]]
        return targets

    def sources_of(self, document: int) -> npt.NDArray[np.uint32]:
        """Return what depends on a document, ascending."""
        sources: npt.NDArray[np.uint32] = self.source[self.target == document]
        return sources


@dataclass(frozen=True, slots=True)
class _Resolution:
    """Edges, and what they rest on: grounds and fingerprint of the index, digests of what was read and asked for."""

    edges: Edges
    grounds: str
    fingerprint: str
    reads: dict[str, str | None]
    names: dict[str, str]


class _Recorder:
    """Gives resolution what it asks for beyond the view, and remembers what the answers were."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.reads: dict[str, str | None] = {}
        self.names: dict[str, str] = {}

    def read_bytes(self, path: str) -> bytes:
        content = _read_inside(self.index.root, path)
        self.reads[path] = None if content is None else sha256(content).hex()
        if content is None:
            raise PathError(f"path is {path!r}: it cannot be read")
        return content

    def documents_defining(self, name: str) -> npt.NDArray[np.uint32]:
        documents = self.index.documents_defining(name)
        self.names[name] = _digest(documents)
        return documents


def _digest(array: npt.NDArray[Any]) -> str:
    return sha256(np.ascontiguousarray(array).tobytes()).hex()[:16]


def _read_inside(root: Path, path: str) -> bytes | None:
    """Return the content of a regular file below the root; links are not followed."""
    parts = path.split("/")
    if path.startswith("/") or any(part in ("", ".", "..") for part in parts):
        return None
    place = root
    try:
        for part in parts:
            place = place / part
            mode = place.lstat().st_mode
            if stat.S_ISLNK(mode):
                return None
        return place.read_bytes() if stat.S_ISREG(mode) else None
    except (OSError, ValueError):
        return None


def load_edges(index: Index, directory: Path, on_resolve: Callable[[], None]) -> Edges:
    """Return the edges of an index, from the cache when all that they rest on is unchanged.

    They rest on the paths, the languages and the import statements, on the manifests that resolution read, and on which
    documents define the names that it asked for.
    """
    path = directory / _EDGES_NAME
    cached = _read_edges(path, index)
    if cached is not None and cached.grounds == index.grounds:
        return cached.edges
    statements = index.statements()
    fingerprint = _fingerprint(index, statements)
    if cached is not None and cached.fingerprint == fingerprint:
        _write_edges(path, replace(cached, grounds=index.grounds))
        return cached.edges
    on_resolve()
    # Resolution is loaded only where the edges are not remembered.
    from ctxsieve.languages import ProjectView, resolve_imports

    recorder = _Recorder(index)
    view = ProjectView(
        paths=index.paths,
        languages=index.languages,
        texts=statements.texts,
        statement_documents=statements.documents,
        statement_texts=statements.text_ids,
        statement_lines=statements.lines,
        read_bytes=recorder.read_bytes,
        documents_defining=recorder.documents_defining,
    )
    found = resolve_imports(view)
    edges = Edges(len(index), found.source, found.target, found.kind, tuple(sorted(recorder.reads)))
    _write_edges(path, _Resolution(edges, index.grounds, fingerprint, recorder.reads, recorder.names))
    return edges


def _fingerprint(index: Index, statements: StatementTable) -> str:
    head = f"{_VERSION}\n{os.fspath(index.root)}\n".encode("utf-8", "surrogateescape")
    parts = (
        "\0".join(index.paths).encode("utf-8", "surrogateescape"),
        "\0".join(index.language_names).encode(),
        index.language_ids.tobytes(),
        "\0".join(statements.texts).encode("utf-8", "surrogateescape"),
        statements.documents.tobytes(),
        statements.text_ids.tobytes(),
    )
    return sha256(head + b"".join(len(part).to_bytes(8, "little") + part for part in parts)).hex()


def _write_edges(path: Path, resolution: _Resolution) -> None:
    edges = resolution.edges
    header = {
        "version": _VERSION,
        "grounds": resolution.grounds,
        "fingerprint": resolution.fingerprint,
        "reads": resolution.reads,
        "names": resolution.names,
        "edges": len(edges.source),
    }
    text = json.dumps(header).encode()
    body = len(text).to_bytes(8, "little") + text
    body += edges.source.tobytes() + edges.target.tobytes() + edges.kind.tobytes()
    try:
        replace_file(path, _MAGIC + zlib.crc32(body).to_bytes(8, "little") + body)
    except OSError:
        # Without a cached copy the next run resolves again.
        with contextlib.suppress(OSError):
            path.unlink()


def _read_edges(path: Path, index: Index) -> _Resolution | None:
    """Return the kept resolution if all that it read and asked for still says the same."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    if content[:8] != _MAGIC or int.from_bytes(content[8:16], "little") != zlib.crc32(memoryview(content)[16:]):
        return None
    size = int.from_bytes(content[16:24], "little")
    header = json.loads(content[24 : 24 + size])
    if header.get("version") != _VERSION:
        return None
    for name, digest in header["reads"].items():
        read = _read_inside(index.root, name)
        if (None if read is None else sha256(read).hex()) != digest:
            return None
    # On the same grounds every name is defined where it was.
    has_same_grounds = header["grounds"] == index.grounds
    names: dict[str, str] = header["names"]
    if not has_same_grounds:
        now = map(_digest, index.documents_defining_all(list(names)))
        if any(digest != known for digest, known in zip(now, names.values(), strict=True)):
            return None
    count, start = header["edges"], 24 + size
    # The text before the arrays has any length, so that they are copied to where they are aligned.
    arrays = memoryview(content)[start:].tobytes()
    edges = Edges(
        len(index),
        np.frombuffer(arrays, np.uint32, count),
        np.frombuffer(arrays, np.uint32, count, 4 * count),
        np.frombuffer(arrays, np.uint8, count, 8 * count),
        tuple(sorted(header["reads"])),
    )
    return _Resolution(edges, header["grounds"], header["fingerprint"], header["reads"], names)
