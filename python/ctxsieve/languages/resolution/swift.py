"""Swift: modules are SwiftPM targets; a file sees the others of its module."""

import re
from collections.abc import Hashable, Iterator, Sequence

from ctxsieve.languages.resolution.project import (
    PACKAGE_LIMIT,
    EdgeKind,
    ImportResolver,
    Project,
    Target,
    ancestors,
    join,
    package_edges,
)

__all__ = ["Resolver"]

_IMPORT = re.compile(r"import\s+(?:(?:class|struct|enum|protocol|func|var|let|typealias)\s+)?(\w+)(?:\.(\w+))?")
_TARGET = re.compile(
    r"\.(?:target|executableTarget|testTarget|macro|plugin)\s*\(\s*name:\s*\"([^\"]+)\""
    r"(.*?)(?=\.\w*[tT]arget\s*\(|\.macro\s*\(|\Z)",
    re.DOTALL,
)
_PATH = re.compile(r"\bpath:\s*\"([^\"]+)\"")


class Resolver(ImportResolver):
    """Resolves `import` to the files of a target of at most PACKAGE_LIMIT files; `import struct M.T` to T's file.

    Targets are the directories below `Sources` and `Tests`, and those that Package.swift gives a `path`. In larger
    targets, files of one directory see each other.
    """

    manifest_names = frozenset({"Package.swift"})

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._places = dict(self._declared_paths())
        self._modules: dict[str, list[int]] = {}
        for document in documents:
            module = self._module_of(project.directories[document])
            if module is not None:
                self._modules.setdefault(module, []).append(document)

    def _declared_paths(self) -> Iterator[tuple[str, str]]:
        for directory, path in self.project.manifests("Package.swift"):
            for name, rest in _TARGET.findall(self.project.read_text(path)):
                match = _PATH.search(rest)
                joined = join(directory, match[1]) if match else None
                if joined:
                    yield joined, name

    def _module_of(self, directory: str) -> str | None:
        for place in ancestors(directory):
            if place in self._places:
                return self._places[place]
            parent, _, name = place.rpartition("/")
            if parent.rpartition("/")[2] in ("Sources", "Tests", "Source", "src"):
                return name
        return None

    def context_of(self, document: int) -> Hashable:  # noqa: ARG002
        """Nothing: module names are global."""
        return None

    def targets_of(self, text: str, document: int) -> list[Target]:  # noqa: ARG002
        """Return the files of the imported module."""
        match = _IMPORT.match(text)
        files = self._modules.get(match[1], []) if match else []
        if match and match[2]:
            defining = self.project.defining(match[2])
            return [(file, EdgeKind.IMPORT) for file in files if file in defining]
        return [(file, EdgeKind.IMPORT) for file in files] if len(files) <= PACKAGE_LIMIT else []

    def further_edges(self) -> Iterator[tuple[int, int, EdgeKind]]:
        """Files of one module, or of one directory of a larger module, see each other."""
        for files in self._modules.values():
            if len(files) <= PACKAGE_LIMIT:
                yield from package_edges([files])
                continue
            directories: dict[str, list[int]] = {}
            for file in files:
                directories.setdefault(self.project.directories[file], []).append(file)
            yield from package_edges(directories.values())
