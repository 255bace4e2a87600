from pathlib import Path

import pytest

from ctxsieve.languages import LANGUAGES, EdgeKind, LanguageKind, ProjectView, resolve_imports
from parsed_project import project_view

PROJECTS = Path(__file__).parents[2] / "fixtures" / "projects"
LANGUAGE_NAMES = sorted(path.name for path in PROJECTS.iterdir())


def view_of(root: Path, files: dict[str, str]) -> ProjectView:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return project_view(root)


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


def test_an_empty_project_has_no_edges(tmp_path: Path) -> None:
    assert edge_lines(project_view(tmp_path)) == []


def test_python_folders_named_like_the_standard_library_do_not_shadow_it(tmp_path: Path) -> None:
    view = view_of(
        tmp_path,
        {"tests/logging/__init__.py": "", "app/main.py": "import logging\n", "tests/test_x.py": "import logging\n"},
    )
    assert edge_lines(view) == ["tests/test_x.py -> tests/logging/__init__.py IMPORT"]


def test_a_project_opened_at_a_package_resolves_its_own_name(tmp_path: Path) -> None:
    view = view_of(tmp_path, {"__init__.py": "", "a.py": "from shop.b import f\nimport os.path\n", "b.py": "f = 1\n"})
    assert edge_lines(view) == ["a.py -> b.py IMPORT"]


def test_python_relative_import_above_the_root_leads_nowhere(tmp_path: Path) -> None:
    assert edge_lines(view_of(tmp_path, {"a.py": "from .... import b\n", "b.py": ""})) == []


def test_rust_without_cargo_names_a_crate_by_its_directory(tmp_path: Path) -> None:
    files = {
        "rust/kernel/lib.rs": "pub mod prelude;\n",
        "rust/kernel/prelude.rs": "pub struct P;\n",
        "samples/a.rs": "use kernel::prelude::*;\n",
    }
    assert edge_lines(view_of(tmp_path, files)) == [
        "rust/kernel/lib.rs -> rust/kernel/prelude.rs MODULE",
        "samples/a.rs -> rust/kernel/prelude.rs IMPORT",
    ]


def test_circular_barrels_end(tmp_path: Path) -> None:
    files = {
        "a.ts": 'export * from "./b";\n',
        "b.ts": 'export * from "./a";\n',
        "c.ts": 'import { nothing } from "./a";\n',
    }
    lines = edge_lines(view_of(tmp_path, files))
    assert lines == ["a.ts -> b.ts RE_EXPORT", "b.ts -> a.ts RE_EXPORT", "c.ts -> a.ts IMPORT"]


@pytest.mark.parametrize(
    ("path", "manifest"),
    [
        ("package.json", "{ not json"),
        ("tsconfig.json", '{ "compilerOptions": { "paths": 3, "baseUrl": 4 }, "extends": "./tsconfig.json" }'),
        ("Cargo.toml", "[package\nname = 3"),
        ("go.mod", "\x00\x01"),
        ("composer.json", '{ "autoload": { "psr-4": { "A\\\\": 3 } } }'),
        ("pubspec.yaml", ":::"),
        ("Package.swift", ".target(name: "),
        ("build.zig", "addModule("),
    ],
)
def test_damaged_manifests_cost_only_their_own_edges(tmp_path: Path, path: str, manifest: str) -> None:
    files = {
        path: manifest,
        "a.ts": 'import "./b";\nimport "pkg";\n',
        "b.ts": "",
        "src/lib.rs": "mod m;\n",
        "src/m.rs": "",
        "x.php": "<?php\nuse A\\B;\n",
        "y.go": 'package y\n\nimport "a/b"\n',
    }
    assert edge_lines(view_of(tmp_path, files)) == ["a.ts -> b.ts IMPORT", "src/lib.rs -> src/m.rs MODULE"]


def test_edges_are_sorted_unique_and_never_loops(tmp_path: Path) -> None:
    files = {"a.py": "import a, b\nimport b\nfrom b import f, g\n", "b.py": "import a\n"}
    edges = resolve_imports(view_of(tmp_path, files))
    rows = list(zip(edges.source.tolist(), edges.target.tolist(), edges.kind.tolist(), strict=True))
    assert rows == sorted(set(rows)) == [(0, 1, 0), (1, 0, 0)]
