"""Ruby: require over load paths, require_relative, load and autoload."""

import re
from collections.abc import Sequence
from functools import cached_property

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Target

__all__ = ["Resolver"]

_CALL = re.compile(r"(require_relative|require|load|autoload)\b\s*\(?\s*(?::?\w+\s*,\s*)?[\"']([^\"'#\n]+)[\"']")


class Resolver(ImportResolver):
    """Resolves required files.

    Load paths are `lib` of the project and of every gem in it (a directory with a gemspec), `app/*`, `spec`, `test` and
    the root; the ones nearest to the requiring file come first.
    """

    @cached_property
    def _load_paths(self) -> list[str]:
        homes = {""} | {
            directory
            for document, directory in enumerate(self.project.directories)
            if self.project.paths[document].endswith((".gemspec", "/Gemfile"))
        }
        folders = ("lib", "spec", "test", "app", "")
        paths = [f"{home}/{folder}".strip("/") for home in sorted(homes) for folder in folders]
        apps = [
            directory for directory in sorted(self.project.all_directories) if re.search(r"(?:^|/)app/\w+$", directory)
        ]
        return [path for path in dict.fromkeys((*paths, *apps)) if path in self.project.all_directories]

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the required file."""
        match = _CALL.match(text)
        if match is None:
            return []
        kind, name = match[1], match[2]
        directory = self.project.directories[document]
        if kind == "require_relative" or name.startswith("."):
            found = self._file(directory, name)
        else:
            hits = [hit for path in self._load_paths if (hit := self._file(path, name)) is not None]
            found = self.project.nearest(hits, directory) if hits else self._by_suffix(name, directory)
        return [] if found is None else [(found, EdgeKind.IMPORT)]

    def _file(self, directory: str, name: str) -> int | None:
        for candidate in (name, f"{name}.rb"):
            found = self.project.find_joined(directory, candidate)
            if found is not None:
                return found
        return None

    def _by_suffix(self, name: str, directory: str) -> int | None:
        if "/" not in name:
            return None
        hits: Sequence[int] = self.project.find_suffix(f"lib/{name.removesuffix('.rb')}.rb")
        return self.project.nearest(hits, directory)
