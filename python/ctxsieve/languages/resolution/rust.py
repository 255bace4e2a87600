"""Rust: module trees of crates, `use` paths through them, workspaces, renamed dependencies and re-exports."""

import re
import tomllib
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Project, Target, ancestors, join
from ctxsieve.values import dataclass, field

__all__ = ["Resolver", "expand_use"]

_MOD = re.compile(r"mod\s+(?:r#)?(\w+)")
# `use<'a>` in a type is no import.
_USE = re.compile(r"use(?:\s|::|\{)")
_PATH_ATTRIBUTE = re.compile(r"path\s*=\s*\"([^\"\n]+)\"")
_EXTERN = re.compile(r"extern\s+crate\s+(\w+)(?:\s+as\s+(\w+))?")
_TOKEN = re.compile(r"[\w#]+|::|[{},*]|\$crate")
# Directories whose files are crates of their own inside a package.
_TARGET_DIRECTORIES = ("tests", "examples", "benches", "src/bin")
_CHAIN_LIMIT = 4

Path = tuple[str, ...]


@dataclass(slots=True)
class _Crate:
    """A package: its directory, its library name, how it names its dependencies, and its library's root file."""

    directory: str
    name: str
    aliases: dict[str, str] = field(default_factory=dict)
    root: int | None = None


def expand_use(text: str) -> list[tuple[Path, str]]:
    """Return (path, name it is bound to) for every leaf of a use tree; a glob binds `*`, `self` names its parent."""
    words = _TOKEN.findall(text.partition("use")[2])
    leaves: list[tuple[Path, str]] = []
    _read_tree(words, 0, (), leaves)
    return leaves


def _read_tree(words: Sequence[str], position: int, prefix: Path, leaves: list[tuple[Path, str]]) -> int:
    """Read one use tree from `position` and return the position behind it."""
    path = prefix
    while position < len(words):
        word = words[position]
        if word == "::":
            position += 1
        elif word == "{":
            position += 1
            while position < len(words) and words[position] != "}":
                position = _read_tree(words, position, path, leaves)
                if position < len(words) and words[position] == ",":
                    position += 1
            return position + 1
        elif word == "*":
            leaves.append((path, "*"))
            return position + 1
        elif word in ("}", ","):
            break
        elif word == "as" and position + 1 < len(words):
            leaves.append((path, words[position + 1]))
            return position + 2
        else:
            if word != "self" or path == ():
                path = (*path, word.removeprefix("r#"))
            position += 1
    if path != prefix or path:
        leaves.append((path, path[-1]))
    return min(len(words), position)


