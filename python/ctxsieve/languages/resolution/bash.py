"""Shell: `source FILE` and `. FILE`."""

import re

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Target

__all__ = ["Resolver"]

_SOURCED = re.compile(r"(?:source|\.)\s+(.+)", re.DOTALL)
# What only a running shell knows stands for some directory: $DIR, ${DIR}, $(dirname "$0"), `pwd`.
_UNKNOWN = re.compile(r"\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{[^}]*\}|\$\w+|\$[@*#?0-9]")


class Resolver(ImportResolver):
    """Resolves sourced files beside the script, then below the root, then by a path ending that is unique nearby."""

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the sourced file."""
        match = _SOURCED.match(text)
        if match is None:
            return []
        word = re.split(r"\s*(?:\|\||&&|[;|&<>])\s*", match[1].strip())[0]
        known = _UNKNOWN.sub("\0", word).replace('"', "").replace("'", "")
        name = known.rpartition("\0")[2].split()[0] if known.rpartition("\0")[2].split() else ""
        name = name.lstrip("/")
        directory = self.project.directories[document]
        found = self._find(name, directory) if name else None
        return [] if found is None else [(found, EdgeKind.IMPORT)]

    def _find(self, name: str, directory: str) -> int | None:
        for folder in (directory, ""):
            found = self.project.find_joined(folder, name)
            if found is not None:
                return found
        while name.startswith("../"):
            name = name[3:]
        return self.project.nearest(self.project.find_suffix(name), directory)
