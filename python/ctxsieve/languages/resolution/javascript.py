"""JavaScript and TypeScript: relative files, index files, tsconfig paths, workspace packages, and barrels."""

import json
import re
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

from ctxsieve.languages.resolution.project import (
    EdgeKind,
    ImportResolver,
    Project,
    Target,
    ancestors,
    join,
)

__all__ = ["Resolver"]

_EXTENSIONS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json")
# TypeScript sources are imported under the names of the files that they compile to.
_WRITTEN_FOR = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
_BUILT = re.compile(r"(?:^|/)(?:dist|lib|build|out|esm|cjs|es)/")
_STRING = re.compile(r"""(['"`])((?:(?!\1)[^\\\n])*)\1""")
_NAMES = re.compile(r"\{([^}]*)\}", re.DOTALL)
_RE_EXPORT = re.compile(r"export\s*(?:type\s*)?[{*]")
_DEFAULT = re.compile(r"import\s+(?:type\s+)?([A-Za-z_$][\w$]*)\s*(?:,|from\b)")
_TEXT_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
_COMMENT_OR_COMMA = re.compile(
    r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)*[}\]])', re.DOTALL
)
_CONDITIONS = ("source", "development", "types", "import", "module", "default", "require", "node", "browser")
_CHAIN_LIMIT = 4


def read_json(text: str) -> dict[str, Any]:
    """Return the object of a JSON text that may hold comments and trailing commas; empty where it is none."""
    cleaned = _COMMENT_OR_COMMA.sub(lambda match: match[0] if match[0].startswith('"') else "", text.lstrip("\ufeff"))
    try:
        value = json.loads(cleaned)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def specifier_of(text: str) -> str | None:
    """Return the module that a statement names."""
    tail = text.rpartition(" from")[2] if text.startswith(("import", "export")) and " from" in text else text
    match = _STRING.search(tail) or _STRING.search(text)
    return match[2] if match else None


def imported_names(text: str) -> list[tuple[str, str]]:
    """Return (name in the module, name here) of an import or export list; `*` stands for everything."""
    names: list[tuple[str, str]] = []
    head = text.partition(" from")[0]
    for group in _NAMES.findall(head):
        for part in group.split(","):
            words = [word for word in part.split() if word != "type"]
            if words:
                names.append((words[0], words[2] if len(words) >= 3 and words[1] == "as" else words[0]))
    default = _DEFAULT.match(text)
    if default:
        names.append(("default", default[1]))
    if re.match(r"(?:import|export)\s+(?:type\s+)?\*", text):
        names.append(("*", "*"))
    return names


