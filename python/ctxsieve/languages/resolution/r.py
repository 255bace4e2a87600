"""R: sourced files, and the files of one package."""

import re
from collections.abc import Iterator

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Target, package_edges

__all__ = ["Resolver"]

_SOURCE = re.compile(r"source\s*\(\s*(?:file\s*=\s*)?(?:[\w.:]+\s*\()?\s*(.*)", re.DOTALL)
_LITERAL = re.compile(r"[\"']([^\"'\n]+)[\"']")


class Resolver(ImportResolver):
    """Resolves `source("x.R")`, also through `file.path` and `here`, beside the script and below the root."""

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the sourced file."""
        match = _SOURCE.match(text)
        if match is None:
            return []
        name = "/".join(_LITERAL.findall(match[1].partition(")")[0])) or ""
        directory = self.project.directories[document]
        for folder in (directory, "") if name else ():
            found = self.project.find_joined(folder, name)
            if found is not None:
                return [(found, EdgeKind.IMPORT)]
        found = self.project.nearest(self.project.find_suffix(name), directory) if name else None
        return [] if found is None else [(found, EdgeKind.IMPORT)]

    def further_edges(self) -> Iterator[tuple[int, int, EdgeKind]]:
        """Files of a package's `R` directory see each other."""
        groups: dict[str, list[int]] = {}
        for document in self.own:
            directory = self.project.directories[document]
            if directory.rpartition("/")[2] == "R":
                groups.setdefault(directory, []).append(document)
        return package_edges(groups.values())
