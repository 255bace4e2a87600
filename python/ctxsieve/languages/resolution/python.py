"""Python: absolute imports over source roots, relative imports, submodules, and names re-exported by packages."""

import re
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Project, Target, ancestors, shared_depth

__all__ = ["Resolver"]

_IMPORT = re.compile(r"\bimport\b")
# Modules of the standard library that projects also have folders named like: a root that does not hold the importer
# does not shadow them.
_STANDARD_TEXT = """
abc argparse ast asyncio base64 calendar code codecs collections copy csv ctypes datetime decimal email enum fractions
functools glob hashlib html http importlib inspect io itertools json locale logging math numbers operator os pathlib
pickle platform queue random re resource secrets select selectors shutil signal site socket sqlite3 ssl stat string
struct subprocess symbol sys tempfile test textwrap threading time token tokenize trace types typing unittest urllib
uuid warnings weakref xml zipfile
"""
_STANDARD = frozenset(_STANDARD_TEXT.split())
_SUFFIXES = (".py", ".pyi", ".pyx")
_PACKAGE_FILES = tuple(f"/__init__{suffix}" for suffix in _SUFFIXES)
# How many packages in a row may hand a name on before the search ends.
_CHAIN_LIMIT = 5


class _Import(NamedTuple):
    """One parsed statement: level 0 is absolute; names are empty for `import a.b`."""

    level: int
    module: str
    names: tuple[tuple[str, str], ...]


@lru_cache(maxsize=65_536)
def parse_import(text: str) -> list[_Import]:
    """Return the imports of one statement; the pairs are (name, name it is bound to)."""
    text = text.replace("\\", " ")
    if text.startswith("import"):
        parts = [part.split() for part in text[6:].split(",")]
        return [_Import(0, words[0], ()) for words in parts if words]
    keyword = _IMPORT.search(text, 4)
    if keyword is None:
        return []
    source = "".join(text[4 : keyword.start()].split())
    names = []
    for part in text[keyword.end() :].strip(" ()\n\r\t").split(","):
        words = part.split()
        if words:
            names.append((words[0], words[2] if len(words) >= 3 and words[1] == "as" else words[0]))
    module = source.lstrip(".")
    return [_Import(len(source) - len(module), module, tuple(names))]