class Resolver(ImportResolver):
    """Resolves the specifiers of import, export, require and dynamic import.

    Relative first; then `#` imports of the nearest package.json; then `paths` and `baseUrl` of the nearest tsconfig or
    jsconfig (with `extends`); then packages of this repository by name, through `exports`, `source`, `types`, `module`
    and `main`, with built directories mapped back to `src`; then `@/` and `~/` as the package's `src`.
    """

    manifest_names = frozenset({"package.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.json"})

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._json: dict[str, dict[str, Any]] = {}
        self._specifiers: dict[tuple[str, str], int | None] = {}
        self._barrels: dict[int, list[tuple[str, str, int]]] = {}
        self._aliases: dict[str, tuple[str | None, dict[str, list[str]], str]] = {}

    def context_of(self, document: int) -> Hashable:
        """The directory."""
        return self.project.directories[document]

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the file that a statement names, and behind barrels the files where its names come from."""
        if text.startswith("export") and _RE_EXPORT.match(text) is None:
            return []
        specifier = specifier_of(text)
        target = None if specifier is None else self.resolve(specifier, self.project.directories[document])
        if target is None:
            return []
        if text.startswith("export"):
            return [(target, EdgeKind.RE_EXPORT)]
        targets = [(target, EdgeKind.IMPORT)]
        for name, _ in imported_names(text):
            targets += [(origin, EdgeKind.IMPORT) for origin in self._origins(target, name, 0)]
        return targets

    def resolve(self, specifier: str, directory: str) -> int | None:
        """Return the file of a specifier seen from a directory."""
        key = (specifier, directory)
        if key not in self._specifiers:
            self._specifiers[key] = self._search(specifier.partition("?")[0], directory)
        return self._specifiers[key]

    def _search(self, specifier: str, directory: str) -> int | None:
        if specifier.startswith("."):
            joined = join(directory, specifier)
            return None if joined is None else self._file_or_directory(joined)
        if specifier.startswith("#"):
            return self._package_import(specifier, directory)
        found = self._through_paths(specifier, directory)
        if found is None:
            found = self._workspace_package(specifier)
        if found is None and specifier.startswith(("@/", "~/", "/")):
            found = self._from_package_root(specifier.partition("/")[2], directory)
        return found

    def _file_or_directory(self, path: str) -> int | None:
        found = self._file(path)
        if found is not None:
            return found
        package = self._read(f"{path}/package.json" if path else "package.json")
        for entry in self._entries(package, "."):
            joined = join(path, entry)
            found = None if joined is None else self._built_file(joined)
            if found is not None:
                return found
        return self._file(f"{path}/index" if path else "index")

    def _file(self, path: str) -> int | None:
        find = self.project.documents.get
        document = find(path)
        if document is not None:
            return document
        stem, dot, extension = path.rpartition(".")
        for written in _WRITTEN_FOR.get(dot + extension, ()):
            document = find(stem + written)
            if document is not None:
                return document
        for extension in _EXTENSIONS:
            document = find(path + extension)
            if document is not None:
                return document
        return None

    def _built_file(self, path: str) -> int | None:
        """Return the file at a path, or the source that it is built from: `dist/x.js` from `src/x.ts`."""
        found = self._file(path)
        if found is not None:
            return found
        matches = list(_BUILT.finditer(path))
        if not matches:
            return None
        match = matches[-1]
        head, tail = path[: match.start()], path[match.end() :]
        stem = re.sub(r"(?:\.d)?\.[cm]?[jt]sx?$", "", tail)
        # `dist/index.js` and `dist/<package>.esm.js` are both what `src/index.ts` becomes.
        names = (f"src/{stem}", stem) if "/" in stem else (f"src/{stem}", stem, "src/index")
        found_names = (self._file(f"{head}/{name}".strip("/")) for name in names)
        return next((document for document in found_names if document is not None), None)

    def _read(self, path: str) -> dict[str, Any]:
        if path not in self._json:
            self._json[path] = read_json(self.project.read_text(path)) if path in self.project.documents else {}
        return self._json[path]

    def _entries(self, package: dict[str, Any], subpath: str) -> Iterator[str]:
        """Yield what a package.json offers under a subpath (`.` is the package itself), best first."""
        if subpath == "." and isinstance(package.get("source"), str):
            yield package["source"]
        exports = package.get("exports")
        if isinstance(exports, str) and subpath == ".":
            yield exports
        elif isinstance(exports, dict):
            has_subpaths = any(str(key).startswith(".") for key in exports)
            yield from self._exported(exports if has_subpaths else {".": exports}, subpath)
        if subpath == ".":
            for key in ("types", "typings", "module", "main"):
                if isinstance(package.get(key), str):
                    yield package[key]

    def _exported(self, exports: dict[str, Any], subpath: str) -> Iterator[str]:
        if subpath in exports:
            yield from _conditional(exports[subpath])
        for pattern, value in exports.items():
            before, star, after = pattern.partition("*")
            if star and subpath.startswith(before) and subpath.endswith(after) and len(subpath) >= len(pattern) - 1:
                middle = subpath[len(before) : len(subpath) - len(after)]
                yield from (entry.replace("*", middle) for entry in _conditional(value))

    @cached_property
    def _packages(self) -> dict[str, str]:
        """Directories of the repository's own packages, by name."""
        named: dict[str, str] = {}
        for directory, path in self.project.manifests("package.json"):
            name = self._read(path).get("name")
            if isinstance(name, str) and name and "node_modules" not in directory.split("/"):
                named.setdefault(name, directory)
        return named

    def _workspace_package(self, specifier: str) -> int | None:
        parts = specifier.split("/")
        name = "/".join(parts[:2]) if specifier.startswith("@") else parts[0]
        rest = specifier[len(name) :].strip("/")
        home = self._packages.get(name)
        if home is None:
            return None
        package = self._read(f"{home}/package.json".strip("/"))
        for entry in self._entries(package, f"./{rest}" if rest else "."):
            joined = join(home, entry)
            found = None if joined is None else self._built_file(joined)
            if found is not None:
                return found
        for folder in ("", "src", "lib"):
            path = "/".join(part for part in (home, folder, rest) if part)
            found = self._file(path) if rest else None
            if found is None:
                found = self._file(f"{path}/index".strip("/"))
            if found is not None:
                return found
        return None

    def _package_import(self, specifier: str, directory: str) -> int | None:
        for home in ancestors(directory):
            imports = self._read(f"{home}/package.json".strip("/")).get("imports")
            if isinstance(imports, dict):
                for entry in self._exported(imports, specifier):
                    joined = join(home, entry)
                    found = None if joined is None else self._built_file(joined)
                    if found is not None:
                        return found
        return None

    def _from_package_root(self, rest: str, directory: str) -> int | None:
        for home in ancestors(directory):
            if f"{home}/package.json".strip("/") in self.project.documents or not home:
                for folder in ("src", ""):
                    found = self._file_or_directory("/".join(part for part in (home, folder, rest) if part))
                    if found is not None:
                        return found
        return None

    def _through_paths(self, specifier: str, directory: str) -> int | None:
        for home in ancestors(directory):
            for name in ("tsconfig.json", "jsconfig.json", "tsconfig.base.json"):
                path = f"{home}/{name}".strip("/")
                if path in self.project.documents:
                    found = self._through_config(specifier, path)
                    if found is not None:
                        return found
        return None

    def _through_config(self, specifier: str, path: str) -> int | None:
        base_url, paths, home = self._config(path)
        matches = []
        for pattern, replacements in paths.items():
            before, star, after = pattern.partition("*")
            if specifier == pattern or (star and specifier.startswith(before) and specifier.endswith(after)):
                middle = specifier[len(before) : len(specifier) - len(after)] if star else ""
                matches.append((-len(before), pattern, middle, replacements))
        for _, _, middle, replacements in sorted(matches, key=lambda match: match[:2]):
            for replacement in replacements:
                joined = join(home, replacement.replace("*", middle))
                found = None if joined is None else self._file_or_directory(joined)
                if found is not None:
                    return found
        if base_url is not None:
            joined = join(base_url, specifier)
            return None if joined is None else self._file_or_directory(joined)
        return None

    def _config(self, path: str, depth: int = 0) -> tuple[str | None, dict[str, list[str]], str]:
        """Return (baseUrl, paths, directory that paths are relative to) of a tsconfig with its `extends`."""
        if path in self._aliases or depth > 8:
            return self._aliases.get(path, (None, {}, ""))
        table = self._read(path)
        directory = path.rpartition("/")[0]
        base_url: str | None = None
        paths: dict[str, list[str]] = {}
        home = directory
        extended = table.get("extends")
        for parent in [extended] if isinstance(extended, str) else extended if isinstance(extended, list) else []:
            joined = join(directory, parent) if isinstance(parent, str) and parent.startswith(".") else None
            for candidate in (joined, f"{joined}.json", f"{joined}/tsconfig.json") if joined is not None else ():
                if candidate in self.project.documents:
                    base_url, paths, home = self._config(str(candidate), depth + 1)
                    break
        options = table.get("compilerOptions")
        if isinstance(options, dict):
            if isinstance(options.get("baseUrl"), str):
                base_url = join(directory, options["baseUrl"])
                home = base_url if base_url is not None else home
            if isinstance(options.get("paths"), dict):
                home = base_url if base_url is not None else directory
                paths = {
                    str(key): [item for item in value if isinstance(item, str)]
                    for key, value in options["paths"].items()
                    if isinstance(value, list)
                }
        self._aliases[path] = (base_url, paths, home)
        return self._aliases[path]

    def _origins(self, target: int, name: str, depth: int) -> list[int]:
        """Return the files that a barrel takes a name from."""
        if depth >= _CHAIN_LIMIT or name == "*":
            return []
        stars = []
        for original, bound, source in self._barrel(target):
            if bound == name:
                return [source, *self._origins(source, original, depth + 1)]
            if bound == "*":
                stars.append(source)
        for source in stars:
            if source in self.project.defining(name):
                return [source]
        for source in stars:
            found = self._origins(source, name, depth + 1)
            if found:
                return found
        return []

    def _barrel(self, document: int) -> list[tuple[str, str, int]]:
        """Return (original name, exported name, file) of a file's re-exports."""
        if document not in self._barrels:
            entries: list[tuple[str, str, int]] = []
            self._barrels[document] = entries
            directory = self.project.directories[document]
            for text in self.project.statements_of(document):
                specifier = specifier_of(text) if _RE_EXPORT.match(text) else None
                source = None if specifier is None else self.resolve(specifier, directory)
                if source is not None and source != document:
                    entries += [(original, bound, source) for original, bound in imported_names(text)]
        return self._barrels[document]


def _conditional(value: object) -> Iterator[str]:
    """Yield the paths of an `exports` value, in the order of `_CONDITIONS`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _conditional(item)
    elif isinstance(value, dict):
        for condition in _CONDITIONS:
            if condition in value:
                yield from _conditional(value[condition])
