"""Dart: package and relative imports, exports and parts."""

import re
from functools import cached_property

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Target

__all__ = ["Resolver"]

_DIRECTIVE = re.compile(r"(import|export|part)\b(?:\s+of)?\s+[\"']([^\"'\n]+)[\"']")
_NAME = re.compile(r"^name:\s*[\"']?([\w]+)", re.MULTILINE)
_KINDS = {"import": EdgeKind.IMPORT, "export": EdgeKind.RE_EXPORT, "part": EdgeKind.MODULE}


class Resolver(ImportResolver):
    """Resolves `package:name/x.dart` to `lib/x.dart` of the repository's package of that name, and relative paths."""

    manifest_names = frozenset({"pubspec.yaml"})

    @cached_property
    def _packages(self) -> dict[str, str]:
        named: dict[str, str] = {}
        for directory, path in self.project.manifests("pubspec.yaml"):
            match = _NAME.search(self.project.read_text(path))
            if match:
                named.setdefault(match[1], directory)
        return named

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the named file."""
        match = _DIRECTIVE.match(text)
        if match is None or match[2].startswith("dart:"):
            return []
        if match[2].startswith("package:"):
            name, _, rest = match[2][len("package:") :].partition("/")
            home = self._packages.get(name)
            found = None if home is None else self.project.find_joined(home, f"lib/{rest}")
        else:
            found = self.project.find_joined(self.project.directories[document], match[2])
        return [] if found is None else [(found, _KINDS[match[1]])]
