"""What import resolution sees of a project, and what it gives back."""

import posixpath
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ctxsieve.errors import PathError
from ctxsieve.languages.edge_kinds import EdgeKind
from ctxsieve.values import dataclass

__all__ = ["EdgeKind", "Edges", "ImportResolver", "Project", "ProjectView", "Target"]

# Files of one package see each other; beyond this many the package says too little about any two of them.
PACKAGE_LIMIT = 32


Target = tuple[int, EdgeKind]


class Edges(NamedTuple):
    """Dependencies sorted by (source, target, kind), unique and without self edges."""

    source: npt.NDArray[np.uint32]
    target: npt.NDArray[np.uint32]
    kind: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ProjectView:
    """The scan facts of one tree.

    Attributes:
        paths: POSIX, relative, sorted by UTF-8 bytes; a document is a position in it.
        languages: language names by document.
        texts: unique import statements over all languages.
        statement_documents: document of each statement, in file order.
        statement_texts: index into `texts` of each statement.
        statement_lines: line of each statement, from 1.
        read_bytes: content of a manifest (a file named in `MANIFEST_NAMES`); raises PathError.
        documents_defining: documents with a rough definition of a name, ascending.
    """

    paths: Sequence[str]
    languages: Sequence[str | None]
    texts: Sequence[str]
    statement_documents: npt.NDArray[np.uint32]
    statement_texts: npt.NDArray[np.uint32]
    statement_lines: npt.NDArray[np.uint32]
    read_bytes: Callable[[str], bytes]
    documents_defining: Callable[[str], npt.NDArray[np.uint32]]


class Project:
    """A project view with the look-up tables that resolvers share."""

    def __init__(self, view: ProjectView) -> None:
        self.view = view
        self.paths = view.paths
        self._defining: dict[str, frozenset[int]] = {}

    @cached_property
    def documents(self) -> dict[str, int]:
        """Documents by path."""
        return {path: document for document, path in enumerate(self.paths)}

    @cached_property
    def directories(self) -> list[str]:
        """The directory of each document; the root is the empty string."""
        return [path.rpartition("/")[0] for path in self.paths]

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """Documents by base name."""
        named: dict[str, list[int]] = {}
        for document, path in enumerate(self.paths):
            named.setdefault(path.rpartition("/")[2], []).append(document)
        return named

    @cached_property
    def by_directory(self) -> dict[str, list[int]]:
        """Documents by directory, direct children only."""
        held: dict[str, list[int]] = {}
        for document, directory in enumerate(self.directories):
            held.setdefault(directory, []).append(document)
        return held

    @cached_property
    def all_directories(self) -> frozenset[str]:
        """Every directory that holds a document, at any depth, and the root."""
        found = {""}
        for directory in self.by_directory:
            while directory and directory not in found:
                found.add(directory)
                directory = directory.rpartition("/")[0]
        return frozenset(found)

    @cached_property
    def by_language(self) -> dict[str, list[int]]:
        """Documents by language name."""
        spoken: dict[str, list[int]] = {}
        for document, language in enumerate(self.view.languages):
            if language is not None:
                spoken.setdefault(language, []).append(document)
        return spoken

    @cached_property
    def _statement_bounds(self) -> npt.NDArray[np.int64]:
        counts = np.bincount(self.view.statement_documents, minlength=len(self.paths))
        return np.concatenate(([0], np.cumsum(counts)))

    def statements_of(self, document: int) -> list[str]:
        """Return the statement texts of a document, in file order."""
        first, last = self._statement_bounds[document], self._statement_bounds[document + 1]
        return [self.view.texts[text] for text in self.view.statement_texts[first:last].tolist()]

    def find(self, path: str) -> int | None:
        """Return the document at a normalised relative path."""
        return self.documents.get(path)

    def find_joined(self, directory: str, relative: str) -> int | None:
        """Return the document at a path relative to a directory; None outside of the project."""
        joined = join(directory, relative)
        return None if joined is None else self.documents.get(joined)

    def find_suffix(self, suffix: str) -> list[int]:
        """Return the documents whose path is `suffix` or ends with it at a component border."""
        name = suffix.rpartition("/")[2]
        ending = "/" + suffix
        return [
            document
            for document in self.by_name.get(name, ())
            if self.paths[document] == suffix or self.paths[document].endswith(ending)
        ]

    def nearest(self, candidates: Sequence[int], directory: str) -> int | None:
        """Return the candidate that shares the longest directory prefix; ties go to the shorter, then smaller path."""
        if not candidates:
            return None
        return min(
            candidates,
            key=lambda document: (
                -shared_depth(self.directories[document], directory),
                self.directories[document].count("/"),
                self.paths[document],
            ),
        )

    def defining(self, name: str) -> frozenset[int]:
        """Return the documents with a rough definition of a name."""
        known = self._defining.get(name)
        if known is None:
            known = self._defining[name] = frozenset(self.view.documents_defining(name).tolist())
        return known

    def read_text(self, path: str) -> str:
        """Return the text of a manifest; empty where it cannot be read."""
        try:
            return self.view.read_bytes(path).decode("utf-8", "replace")
        except PathError:
            return ""

    def manifests(self, name: str) -> list[tuple[str, str]]:
        """Return (directory, path) of every file with a base name, by path."""
        return [(self.directories[document], self.paths[document]) for document in self.by_name.get(name, ())]


class ImportResolver:
    """Resolves the statements of one family of languages; subclasses say how.

    `targets_of` is called once per (text, context): everything besides the text that the answer depends on must be in
    the context.
    """

    manifest_names: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        self.project = project
        self.own = documents

    def context_of(self, document: int) -> Hashable:
        """Return what resolution depends on besides the text; the directory unless a subclass knows better."""
        return self.project.directories[document]

    def targets_of(self, text: str, document: int) -> Iterable[Target]:
        """Return the targets of one statement, seen from a document."""
        raise NotImplementedError

    def further_edges(self) -> Iterator[tuple[int, int, EdgeKind]]:
        """Yield (source, target, kind) that no statement tells."""
        return iter(())


def join(directory: str, relative: str) -> str | None:
    """Return the normalised path of `relative` seen from `directory`; None when it leaves the project."""
    path = posixpath.normpath(f"{directory}/{relative}" if directory else relative)
    if path.startswith(("../", "/")) or path == "..":
        return None
    return "" if path == "." else path


def shared_depth(first: str, second: str) -> int:
    """Return how many leading directory components two directories share."""
    depth = 0
    for mine, other in zip(first.split("/"), second.split("/"), strict=False):
        if mine != other or not mine:
            break
        depth += 1
    return depth


def ancestors(directory: str) -> Iterator[str]:
    """Yield a directory and its parents up to the root (the empty string)."""
    while directory:
        yield directory
        directory = directory.rpartition("/")[0]
    yield ""


def package_edges(groups: Iterable[Sequence[int]]) -> Iterator[tuple[int, int, EdgeKind]]:
    """Yield edges between all files of each package of at most PACKAGE_LIMIT files."""
    for group in groups:
        if len(group) <= PACKAGE_LIMIT:
            for source in group:
                for target in group:
                    if source != target:
                        yield source, target, EdgeKind.PACKAGE
