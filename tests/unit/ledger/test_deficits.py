from collections.abc import Sequence

import pytest

from ctxsieve.errors import InputError
from ctxsieve.ledger import Deficit, DeficitKind, find_deficits

PATHS = [
    ".env.example",
    "Cargo.toml",
    "Dockerfile",
    "crates/core/Cargo.toml",
    "examples/demo/Cargo.toml",
    "node_modules/x/Dockerfile",
    "src/auth.rs",
    "src/login.rs",
    "src/token.rs",
    "tests/auth_test.rs",
    "tests/flow.rs",
]
IMPORTERS = {"src/login.rs": ["src/auth.rs", "tests/flow.rs"]}


def deficits(task_type: str, targets: Sequence[str], loaded: Sequence[str] = ()) -> list[Deficit]:
    return find_deficits(
        task_type,
        targets=targets,
        loaded=loaded,
        paths=PATHS,
        importers_of=lambda path: IMPORTERS.get(path, []),
        languages=["rust"],
    )


def test_published_example_suggests_the_conventional_test() -> None:
    assert deficits("fix_bug", ["auth.rs"], ["src/auth.rs"]) == [
        Deficit("tests/auth_test.rs", DeficitKind.TEST, "test of src/auth.rs by convention", "src/auth.rs", exists=True)
    ]


def test_loaded_test_is_no_deficit() -> None:
    assert deficits("fix_bug", ["auth.rs"], ["src/auth.rs", "tests/auth_test.rs"]) == []
    assert deficits("fix_bug", ["login.rs"], ["tests/flow.rs"]) == []


def test_graph_finds_a_test_that_convention_misses() -> None:
    (found,) = deficits("fix_bug", ["src/login.rs"])
    assert (found.path, found.reason, found.exists) == ("tests/flow.rs", "imports src/login.rs", True)


def test_missing_test_is_named_by_convention_and_marked() -> None:
    (found,) = deficits("fix_bug", ["token.rs"])
    assert (found.path, found.exists, found.reason) == ("tests/token_test.rs", False, "src/token.rs has no test")


def test_missing_test_is_put_where_the_project_keeps_its_tests() -> None:
    def suggestion(paths: list[str]) -> str:
        (found,) = find_deficits("fix_bug", targets=["auth.py"], loaded=[], paths=paths, importers_of=lambda path: [])
        return found.path

    assert suggestion(["src/auth.py", "tests/test_login.py"]) == "tests/test_auth.py"
    assert suggestion(["src/auth.py"]) == "src/test_auth.py"


def test_file_that_does_not_exist_yet_still_wants_a_test() -> None:
    (found,) = deficits("fix_bug", ["entropy.rs"])
    assert (found.path, found.exists, found.for_path) == ("tests/entropy_test.rs", False, "entropy.rs")


def test_tests_themselves_and_plain_names_want_none() -> None:
    assert deficits("fix_bug", ["tests/flow.rs", "validate_token"]) == []


def test_config_tasks_want_manifests_those_of_the_root_first() -> None:
    found = deficits("config", [], ["Dockerfile"])
    assert [deficit.path for deficit in found] == [
        ".env.example",
        "Cargo.toml",
        "crates/core/Cargo.toml",
        "examples/demo/Cargo.toml",
    ]
    assert {deficit.kind for deficit in found} == {DeficitKind.MANIFEST}


def test_other_tasks_want_nothing() -> None:
    assert deficits("explore", ["auth.rs"]) == []


def test_limit_is_kept_and_checked() -> None:
    found = find_deficits("deploy", targets=[], loaded=[], paths=PATHS, importers_of=lambda path: [], limit=1)
    assert [deficit.path for deficit in found] == [".env.example"]
    with pytest.raises(InputError, match="limit is 0"):
        find_deficits("deploy", targets=[], loaded=[], paths=PATHS, importers_of=lambda path: [], limit=0)
