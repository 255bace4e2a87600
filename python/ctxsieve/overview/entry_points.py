"""Where a program starts: what manifests name, and what each language runs first by its conventions."""

import json
import posixpath
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from ctxsieve.errors import PathError
from ctxsieve.graph import Index
from ctxsieve.jail import read_inside
from ctxsieve.values import dataclass

__all__ = ["EntryPoint", "find_entry_points"]

_ROLES = frozenset({"source", "build", "example"})
# Languages in which a function `main` starts a program, wherever its file lies.
_MAIN_LANGUAGES = frozenset({"c", "cpp", "go", "rust", "java", "kotlin", "scala", "csharp", "dart", "zig", "swift"})
_BY_NAME = (
    (re.compile(r"(?:.*/)?__main__\.py\Z"), "python -m"),
    (re.compile(r"manage\.py\Z"), "script"),
    (re.compile(r"(?:.*/)?src/bin/[^/]+\.rs\Z"), "binary"),
    (re.compile(r"(?:.*/)?src/main\.rs\Z"), "binary"),
    (re.compile(r"(?:.*/)?src/lib\.rs\Z"), "crate root"),
    (re.compile(r"(?:bin|exe|cmd)/[^/]+\.(?:rb|js|ts|sh|php)\Z"), "script"),
    (re.compile(r"(?:.*/)?(?:Program\.cs|main\.swift|Main\.hs)\Z"), "program"),
    (re.compile(r"(?:public/)?index\.php\Z"), "web root"),
)
_SETUP_SCRIPT = re.compile(r"=\s*([A-Za-z_][\w.]*)\s*:\s*[A-Za-z_]\w*")
_DEEPEST_MANIFEST = 2
_SUFFIXES = (".py", "/__init__.py")


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A file where something starts, and why it is taken for one."""

    path: str
    reason: str


def find_entry_points(index: Index) -> tuple[EntryPoint, ...]:
    """Return entry points: those that manifests name first, then those by convention, tests apart."""
    found: dict[str, str] = {}
    for path, reason in (*_from_manifests(index), *_from_conventions(index)):
        document = index.document(path)
        if document is not None and index.roles[document] in _ROLES:
            found.setdefault(path, reason)
    return tuple(EntryPoint(path, reason) for path, reason in found.items())


def _by_depth(path: str) -> tuple[int, str]:
    return path.count("/"), path


def _from_conventions(index: Index) -> Iterator[tuple[str, str]]:
    for path in sorted(index.paths, key=_by_depth):
        for pattern, reason in _BY_NAME:
            if pattern.match(path):
                yield path, reason
    mains = [index.paths[document] for document in index.documents_defining("main").tolist()]
    for path in sorted(mains, key=_by_depth):
        document = index.document(path)
        if document is not None and index.languages[document] in _MAIN_LANGUAGES:
            yield path, "main"


def _from_manifests(index: Index) -> Iterator[tuple[str, str]]:
    for path in sorted(
        (path for path in index.paths if path.count("/") <= 2), key=lambda path: (path.count("/"), path)
    ):
        directory, _, name = path.rpartition("/")
        if name == "pyproject.toml":
            yield from _python_scripts(index, directory, _toml(index, path))
        elif name in ("setup.py", "setup.cfg"):
            for module in _SETUP_SCRIPT.findall(_text(index, path)):
                yield from _python_module(index, directory, module, name)
        elif name == "package.json":
            yield from _node_programs(index, directory, _json(index, path))
        elif name == "Cargo.toml":
            yield from _cargo_binaries(directory, _toml(index, path))


def _python_scripts(index: Index, directory: str, manifest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    project = _table(manifest, "project")
    poetry = _table(_table(manifest, "tool"), "poetry")
    for table in (_table(project, "scripts"), _table(project, "gui-scripts"), _table(poetry, "scripts")):
        for command, target in table.items():
            if isinstance(target, str):
                yield from _python_module(index, directory, target.partition(":")[0], f"command {command}")


def _python_module(index: Index, directory: str, module: str, reason: str) -> Iterator[tuple[str, str]]:
    for source in ("", "src", "lib", "python"):
        for suffix in _SUFFIXES:
            path = posixpath.normpath(posixpath.join(directory, source, module.replace(".", "/") + suffix))
            if index.document(path) is not None:
                yield path, reason
                return


def _node_programs(index: Index, directory: str, manifest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    programs = manifest.get("bin")
    if isinstance(programs, str):
        programs = {str(manifest.get("name", "program")): programs}
    commands = programs.items() if isinstance(programs, dict) else ()
    targets = [(target, f"command {command}") for command, target in commands]
    targets += [(manifest.get(key), f"package.json {key}") for key in ("main", "module")]
    for target, reason in targets:
        if not isinstance(target, str):
            continue
        path = posixpath.normpath(posixpath.join(directory, target))
        candidates = (path, f"{path}.js", f"{path}.ts", f"{path}/index.js")
        yield from ((one, reason) for one in candidates if index.document(one) is not None)


def _cargo_binaries(directory: str, manifest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    binaries = manifest.get("bin")
    for binary in binaries if isinstance(binaries, list) else ():
        if isinstance(binary, dict) and isinstance(binary.get("path"), str):
            yield posixpath.normpath(posixpath.join(directory, binary["path"])), f"binary {binary.get('name', '')}"


def _text(index: Index, path: str) -> str:
    try:
        return read_inside(index.root, path).decode("utf-8", "replace")
    except PathError:
        return ""


def _toml(index: Index, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(index, path))
    except (ValueError, RecursionError):
        return {}


def _json(index: Index, path: str) -> dict[str, Any]:
    try:
        value = json.loads(_text(index, path))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _table(value: dict[str, Any], key: str) -> dict[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}
