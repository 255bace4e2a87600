"""Lua: dotted module names and files."""

import re

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Target

__all__ = ["Resolver"]

_CALL = re.compile(r"(require|dofile|loadfile)\s*\(?\s*(?:\"([^\"\n]+)\"|'([^'\n]+)'|\[\[([^\]\n]+)\]\])")


class Resolver(ImportResolver):
    """Resolves `a.b` to `a/b.lua` or `a/b/init.lua`, in the directories that share most of the requiring path first."""

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the required file."""
        match = _CALL.match(text)
        if match is None:
            return []
        name = match[2] or match[3] or match[4]
        directory = self.project.directories[document]
        if match[1] == "require":
            path = name.replace(".", "/").strip("/")
            endings = [f"{path}.lua", f"{path}/init.lua", f"{path}.luau"]
        else:
            endings = [name]
        for ending in endings:
            for folder in (directory, ""):
                found = self.project.find_joined(folder, ending)
                if found is not None:
                    return [(found, EdgeKind.IMPORT)]
        for ending in endings:
            found = self.project.nearest(self.project.find_suffix(ending), directory)
            if found is not None:
                return [(found, EdgeKind.IMPORT)]
        return []
