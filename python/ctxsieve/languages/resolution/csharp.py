"""C#: using directives against the namespaces that the files declare."""

import re
from collections.abc import Hashable, Iterator, Sequence

from ctxsieve.languages.resolution.project import (
    PACKAGE_LIMIT,
    EdgeKind,
    ImportResolver,
    Project,
    Target,
    package_edges,
)

__all__ = ["Resolver"]

_NAMESPACE = re.compile(r"namespace\s+([\w.]+)")
_USING = re.compile(
    r"(?:global\s+)?using\s+(?P<static>static\s+)?(?:(?P<alias>\w+)\s*=\s*)?"
    r"(?:global::)?(?P<name>[\w.]+)"
)


class Resolver(ImportResolver):
    """Resolves `using`.

    A namespace stands for its files, when there are at most PACKAGE_LIMIT (a larger one says too little);
    `using static` and aliases name a type: the file of that name, or those of the namespace that define it.
    """

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._namespaces: dict[str, list[int]] = {}
        for document in documents:
            declared = {
                match[1] for text in project.statements_of(document) if (match := _NAMESPACE.match(text)) is not None
            }
            for namespace in sorted(declared):
                self._namespaces.setdefault(namespace, []).append(document)

    def context_of(self, document: int) -> Hashable:  # noqa: ARG002
        """Nothing: names are absolute."""
        return None

    def targets_of(self, text: str, document: int) -> list[Target]:  # noqa: ARG002
        """Return the files of a namespace or of a type."""
        match = _USING.match(text)
        if match is None:
            return []
        name = match["name"]
        files = self._namespaces.get(name)
        if files is not None:
            return [(file, EdgeKind.IMPORT) for file in files] if len(files) <= PACKAGE_LIMIT else []
        if match["static"] or match["alias"]:
            return [(file, EdgeKind.IMPORT) for file in self._type_files(name)]
        return []

    def _type_files(self, name: str) -> list[int]:
        namespace, _, member = name.rpartition(".")
        files = self._namespaces.get(namespace, ())
        named = [file for file in files if self.project.paths[file].endswith(f"/{member}.cs")]
        if named:
            return named
        defining = self.project.defining(member)
        return [file for file in files if file in defining]

    def further_edges(self) -> Iterator[tuple[int, int, EdgeKind]]:
        """Files of one namespace see each other."""
        return package_edges(self._namespaces.values())