class Resolver(ImportResolver):
    """Resolves `use`, `mod` and `extern crate`.

    Every file has a place in a crate: from `mod` declarations walked from the crate's roots (`#[path]` included), or
    else from its path below `src`. A path is followed through the modules as far as they exist; what is left is a name,
    which is looked up once more among the module's own imports, so that re-exports lead to the defining file.
    """

    manifest_names = frozenset({"Cargo.toml"})

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._crates: dict[str, _Crate] = {}
        self._by_name: dict[str, _Crate] = {}
        self._places: dict[int, tuple[str, Path]] = {}
        self._modules: dict[tuple[str, Path], int] = {}
        self._declared: dict[tuple[int, str], int] = {}
        self._uses: dict[int, list[tuple[Path, str]]] = {}
        self._read_manifests()
        for document in documents:
            self._place(document)
        for document in documents:
            self._declare(document)

    def _read_manifests(self) -> None:
        workspace: dict[str, Any] = {}
        tables = []
        for directory, path in self.project.manifests("Cargo.toml"):
            try:
                table = tomllib.loads(self.project.read_text(path))
            except (ValueError, RecursionError):
                continue
            tables.append((directory, table))
            shared = _table(_table(table, "workspace"), "dependencies")
            workspace = {**shared, **workspace}
        for directory, table in tables:
            package = _table(table, "package")
            if isinstance(package.get("name"), str):
                self._add_crate(directory, table, package["name"], workspace)
        for document in self.project.by_name.get("lib.rs", ()):
            # Without Cargo (as in the Linux kernel) a crate is named like its directory.
            if self._crate_of(document) is None:
                directory = self.project.directories[document].removesuffix("/src")
                name = directory.rpartition("/")[2].replace("-", "_")
                self._crates[directory] = _Crate(directory, name, root=document)
        for crate in self._crates.values():
            self._by_name.setdefault(crate.name, crate)

    def _add_crate(self, directory: str, table: dict[str, Any], name: str, workspace: dict[str, Any]) -> None:
        library = _table(table, "lib")
        crate = _Crate(directory, str(library.get("name") or name).replace("-", "_"))
        for place in (str(library.get("path") or "src/lib.rs"), "src/main.rs"):
            joined = join(directory, place)
            crate.root = self.project.find(joined) if joined is not None and crate.root is None else crate.root
        for section in (table, *_table(table, "target").values()):
            for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
                for alias, value in _table(section, kind).items():
                    detail = value if isinstance(value, dict) else {}
                    if detail.get("workspace") is True:
                        detail = _table(workspace, alias)
                    package = detail.get("package")
                    if isinstance(package, str):
                        crate.aliases[alias.replace("-", "_")] = package.replace("-", "_")
        self._crates[directory] = crate

    def _crate_of(self, document: int) -> _Crate | None:
        for directory in ancestors(self.project.directories[document]):
            if directory in self._crates:
                return self._crates[directory]
        return None

    def _place(self, document: int) -> None:
        """Give a file its place by its path: (tree, module path)."""
        path = self.project.paths[document]
        crate = self._crate_of(document)
        base = crate.directory if crate is not None else _source_parent(path)
        inner = path[len(base) + 1 :] if base else path
        tree, rest = f"{base}|lib", inner
        for folder in _TARGET_DIRECTORIES:
            if inner.startswith(folder + "/"):
                rest = inner[len(folder) + 1 :]
                head = rest.partition("/")[0].removesuffix(".rs")
                tree = f"{base}|{folder}/{head}"
                rest = rest.partition("/")[2] if "/" in rest else "main.rs"
                break
        else:
            rest = inner.removeprefix("src/")
        parts = rest.removesuffix(".rs").split("/")
        if parts[-1] in ("mod", "lib", "main"):
            parts = parts[:-1]
        place = (tree, tuple(parts))
        self._places[document] = place
        if crate is not None and document == crate.root:
            self._places[document] = place = (tree, ())
        if place not in self._modules or path.endswith("/lib.rs"):
            self._modules[place] = document

    def _declare(self, document: int) -> None:
        """Follow the `mod` declarations of a file; `#[path]` may put a module anywhere."""
        tree, module = self._places[document]
        path_attribute: str | None = None
        for text in self.project.statements_of(document):
            match = _MOD.match(text)
            if match is None:
                attribute = _PATH_ATTRIBUTE.match(text)
                path_attribute = attribute[1] if attribute else None
                continue
            target = self._declared_file(document, match[1], path_attribute)
            path_attribute = None
            if target is not None:
                self._declared[document, match[1]] = target
                self._modules[tree, (*module, match[1])] = target
                if self._places.get(target) != (tree, (*module, match[1])) and target in self._places:
                    self._places[target] = (tree, (*module, match[1]))

    def _declared_file(self, document: int, name: str, path_attribute: str | None) -> int | None:
        directory = self.project.directories[document]
        if path_attribute is not None:
            return self.project.find_joined(directory, path_attribute)
        stem = self.project.paths[document].rpartition("/")[2].removesuffix(".rs")
        below = directory
        if not self._is_root(document) and stem != "mod":
            below = f"{directory}/{stem}".strip("/")
        for folder in (below, directory):
            for candidate in (f"{name}.rs", f"{name}/mod.rs"):
                found = self.project.find_joined(folder, candidate)
                if found is not None and found != document:
                    return found
        return None

    def _is_root(self, document: int) -> bool:
        name = self.project.paths[document].rpartition("/")[2]
        return self._places[document][1] == () or name in ("lib.rs", "main.rs", "build.rs")

    def context_of(self, document: int) -> Hashable:
        """The file: paths start at its own module."""
        return document

    def targets_of(self, text: str, document: int) -> Iterator[Target]:
        """Yield the module files that a statement leads to."""
        match = _MOD.match(text)
        if match is not None:
            declared = self._declared.get((document, match[1]))
            if declared is not None:
                yield declared, EdgeKind.MODULE
        elif text.startswith("extern"):
            match = _EXTERN.match(text)
            crate = self._named_crate(match[1], document) if match else None
            if crate is not None and crate.root is not None:
                yield crate.root, EdgeKind.IMPORT
        elif _USE.match(text):
            for path, bound in expand_use(text):
                for target in self._follow(path, document, 0, is_glob=bound == "*"):
                    yield target, EdgeKind.IMPORT

    def _named_crate(self, name: str, document: int) -> _Crate | None:
        own = self._crate_of(document)
        if own is not None and name in own.aliases:
            return self._by_name.get(own.aliases[name])
        return self._by_name.get(name)

    def _start(self, path: Path, document: int) -> tuple[str, Path, Path] | None:
        """Return (tree, module, rest of the path) where a path begins."""
        tree, module = self._places[document]
        head, rest = path[0], path[1:]
        if head in ("crate", "$crate"):
            return tree, (), rest
        if head == "self":
            return tree, module, rest
        if head == "super":
            while rest and rest[0] == "super" and module:
                module, rest = module[:-1], rest[1:]
            return (tree, module[:-1], rest) if module else None
        if (tree, (*module, head)) in self._modules:
            return tree, module, path
        crate = self._named_crate(head, document)
        if crate is not None:
            return f"{crate.directory}|lib", (), rest
        return None

    def _follow(self, path: Path, document: int, depth: int, *, is_glob: bool = False) -> list[int]:
        if not path or depth > _CHAIN_LIMIT:
            return []
        start = self._start(path, document)
        if start is None:
            return []
        tree, module, rest = start
        while rest and (tree, (*module, rest[0])) in self._modules:
            module, rest = (*module, rest[0]), rest[1:]
        target = self._modules.get((tree, module))
        if target is None and module == ():
            target = self._tree_root(tree)
        if target is None:
            return []
        found = [target]
        if rest and target != document:
            found += self._origins(target, rest[0], depth)
        elif is_glob and not rest:
            return found
        return found

    def _tree_root(self, tree: str) -> int | None:
        crate = self._crates.get(tree.partition("|")[0])
        return crate.root if crate is not None and tree.endswith("|lib") else None

    def _origins(self, module: int, name: str, depth: int) -> list[int]:
        """Return the files that a module's own imports take a name from."""
        if depth >= _CHAIN_LIMIT:
            return []
        globs = []
        for path, bound in self._uses_of(module):
            if bound == name:
                return self._follow(path, module, depth + 1)
            if bound == "*":
                globs.append(path)
        if module in self.project.defining(name):
            return []
        for path in globs:
            for target in self._follow(path, module, depth + 1, is_glob=True):
                if target in self.project.defining(name):
                    return [target]
        return []

    def _uses_of(self, module: int) -> list[tuple[Path, str]]:
        if module not in self._uses:
            self._uses[module] = [
                leaf for text in self.project.statements_of(module) if _USE.match(text) for leaf in expand_use(text)
            ]
        return self._uses[module]


def _table(value: object, key: str) -> dict[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _source_parent(path: str) -> str:
    """Return the directory above `src` of a file outside of every package, or the file's directory."""
    head, found, _ = path.rpartition("/src/")
    if found:
        return head
    return "" if path.startswith("src/") else path.rpartition("/")[0]
