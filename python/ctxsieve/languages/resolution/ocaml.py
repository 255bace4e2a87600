"""OCaml: opened and included modules are files; an interface belongs to its implementation."""

import re
from collections.abc import Iterator

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Target

__all__ = ["Resolver"]

_OPEN = re.compile(r"(?:open!?|include)\s+(?:module\s+type\s+of\s+)?([A-Z][\w']*(?:\.[A-Z][\w']*)*)")


class Resolver(ImportResolver):
    """Resolves `open A.B`: the last component that is a file, the nearest of that name (dune wraps by directory)."""

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the file of the opened module."""
        match = _OPEN.match(text)
        if match is None:
            return []
        directory = self.project.directories[document]
        for name in reversed(match[1].split(".")):
            stem = name[0].lower() + name[1:]
            for file in (f"{stem}.ml", f"{name}.ml"):
                found = self.project.nearest(self.project.by_name.get(file, ()), directory)
                if found is not None and found != document:
                    return [(found, EdgeKind.IMPORT)]
        return []

    def further_edges(self) -> Iterator[tuple[int, int, EdgeKind]]:
        """An implementation and its interface belong together."""
        for document in self.own:
            path = self.project.paths[document]
            if path.endswith(".ml"):
                interface = self.project.find(path + "i")
                if interface is not None:
                    yield document, interface, EdgeKind.MODULE
                    yield interface, document, EdgeKind.MODULE
