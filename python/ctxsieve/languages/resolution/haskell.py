"""Haskell: imports against the module names that the files declare."""

import re
from collections.abc import Sequence

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Project, Target

__all__ = ["Resolver"]

_MODULE = re.compile(r"module\s+([A-Z][\w.']*)")
_IMPORT = re.compile(
    r"import\s+(?:\{-#.*?#-\}\s*)?(?:safe\s+)?(?:qualified\s+)?(?:\"[^\"]*\"\s+)?([A-Z][\w.']*)", re.DOTALL
)


class Resolver(ImportResolver):
    """Resolves module names; of several modules of one name (tests, packages) the nearest is meant."""

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._modules: dict[str, list[int]] = {}
        for document in documents:
            for text in project.statements_of(document):
                match = _MODULE.match(text)
                if match:
                    self._modules.setdefault(match[1], []).append(document)
                    break

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the file of the imported module."""
        match = _IMPORT.match(text)
        if match is None:
            return []
        directory = self.project.directories[document]
        found = self.project.nearest(self._modules.get(match[1], ()), directory)
        if found is None:
            ending = match[1].replace(".", "/")
            found = self.project.nearest(self.project.find_suffix(f"{ending}.hs"), directory)
        return [] if found is None else [(found, EdgeKind.IMPORT)]
