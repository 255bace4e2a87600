"""The scanner is rough, the parser exact: where both know a fact they must agree.

What the scanner does not know, by design (languages/README.md): fields and enum members, values and functions local to
a function, members of object literals, C prototypes and typedef names, grouped Go constants, one-line forms. What it
knows alone: definitions inside of macro calls and of text that does not parse.
"""

import os
import re
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ctxsieve.fragments import Definition, DefinitionKind, ParsedFile
from ctxsieve.graph import load_or_build
from ctxsieve.languages import LANGUAGES, EdgeKind, LanguageKind, parse
from parsed_project import import_statements, project_view

FIXTURES = Path(__file__).parents[1] / "fixtures"
CALLABLES = {DefinitionKind.FUNCTION, DefinitionKind.METHOD}
TYPES = {
    *(DefinitionKind.CLASS, DefinitionKind.INTERFACE, DefinitionKind.STRUCT, DefinitionKind.ENUM),
    *(DefinitionKind.TRAIT, DefinitionKind.UNION),
}
VALUES = {DefinitionKind.VARIABLE, DefinitionKind.CONSTANT, DefinitionKind.FIELD}
# What the scan tables claim to find; a language that is not listed claims its types and its functions with a body.
CLAIMED = {
    "bash": CALLABLES,
    "c": {*CALLABLES, DefinitionKind.MACRO},
    "dart": TYPES,
    "elixir": {*CALLABLES, DefinitionKind.MODULE, DefinitionKind.MACRO},
    "haskell": {DefinitionKind.TYPE},
    "julia": {DefinitionKind.STRUCT, DefinitionKind.MODULE},
    "lua": CALLABLES,
    "ocaml": {DefinitionKind.TYPE, DefinitionKind.MODULE},
    "ocaml_interface": {DefinitionKind.TYPE},
    "python": {*CALLABLES, *TYPES, DefinitionKind.TYPE},
    "r": CALLABLES,
    "zig": CALLABLES,
}


@dataclass(slots=True)
class Agreement:
    """Counts over the files of one language, and examples of disagreement."""

    claimed: int = 0
    missed: list[str] = field(default_factory=list)
    scanned: int = 0
    invented: list[str] = field(default_factory=list)
    statements: int = 0
    statements_apart: list[str] = field(default_factory=list)


def is_claimed(definition: Definition, parsed: ParsedFile, language: str, source: bytes) -> bool:
    if re.match(rb"[\w$.]+\.\w+\s*=", source[definition.head_byte : definition.head_byte + 200]):
        return False
    if definition.kind not in CLAIMED.get(language, CALLABLES | TYPES):
        return False
    if definition.kind in CALLABLES and definition.body_start_byte is None and language not in ("lua", "ruby"):
        return False
    if not re.fullmatch(r"[A-Za-z_]\w+", definition.name) or definition.name in ("init", "deinit"):
        return False
    at_line_start = source[definition.start_byte - 1 : definition.start_byte] in (b"", b"\n")
    # Inside of a call (describe, setup), functions are local to a function that has no definition.
    if language in ("javascript", "typescript", "tsx") and definition.parent is None and not at_line_start:
        return False
    if definition.kind is DefinitionKind.METHOD and definition.parent is None and language not in ("go", "ruby"):
        return False
    parent = definition.parent
    while parent is not None:
        outer = parsed.definitions[parent]
        if outer.kind in CALLABLES | VALUES:
            return False
        parent = outer.parent
    return True


def named_expressions(source: bytes, language: str) -> set[str]:
    """Return the names of JavaScript's function expressions: the value's name is the definition, not theirs."""
    if language not in ("javascript", "typescript", "tsx"):
        return set()
    return {name.decode() for name in re.findall(rb"\bfunction\s*\*?\s*([A-Za-z_$][\w$]*)", source)}


