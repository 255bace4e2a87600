"""Perl: modules by path or declared package, and required files."""

import re
from collections.abc import Sequence

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Project, Target

__all__ = ["Resolver"]

_PACKAGE = re.compile(r"package\s+([\w:]+)")
_USE = re.compile(r"(?:use|require)\s+([A-Za-z]\w*(?:::\w+)*)(.*)", re.DOTALL)
_FILE = re.compile(r"(?:require|do)\s+[\"']([^\"'\n]+)[\"']")
_WORD = re.compile(r"\b[A-Za-z]\w*(?:::\w+)*\b")


class Resolver(ImportResolver):
    """Resolves `use A::B` to `A/B.pm` nearest to the file, or to the file that declares the package; bases as well."""

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._packages: dict[str, list[int]] = {}
        for document in documents:
            for text in project.statements_of(document):
                match = _PACKAGE.match(text)
                if match and document not in self._packages.setdefault(match[1], []):
                    self._packages[match[1]].append(document)

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the files of the used modules."""
        directory = self.project.directories[document]
        match = _FILE.match(text)
        if match is not None:
            found = self.project.find_joined(directory, match[1])
            if found is None:
                found = self.project.nearest(self.project.find_suffix(match[1]), directory)
            return [] if found is None else [(found, EdgeKind.IMPORT)]
        match = _USE.match(text)
        if match is None:
            return []
        names = _WORD.findall(match[2]) if match[1] in ("parent", "base") else [match[1]]
        hits = (self._module(name, directory) for name in names)
        return [(found, EdgeKind.IMPORT) for found in hits if found is not None]

    def _module(self, name: str, directory: str) -> int | None:
        found = self.project.nearest(self.project.find_suffix(name.replace("::", "/") + ".pm"), directory)
        return found if found is not None else self.project.nearest(self._packages.get(name, ()), directory)