class Resolver(ImportResolver):
    """Resolves Python imports.

    Source roots are the project root, the parent of every outermost package (a directory with `__init__.py` whose
    parent has none), and the conventional `src` directories; namespace packages are directories under a root. The root
    that shares most of the importer's path is tried first, then the importer's own directory (scripts), then the others
    by path.
    """

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._exports: dict[int, dict[str, list[tuple[str, str, int]]]] = {}
        self._origin_lists: dict[tuple[int, str], list[int]] = {}
        self._absolute: dict[tuple[str, str], tuple[str, str] | None] = {}

    @cached_property
    def _packages(self) -> frozenset[str]:
        names = [name[1:] for name in _PACKAGE_FILES]
        return frozenset(
            self.project.directories[document] for name in names for document in self.project.by_name.get(name, ())
        )

    @cached_property
    def _roots(self) -> list[str]:
        roots = {""}
        for package in self._packages:
            parent = package.rpartition("/")[0]
            if package and parent not in self._packages:
                roots.add(parent)
        for name in ("pyproject.toml", "setup.py", "setup.cfg"):
            for directory, _ in self.project.manifests(name):
                for folder in ("", "src", "lib", "python"):
                    root = f"{directory}/{folder}".strip("/")
                    if root in self.project.all_directories:
                        roots.add(root)
        return sorted(roots)

    @cached_property
    def _top_level(self) -> dict[str, list[str]]:
        """Roots by the top-level names importable from them."""
        named: dict[str, list[str]] = {}
        for root in self._roots:
            prefix = f"{root}/" if root else ""
            inside = {path[len(prefix) :].partition("/")[0] for path in self._tree_below(root)}
            for name in inside:
                named.setdefault(name, []).append(root)
        return named

    def _tree_below(self, root: str) -> Iterator[str]:
        yield from self._children.get(root, ())
        for document in self.project.by_directory.get(root, ()):
            path = self.project.paths[document]
            if path.endswith(_SUFFIXES):
                yield path.rpartition(".")[0]

    @cached_property
    def _children(self) -> dict[str, list[str]]:
        children: dict[str, list[str]] = {}
        for directory in sorted(self.project.all_directories - {""}):
            children.setdefault(directory.rpartition("/")[0], []).append(directory)
        return children

    def context_of(self, document: int) -> Hashable:
        """The directory; a package's own file also says how its imports are re-exported."""
        path = self.project.paths[document]
        return (self.project.directories[document], path.endswith(_PACKAGE_FILES) or path.startswith("__init__"))

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the modules of one statement and, for names that a package re-exports, where they come from."""
        directory = self.project.directories[document]
        is_package = self.project.paths[document].rpartition("/")[2].startswith("__init__.")
        targets: list[Target] = []
        for item in parse_import(text):
            found = self._locate(item, directory)
            if found is None:
                continue
            base = f"{found[0]}/{found[1]}".strip("/") if found[1] else found[0]
            kind = EdgeKind.RE_EXPORT if is_package and item.level else EdgeKind.IMPORT
            targets += [(target, kind) for target in self._named_targets(base, item)]
        return targets

    def _locate(self, item: _Import, directory: str) -> tuple[str, str] | None:
        """Return (root, path below it) of the module that a statement names."""
        if item.level:
            parents = list(ancestors(directory))
            if item.level > len(parents):
                return None
            return parents[item.level - 1], item.module.replace(".", "/")
        return self._find_absolute(item.module, directory)

    def _find_absolute(self, module: str, directory: str) -> tuple[str, str] | None:
        key = (module, directory)
        if key not in self._absolute:
            self._absolute[key] = self._search_absolute(module, directory)
        return self._absolute[key]

    def _search_absolute(self, module: str, directory: str) -> tuple[str, str] | None:
        path = module.replace(".", "/")
        top = path.partition("/")[0]
        roots = self._top_level.get(top, ())
        if not roots and "" in self._packages and "/" in path:
            # The project is opened at a package: its name is the one that leads nowhere else.
            inner = path.partition("/")[2]
            return ("", inner) if self._module(inner) is not None else None
        own = [directory] if self._exists(directory, top) else []
        if not roots and not own:
            return None
        if top in _STANDARD:
            roots = [root for root in roots if _closeness(root, directory) % 2]
        ordered = sorted(roots, key=lambda root: (-_closeness(root, directory), root))
        # The importer's own directory is on the path of scripts only: inside a package it is not searched.
        if directory in self._packages:
            own = []
        for root in (*ordered, *own):
            if self._exists(root, path):
                return root, path
        # `import a.b.c` where c is a name of module a.b cannot be: the longest module that exists is meant.
        while "/" in path:
            path = path.rpartition("/")[0]
            for root in (*ordered, *own):
                if self._exists(root, path):
                    return root, path
        return None

    def _exists(self, root: str, path: str) -> bool:
        base = f"{root}/{path}" if root else path
        return self._module(base) is not None or base in self.project.all_directories

    @cached_property
    def _modules(self) -> dict[str, int]:
        """Modules by path without suffix; `a.py` comes before `a/__init__.py`, sources before stubs."""
        modules: dict[str, int] = {}
        ordered = sorted(self.own, key=lambda document: _SUFFIXES.index(self._suffix(document)))
        for document in ordered:
            path = self.project.paths[document]
            base = path[: -len(self._suffix(document))]
            if base != "__init__" and not base.endswith("/__init__"):
                modules.setdefault(base, document)
        for document in ordered:
            path = self.project.paths[document]
            if path.rpartition("/")[2].startswith("__init__."):
                modules.setdefault(self.project.directories[document], document)
        return modules

    def _suffix(self, document: int) -> str:
        suffix = "." + self.project.paths[document].rpartition(".")[2]
        return suffix if suffix in _SUFFIXES else _SUFFIXES[-1]

    def _module(self, base: str) -> int | None:
        return self._modules.get(base)

    def _named_targets(self, base: str, item: _Import) -> list[int]:
        module = self._module(base)
        if not item.names:
            return [] if module is None else [module]
        targets: list[int] = []
        for name, _ in item.names:
            submodule = self._module(f"{base}/{name}" if base else name) if name != "*" else None
            if submodule is not None:
                targets.append(submodule)
            elif module is not None:
                targets.append(module)
                key = (module, name)
                if key not in self._origin_lists:
                    self._origin_lists[key] = self._origins(module, name, 0) if name != "*" else []
                targets += self._origin_lists[key]
        return targets

    def _origins(self, module: int, name: str, depth: int) -> list[int]:
        """Return the modules that a package's own imports take a name from."""
        if depth >= _CHAIN_LIMIT or not self.project.paths[module].rpartition("/")[2].startswith("__init__."):
            return []
        exports = self._exports_of(module)
        origins: list[int] = []
        for original, base, target in exports.get(name, ()):
            submodule = self._module(f"{base}/{original}")
            origins += [target] if submodule is None else [submodule]
            origins += self._origins(target, original, depth + 1)
        if name not in exports:
            for _, _, target in exports.get("*", ()):
                if target in self.project.defining(name):
                    origins.append(target)
                else:
                    origins += self._origins(target, name, depth + 1)
        return origins

    def _exports_of(self, module: int) -> dict[str, list[tuple[str, str, int]]]:
        """Return (original name, module path, module) by the name that a package binds."""
        known = self._exports.get(module)
        if known is not None:
            return known
        exports: dict[str, list[tuple[str, str, int]]] = {}
        self._exports[module] = exports
        directory = self.project.directories[module]
        for text in self.project.statements_of(module):
            for item in parse_import(text):
                found = self._locate(item, directory) if item.names else None
                if found is None:
                    continue
                base = "/".join(part for part in found if part)
                target = self._module(base)
                for name, bound in item.names:
                    source = self._module(f"{base}/{name}") if target is None else target
                    if source is not None and source != module:
                        exports.setdefault(bound, []).append((name, base, source))
        return exports


def _closeness(root: str, directory: str) -> int:
    """Return how well a root fits an importer: roots that hold it by depth, others by what they share, less."""
    shared = shared_depth(root, directory)
    depth = root.count("/") + 1 if root else 0
    return 2 * shared + 1 if shared == depth else 2 * shared