def normalised(text: str) -> str:
    """Return a statement without comments, white space that means nothing, and what stands behind it in its line."""
    text = re.split(r"\s(?:do|if|unless|\|\|)\s", text, maxsplit=1)[0]
    text = re.sub(r"^(module [\w.']+).*", r"\1", text, flags=re.DOTALL)
    text = re.sub(r"/\*.*?\*/|(?:^|(?<=\s))(?://|#(?!\s*include)|--)[^\n]*", " ", text, flags=re.DOTALL)
    text = re.sub(r"\s*\bdo\s*$", "", re.sub(r"\s*([,(){}\[\]])\s*", r"\1", re.sub(r"\s+", " ", text)))
    return text.replace(",}", "}").replace(",)", ")").strip(" ;{")


def compare(root: Path, cache: Path) -> dict[str, Agreement]:
    index = load_or_build(root, cache_directory=cache).index
    found: dict[str, Agreement] = {}
    for document, path in enumerate(index.paths):
        language = LANGUAGES.get(index.languages[document] or "")
        if language is None or language.kind is not LanguageKind.CODE:
            continue
        source = (root / path).read_bytes()
        parsed = parse(source, language)
        if parsed.error_nodes or len(source) > 300_000 or not index.lengths[document].any():
            continue
        agreement = found.setdefault(language.name, Agreement())
        scanned = {definition.name for definition in index.definitions(document)}
        names = {definition.name for definition in parsed.definitions} | named_expressions(source, language.name)
        claimed = {d.name for d in parsed.definitions if is_claimed(d, parsed, language.name, source)}
        agreement.claimed += len(claimed)
        agreement.scanned += len(scanned)
        agreement.missed += [f"{path}: {name}" for name in sorted(claimed - scanned)]
        agreement.invented += [f"{path}: {name}" for name in sorted(scanned - names)]
        here = {normalised(statement.text) for statement in index.imports(document)}
        here = {text for text in here if not text.startswith("path =")}
        there = {normalised(text) for text, _ in import_statements(source, language)}
        agreement.statements += len(there)
        agreement.statements_apart += [f"{path}: {text}" for text in sorted(here ^ there)]
    return found


def test_definitions_and_statements_of_the_fixtures_agree(tmp_path: Path) -> None:
    found = compare(FIXTURES / "projects", tmp_path)
    assert set(found) == {name for name, language in LANGUAGES.items() if language.kind is LanguageKind.CODE}
    for name, agreement in found.items():
        assert agreement.missed == [], name
        assert agreement.invented == [], name
        assert agreement.statements_apart == [], name


PROJECTS = sorted((FIXTURES / "projects").iterdir())


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_edges_of_the_index_are_those_of_the_parser(project: Path, tmp_path: Path) -> None:
    graph = load_or_build(project, cache_directory=tmp_path)
    paths = graph.index.paths
    edges = graph.edges
    rows = zip(edges.source.tolist(), edges.target.tolist(), edges.kind.tolist(), strict=True)
    lines = sorted(f"{paths[source]} -> {paths[target]} {EdgeKind(kind).name}" for source, target, kind in rows)
    assert lines == (project / "edges.txt").read_text().splitlines()
    assert [path for path in paths if path != "edges.txt"] == list(project_view(project).paths)


def real_trees() -> list[Path]:
    """The standard library, and what CTXSIEVE_TREES lists (separated like PATH)."""
    listed = [Path(part) for part in os.environ.get("CTXSIEVE_TREES", "").split(os.pathsep) if part]
    return [Path(sysconfig.get_paths()["stdlib"]) / "email", *listed]


@pytest.mark.slow
@pytest.mark.parametrize("tree", real_trees(), ids=lambda path: path.name)
def test_real_trees_agree_but_for_a_few_in_a_hundred(tree: Path, tmp_path: Path) -> None:
    for name, agreement in compare(tree, tmp_path).items():
        assert len(agreement.missed) <= 2 + 0.03 * agreement.claimed, (name, agreement.missed[:20])
        assert len(agreement.invented) <= 2 + 0.03 * agreement.scanned, (name, agreement.invented[:20])
        assert len(agreement.statements_apart) <= 2 + 0.02 * agreement.statements, (
            name,
            agreement.statements_apart[:20],
        )
