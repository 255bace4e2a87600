"""Zig: `@import` of files and of modules that build.zig names."""

import re
from functools import cached_property

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Target, ancestors, join

__all__ = ["Resolver"]

_IMPORT = re.compile(r"@import\s*\(\s*\"([^\"\n]+)\"")
_MODULE = re.compile(
    r"(?:addModule|createModule|addImport|addAnonymousImport)\s*\(\s*\"([^\"]+)\".{0,200}?root_source_file\s*=\s*(?:b\.path\(|\.\{\s*\.path\s*=\s*)?\s*\"([^\"]+)\"",
    re.DOTALL,
)


class Resolver(ImportResolver):
    """Resolves files relative to the importer and module names through the nearest build.zig."""

    manifest_names = frozenset({"build.zig"})

    @cached_property
    def _modules(self) -> dict[str, dict[str, str]]:
        """Root source files by module name, by the directory of build.zig."""
        found: dict[str, dict[str, str]] = {}
        for directory, path in self.project.manifests("build.zig"):
            for name, root in _MODULE.findall(self.project.read_text(path)):
                joined = join(directory, root)
                if joined is not None:
                    found.setdefault(directory, {}).setdefault(name, joined)
        return found

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the imported file."""
        match = _IMPORT.match(text)
        if match is None:
            return []
        directory = self.project.directories[document]
        found = self.project.find_joined(directory, match[1])
        if found is None:
            for place in ancestors(directory):
                root = self._modules.get(place, {}).get(match[1])
                if root is not None:
                    found = self.project.find(root)
                    break
        return [] if found is None else [(found, EdgeKind.IMPORT)]
