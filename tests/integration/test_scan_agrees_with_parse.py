"""The scanner and the parser know many of the same facts: where both do, they must agree."""

from pathlib import Path

import pytest

from ctxsieve.graph import load_or_build
from ctxsieve.languages import LANGUAGES, LanguageKind, parse

PROJECTS = Path(__file__).parents[1] / "fixtures" / "projects"
NAMED_BY_KEYWORD = {"function", "method", "class", "struct", "interface", "trait", "enum", "module", "object"}

# What the parser counts and the scanner leaves out: prototypes in headers, and `name(x) = …` without a keyword.
INCOMPLETE = {"c", "julia"}


@pytest.mark.parametrize("project", sorted(path.name for path in PROJECTS.iterdir()))
def test_scanned_definitions_are_definitions(project: str, tmp_path: Path) -> None:
    index = load_or_build(PROJECTS / project, cache_directory=tmp_path).index
    known: set[tuple[str, str]] = set()
    scanned: set[tuple[str, str]] = set()
    expected: set[tuple[str, str]] = set()
    for document, path in enumerate(index.paths):
        language = LANGUAGES.get(index.languages[document] or "")
        if language is None or language.kind is not LanguageKind.CODE or language.grammar is None:
            continue
        definitions = parse((PROJECTS / project / path).read_bytes(), language).definitions
        known |= {(path, definition.name) for definition in definitions}
        expected |= {(path, one.name) for one in definitions if one.kind in NAMED_BY_KEYWORD}
        scanned |= {(path, definition.name) for definition in index.definitions(document)}
    assert scanned - known == set()
    if project not in INCOMPLETE:
        assert len(expected & scanned) >= 0.9 * len(expected), sorted(expected - scanned)
