"""Java, Kotlin and Scala: packages, single and wildcard imports, static members, files of one package."""

import re
from collections.abc import Hashable, Iterator, Sequence

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Project, Target, package_edges

__all__ = ["Resolver", "parse_imports"]

_PACKAGE = re.compile(r"package\s+([\w.`]+)")
_SELECTORS = re.compile(r"^(?P<path>[\w.`$]+?)\.?\{(?P<names>.*)\}$", re.DOTALL)


def parse_imports(text: str) -> list[str]:
    """Return the dotted names that a statement imports; a trailing `.*` takes everything."""
    body = re.sub(r"^import\s+(?:static\s+)?", "", text).replace("`", "").strip().rstrip(";").strip()
    names: list[str] = []
    for part in _split_outside_braces(body):
        match = _SELECTORS.match("".join(part.split()) if "{" in part else part)
        if match is None:
            name = part.split()[0] if part.split() else ""
            names.append(re.sub(r"\.(?:_|given)$", ".*", name))
            continue
        for selector in match["names"].split(","):
            name = re.split(r"=>|\bas\b|:", selector)[0].strip()
            if name:
                names.append(f"{match['path']}.{'*' if name in ('_', '*', 'given') else name}")
    return [name for name in names if name]


def _split_outside_braces(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [part.strip() for part in (*parts, text[start:])]


class Resolver(ImportResolver):
    """Resolves imports against the packages that the files declare.

    `a.b.C` is the file of package `a.b` that is named C, or else those that define C (Kotlin and Scala put several
    types and functions into one file); where `a.b.C` names no package member, `a.b` may be a type itself (static and
    nested members). A wildcard takes the whole package, or the type of that name. Scala names may be relative to the
    file's own package or one around it.
    """

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._packages: dict[str, list[int]] = {}
        self._package_of: dict[int, str] = {}
        self._named: dict[tuple[str, str], list[int]] = {}
        for document in documents:
            package = self._declared_package(document)
            self._package_of[document] = package
            self._packages.setdefault(package, []).append(document)
            stem = project.paths[document].rpartition("/")[2].rpartition(".")[0]
            self._named.setdefault((package, stem), []).append(document)

    def _declared_package(self, document: int) -> str:
        parts = []
        for text in self.project.statements_of(document):
            match = _PACKAGE.match(text)
            if match is None:
                break
            if match[1] != "object":
                parts.append(match[1].replace("`", ""))
        return ".".join(parts)

    def context_of(self, document: int) -> Hashable:
        """The package; Scala names are relative to it."""
        return self._package_of[document]

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the files of the imported types, functions and packages."""
        if not text.startswith("import"):
            return []
        targets: list[int] = []
        is_scala = self.project.view.languages[document] == "scala"
        for name in parse_imports(text):
            found = self._resolve(name)
            if not found and is_scala:
                found = self._resolve_relative(name, self._package_of[document])
            targets += found
        return [(target, EdgeKind.IMPORT) for target in targets]

    def _resolve_relative(self, name: str, package: str) -> list[int]:
        while package:
            found = self._resolve(f"{package}.{name}")
            if found:
                return found
            package = package.rpartition(".")[0]
        return []

    def _resolve(self, name: str) -> list[int]:
        if name.endswith(".*"):
            package = name[:-2]
            return self._packages.get(package) or self._resolve(package)
        while "." in name:
            package, _, member = name.rpartition(".")
            found = self._member(package, member)
            if found:
                return found
            # A nested or static member: look for the type that holds it.
            name = package
        return []

    def _member(self, package: str, member: str) -> list[int]:
        if package not in self._packages:
            return []
        named = self._named.get((package, member))
        if named:
            return named
        defining = self.project.defining(member)
        return [document for document in self._packages[package] if document in defining]

    def further_edges(self) -> Iterator[tuple[int, int, EdgeKind]]:
        """Files of one declared package see each other."""
        return package_edges(group for package, group in self._packages.items() if package)
