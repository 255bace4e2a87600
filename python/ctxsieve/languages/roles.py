"""What a file is for, by its path alone: test, documentation, example, vendored, generated, configuration, build."""

import re
from enum import StrEnum
from functools import lru_cache

from ctxsieve.languages.registry import LANGUAGES, language_of
from ctxsieve.languages.table import Language, LanguageKind
from ctxsieve.patterns import lazy_pattern

__all__ = ["Role", "compile_globs", "role_of"]


class Role(StrEnum):
    """The role of a file; the first of this list that fits counts, `source` is what is left of code."""

    VENDORED = "vendored"
    GENERATED = "generated"
    TEST = "test"
    EXAMPLE = "example"
    DOCS = "docs"
    BUILD = "build"
    CONFIG = "config"
    DATA = "data"
    SOURCE = "source"


_NAMES_BY_ROLE = {
    Role.VENDORED: "vendor vendored _vendor third_party third-party thirdparty 3rdparty node_modules bower_components "
    "site-packages external Godeps Pods Carthage deps",
    Role.GENERATED: "generated __generated__ generated-sources autogen _generated dist",
    Role.TEST: "tests __tests__ __mocks__ __snapshots__ spec specs testdata test-data testsuite selftests e2e "
    "unittests unit_tests integration_tests fixtures benches",
    Role.EXAMPLE: "example examples sample samples demo demos tutorial tutorials sandbox playground",
    Role.DOCS: "doc docs documentation Documentation man manual",
    Role.CONFIG: ".github .circleci .vscode .idea .husky .devcontainer .gitlab",
}
_DIRECTORIES = {name: role for role, names in _NAMES_BY_ROLE.items() for name in names.split()}
_ORDER = {role: position for position, role in enumerate(Role)}
_CONFIG_LANGUAGES = frozenset({"toml", "ini", "yaml", "gomod"})
_CONFIG_NAMES = lazy_pattern(r"(?:^\.|config|settings|\.rc$|rc$|^package\.json$|^tsconfig.*\.json$|^composer\.json$)")


def compile_globs(patterns: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return one expression for path globs: `**/` any directories or none, `*` and `?` within a component."""
    if not patterns:
        return None
    return re.compile("|".join(f"(?:{_expression(pattern)})" for pattern in patterns))


def _expression(pattern: str) -> str:
    parts = re.split(r"(\*\*/|/\*\*$|\*|\?)", pattern)
    written = {"**/": "(?:.*/)?", "/**": "/.*", "*": "[^/]*", "?": "[^/]"}
    return "".join(written.get(part, re.escape(part)) for part in parts) + r"\Z"


@lru_cache(maxsize=256)
def _language_patterns(name: str) -> tuple[tuple[Role, re.Pattern[str]], ...]:
    roles = LANGUAGES[name].roles
    compiled = [(role, compile_globs(roles.get(role.value, ()))) for role in Role]
    return tuple((role, pattern) for role, pattern in compiled if pattern is not None)


@lru_cache(maxsize=65_536)
def _directory_role(directory: str, has_test_packages: bool) -> Role | None:
    parts = directory.split("/")
    found = [_DIRECTORIES[part] for part in parts if part in _DIRECTORIES]
    # `package/test` is often part of what a Python library offers (django.test, numpy.testing).
    if parts[0] in ("test", "testing") or (not has_test_packages and "test" in parts):
        found.append(Role.TEST)
    return min(found, key=_ORDER.__getitem__, default=None)


def role_of(path: str, language: Language | None = None) -> Role:
    """Return the role of a file by its path (POSIX, relative) and its language's conventions.

    A directory's name counts at any depth; the language's own patterns may raise the role (a test below `examples` is a
    test), never lower it.
    """
    directory, _, name = path.rpartition("/")
    language = language or language_of(path)
    is_python = language is not None and language.name == "python"
    roles = [role for role in (_directory_role(directory, is_python),) if role is not None]
    if language is not None:
        roles += [role for role, pattern in _language_patterns(language.name) if pattern.match(path)]
    if roles:
        return min(roles, key=_ORDER.__getitem__)
    return _role_by_kind(name, language)


def _role_by_kind(name: str, language: Language | None) -> Role:
    if language is None:
        return Role.DATA
    if language.kind is LanguageKind.PROSE:
        return Role.DOCS
    if language.kind is LanguageKind.DATA:
        is_config = language.name in _CONFIG_LANGUAGES or _CONFIG_NAMES.search(name) is not None
        return Role.CONFIG if is_config else Role.DATA
    return Role.SOURCE
