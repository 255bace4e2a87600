"""Go: packages are directories; modules, workspaces and replacements come from go.mod."""

import re
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property

from ctxsieve.languages.resolution.project import (
    EdgeKind,
    ImportResolver,
    Project,
    Target,
    ancestors,
    join,
    package_edges,
)

__all__ = ["Resolver"]

_PATH = re.compile(r"\"([^\"\n]+)\"|`([^`\n]+)`")
_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
_REPLACE = re.compile(r"^\s*(?:replace\s+)?([^\s(]+)(?:\s+v\S+)?\s*=>\s*(\.[^\s]*)", re.MULTILINE)


class Resolver(ImportResolver):
    """Resolves import paths to all files of the package, tests excluded.

    The module of the longest matching path wins (`go.mod` of this repository, as a workspace would), then `replace`
    directives with local directories, then vendored packages, then, without any go.mod, directories by suffix.
    """

    manifest_names = frozenset({"go.mod", "go.work"})

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._packages: dict[str, list[int]] = {}
        for document in documents:
            if not project.paths[document].endswith("_test.go"):
                self._packages.setdefault(project.directories[document], []).append(document)

    @cached_property
    def _modules(self) -> list[tuple[str, str]]:
        """(module path, directory), longest path first; replacements by local directories included."""
        modules: dict[str, str] = {}
        for directory, path in self.project.manifests("go.mod"):
            text = self.project.read_text(path)
            match = _MODULE.search(text)
            if match:
                modules.setdefault(match[1], directory)
        for name in ("go.mod", "go.work"):
            for directory, path in self.project.manifests(name):
                for replaced, target in _REPLACE.findall(self.project.read_text(path)):
                    joined = join(directory, target)
                    if joined is not None:
                        modules.setdefault(replaced, joined)
        return sorted(modules.items(), key=lambda item: (-len(item[0]), item[0]))

    def context_of(self, document: int) -> Hashable:
        """The directory, for vendored packages; without any, one for all."""
        return self.project.directories[document] if self._has_vendor else ""

    @cached_property
    def _has_vendor(self) -> bool:
        return any("/vendor/" in f"/{directory}/" for directory in self._packages)

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return every file of the imported packages."""
        if not text.startswith("import"):
            return []
        targets = []
        for quoted, raw in _PATH.findall(text):
            for directory in self._directories_of(quoted or raw, document):
                targets += [(file, EdgeKind.IMPORT) for file in self._packages.get(directory, ())]
        return targets

    def _directories_of(self, path: str, document: int) -> list[str]:
        if path.startswith("."):
            joined = join(self.project.directories[document], path)
            return [] if joined is None else [joined]
        if self._has_vendor:
            for directory in ancestors(self.project.directories[document]):
                vendored = f"{directory}/vendor/{path}".strip("/")
                if vendored in self._packages:
                    return [vendored]
        for module, directory in self._modules:
            if path == module or path.startswith(module + "/"):
                found = "/".join(part for part in (directory, path[len(module) + 1 :]) if part)
                return [found]
        if self._modules:
            return []
        return [directory for directory in self._packages if directory.endswith("/" + path) or directory == path]

    def further_edges(self) -> Iterator[tuple[int, int, EdgeKind]]:
        """Files of one package see each other; a test sees the package that it stands in."""
        yield from package_edges(self._packages.values())
        for document in self.own:
            if self.project.paths[document].endswith("_test.go"):
                package = self._packages.get(self.project.directories[document], ())
                if len(package) <= 8:
                    for target in package:
                        yield document, target, EdgeKind.PACKAGE
