"""Elixir: alias, import, use and require against the modules that the files define."""

import re
from collections.abc import Hashable, Sequence

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Project, Target

__all__ = ["Resolver"]

_DEFINITION = re.compile(r"def(?:module|protocol)\s+([\w.]+)")
_USE = re.compile(r"(?:alias|import|use|require)\b\s*\(?\s*([A-Z][\w.]*?)(?:\.\{([^}]*)\}|(?![\w.]))", re.DOTALL)


class Resolver(ImportResolver):
    """Resolves module names; a nested `defmodule` is known by its own and by its full name."""

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._modules: dict[str, list[int]] = {}
        for document in documents:
            outer: str | None = None
            for text in project.statements_of(document):
                match = _DEFINITION.match(text)
                if match is None:
                    continue
                names = {match[1]} if outer is None else {match[1], f"{outer}.{match[1]}"}
                outer = outer or match[1]
                for name in sorted(names):
                    if document not in self._modules.setdefault(name, []):
                        self._modules[name].append(document)

    def context_of(self, document: int) -> Hashable:
        """The directory, to choose between modules of one name."""
        return self.project.directories[document]

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the files of the named modules."""
        match = _USE.match(text)
        if match is None:
            return []
        members = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
        names = [f"{match[1]}.{member}" for member in members] or [match[1]]
        found = (
            self.project.nearest(self._modules.get(name, ()), self.project.directories[document]) for name in names
        )
        return [(target, EdgeKind.IMPORT) for target in found if target is not None]
