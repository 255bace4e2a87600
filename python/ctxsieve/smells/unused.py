"""Exported names that nothing else in the project mentions, with how sure that is (docs/smells.md)."""

import json
import re
from collections.abc import Iterator, Sequence

from ctxsieve.compress import read_source
from ctxsieve.errors import PathError
from ctxsieve.fragments import Definition, DefinitionKind
from ctxsieve.graph import Index, ProjectGraph
from ctxsieve.jail import read_inside
from ctxsieve.languages import LANGUAGES, Language, LanguageKind, parse_many
from ctxsieve.smells.options import Confidence
from ctxsieve.values import dataclass

__all__ = ["UnusedExport", "find_unused_exports"]

_DEFINITIONS, _COMMENTS, _STRINGS, _CODE = range(4)
_KINDS = frozenset(
    {
        DefinitionKind.FUNCTION,
        DefinitionKind.CLASS,
        DefinitionKind.STRUCT,
        DefinitionKind.ENUM,
        DefinitionKind.INTERFACE,
        DefinitionKind.TRAIT,
        DefinitionKind.TYPE,
        DefinitionKind.CONSTANT,
    }
)
# Frameworks, loaders and linkers find these by name.
_CONVENTIONAL = re.compile(
    r"(?:main|init|setup|tear_?down|default|register|index|handler|configure|plugin)\Z", re.IGNORECASE
)
# Files of these languages use each other's names by reflection, by linking or by package without an import.
_SEEN_FROM_OUTSIDE = frozenset({"c", "cpp", "java", "kotlin", "scala", "csharp", "swift", "php", "ruby"})
_INTERNAL = re.compile(r"(?:^|/)(?:_[^/]*|internal|internals|private|impl|detail)/|(?:^|/)_[^_/][^/]*\Z")
_SHORTEST_NAME = 4
_CONFIDENCES = tuple(Confidence)


@dataclass(frozen=True, slots=True)
class UnusedExport:
    """An exported definition without any mention but its own."""

    document: int
    name: str
    first_line: int
    last_line: int
    confidence: Confidence


def find_unused_exports(
    graph: ProjectGraph, documents: Sequence[int], *, least: Confidence, threads: int
) -> list[UnusedExport]:
    """Return exported definitions at file level that no file mentions, in code, strings or comments.

    Left out are names that several files define, names with decorators, annotations or attributes, names that a
    framework may look up, files that nothing imports (those are started or loaded in other ways), and what is less sure
    than `least`.
    """
    index = graph.index
    imported = set(graph.edges.target.tolist())
    libraries = _Libraries(index)
    confidences = {
        document: libraries.confidence(index.paths[document], index.languages[document] or "")
        for document in documents
        if document in imported
    }
    suspects = {
        document: names
        for document, confidence in confidences.items()
        if _CONFIDENCES.index(confidence) >= _CONFIDENCES.index(least) and (names := _unmentioned(index, document))
    }
    return [
        UnusedExport(document, definition.name, definition.first_line, definition.last_line, confidences[document])
        for document, definition in _exported(index, suspects, threads)
    ]


def _unmentioned(index: Index, document: int) -> set[str]:
    """Return the names that the scan finds in one place of the project only: where they are defined."""
    names = set()
    for definition in index.definitions(document):
        name = definition.name
        if len(name) < _SHORTEST_NAME or name.startswith("_") or _CONVENTIONAL.match(name):
            continue
        mentions, frequencies = index.postings(name.lower())
        if mentions.tolist() != [document]:
            continue
        counts = frequencies[0].tolist()
        # The definition is code as well; another of the same name would be ambiguous.
        if counts[_DEFINITIONS] == 1 and counts[_CODE] <= 1 and not counts[_STRINGS] and not counts[_COMMENTS]:
            names.add(name)
    return names


def _exported(index: Index, suspects: dict[int, set[str]], threads: int) -> Iterator[tuple[int, Definition]]:
    files: list[tuple[bytes, Language]] = []
    owners = []
    for document in suspects:
        language = LANGUAGES[index.languages[document] or ""]
        if language.kind is not LanguageKind.CODE or language.grammar is None:
            continue
        try:
            source = read_source(index.paths[document], read_inside(index.root, index.paths[document]), language)
        except PathError:
            continue
        files.append((source.data, language))
        owners.append(document)
    for document, (data, _), parsed in zip(owners, files, parse_many(files, threads=threads), strict=True):
        for definition in parsed.definitions:
            if (
                definition.parent is None
                and definition.exported
                and definition.kind in _KINDS
                and definition.name in suspects[document]
                and not _is_marked(data, definition)
            ):
                yield document, definition


def _is_marked(data: bytes, definition: Definition) -> bool:
    """Say whether a decorator, annotation or attribute stands in front: something may find the definition by it."""
    lines = data[definition.start_byte : definition.signature_end_byte].split(b"\n")
    return any(line.lstrip().startswith((b"@", b"#[", b"[", b"#pragma")) for line in lines)


class _Libraries:
    """Which languages of a project are published for others to import."""

    def __init__(self, index: Index) -> None:
        tops = {path for path in index.paths if path.count("/") <= 1}
        names = {path.rpartition("/")[2] for path in tops}
        self._published = set(_SEEN_FROM_OUTSIDE)
        if names & {"pyproject.toml", "setup.py", "setup.cfg"}:
            self._published.add("python")
        if any(path == "src/lib.rs" or path.endswith("/src/lib.rs") for path in index.paths):
            self._published.add("rust")
        if "go.mod" in names:
            self._published.add("go")
        if any(name.endswith((".rockspec", ".gemspec")) for name in names):
            self._published |= {"lua", "ruby"}
        if "mix.exs" in names:
            self._published.add("elixir")
        if any(_is_public_package(index, path) for path in tops if path.rpartition("/")[2] == "package.json"):
            self._published |= {"javascript", "typescript", "tsx"}

    def confidence(self, path: str, language: str) -> Confidence:
        """Return how sure it is that nobody uses an export of this file."""
        if language not in self._published:
            return Confidence.HIGH
        is_internal = _INTERNAL.search(path) is not None and language not in _SEEN_FROM_OUTSIDE
        return Confidence.MEDIUM if is_internal else Confidence.LOW


def _is_public_package(index: Index, path: str) -> bool:
    try:
        manifest = json.loads(read_inside(index.root, path))
    except (PathError, ValueError, RecursionError):
        return True
    return not (isinstance(manifest, dict) and manifest.get("private") is True)
