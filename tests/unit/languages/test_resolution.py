from pathlib import Path

import pytest

from ctxsieve.languages import LANGUAGES, EdgeKind, LanguageKind, ProjectView, resolve_imports
from parsed_project import project_view

PROJECTS = Path(__file__).parents[2] / "fixtures" / "projects"
LANGUAGE_NAMES = sorted(path.name for path in PROJECTS.iterdir())


def edge_lines(view: ProjectView) -> list[str]:
    edges = resolve_imports(view)
    rows = zip(edges.source.tolist(), edges.target.tolist(), edges.kind.tolist(), strict=True)
    return sorted(
        f"{view.paths[source]} -> {view.paths[target]} {EdgeKind(kind).name}" for source, target, kind in rows
    )


def test_every_code_language_has_a_fixture_project() -> None:
    code = {name for name, language in LANGUAGES.items() if language.kind is LanguageKind.CODE}
    assert code == set(LANGUAGE_NAMES)
    assert len(code) >= 24


@pytest.mark.parametrize("name", LANGUAGE_NAMES)
def test_edges_of_the_fixture_project_are_exact(name: str) -> None:
    expected = (PROJECTS / name / "edges.txt").read_text().splitlines()
    assert edge_lines(project_view(PROJECTS / name)) == expected
