"""PHP: `use` over PSR-4 prefixes and declared namespaces, and required files."""

import json
import re
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Project, Target, join, package_edges

__all__ = ["Resolver", "parse_use"]

_NAMESPACE = re.compile(r"namespace\s+([\w\\]+)")
_REQUIRE = re.compile(r"(?:require|include)(?:_once)?\b(?P<rest>.*)", re.DOTALL)
_LITERAL = re.compile(r"[\"']([^\"'\n$]+)[\"']")
_PARENTS = re.compile(r"dirname\s*\(")


def parse_use(text: str) -> list[str]:
    """Return the qualified names of a use statement, groups expanded."""
    body = re.sub(r"^use\s+(?:(?:function|const)\s+)?", "", text).strip()
    prefix, brace, rest = body.partition("{")
    parts = rest.rstrip("} \n\t").split(",") if brace else body.split(",")
    names = []
    for part in parts:
        words = [word for word in part.split() if word not in ("function", "const")]
        if words:
            names.append((prefix.strip() + words[0] if brace else words[0]).strip("\\"))
    return names


class Resolver(ImportResolver):
    """Resolves `use`, `require` and `include`.

    Class names go through the PSR-4 prefixes of every composer.json (longest first), then to the file of the declared
    namespace that is named so, or defines it. A trait used inside of a class is looked up in the file's own namespace.
    """

    manifest_names = frozenset({"composer.json"})

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._namespaces: dict[str, list[int]] = {}
        self._namespace_of: dict[int, str] = {}
        for document in documents:
            for text in project.statements_of(document):
                match = _NAMESPACE.match(text)
                if match:
                    self._namespaces.setdefault(match[1], []).append(document)
                    self._namespace_of.setdefault(document, match[1])

    @cached_property
    def _prefixes(self) -> list[tuple[str, str]]:
        """(namespace prefix, directory) of PSR-4 autoloading, longest prefix first."""
        found = []
        for directory, path in self.project.manifests("composer.json"):
            try:
                table = json.loads(self.project.read_text(path))
            except (ValueError, RecursionError):
                continue
            for section in ("autoload", "autoload-dev"):
                rules = table.get(section) if isinstance(table, dict) else None
                rules = rules.get("psr-4") if isinstance(rules, dict) else None
                for prefix, places in (rules if isinstance(rules, dict) else {}).items():
                    for place in [places] if isinstance(places, str) else places if isinstance(places, list) else []:
                        joined = join(directory, str(place) or ".")
                        if joined is not None:
                            found.append((prefix.strip("\\"), joined))
        return sorted(found, key=lambda item: (-len(item[0]), item))

    def context_of(self, document: int) -> Hashable:
        """The directory and the namespace."""
        return (self.project.directories[document], self._namespace_of.get(document, ""))

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the files of the used classes, functions and included files."""
        if text.startswith("use"):
            found = []
            for name in parse_use(text):
                files = self._class_files(name)
                if not files and "\\" not in name:
                    files = self._class_files(f"{self._namespace_of.get(document, '')}\\{name}".strip("\\"))
                found += files
            return [(file, EdgeKind.IMPORT) for file in found]
        match = _REQUIRE.match(text)
        target = None if match is None else self._required(match["rest"], self.project.directories[document])
        return [] if target is None else [(target, EdgeKind.INCLUDE)]

    def _class_files(self, name: str) -> list[int]:
        for prefix, directory in self._prefixes:
            if name.startswith(prefix + "\\") or not prefix:
                rest = name[len(prefix) :].strip("\\").replace("\\", "/")
                document = self.project.find(f"{directory}/{rest}.php".strip("/"))
                if document is not None:
                    return [document]
        namespace, _, member = name.rpartition("\\")
        files = self._namespaces.get(namespace, ())
        named = [file for file in files if self.project.paths[file].rpartition("/")[2] == f"{member}.php"]
        if named:
            return named
        defining = self.project.defining(member)
        return [file for file in files if file in defining]

    def _required(self, rest: str, directory: str) -> int | None:
        literal = _LITERAL.search(rest)
        if literal is None:
            return None
        for _ in range(len(_PARENTS.findall(rest)) - ("__FILE__" in rest)):
            directory = directory.rpartition("/")[0]
        name = literal[1].lstrip("/")
        for folder in (directory, ""):
            found = self.project.find_joined(folder, name)
            if found is not None:
                return found
        return self.project.nearest(self.project.find_suffix(name), directory) if "/" in name else None

    def further_edges(self) -> Iterator[tuple[int, int, EdgeKind]]:
        """Files of one namespace see each other."""
        return package_edges(self._namespaces.values())
