import pytest

from ctxsieve.languages import (
    LANGUAGES,
    Role,
    candidate_test_paths,
    is_manifest,
    manifest_names,
    manifest_patterns,
    role_of,
)


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/app.py", Role.SOURCE),
        ("src/test_app.py", Role.TEST),
        ("tests/helpers.py", Role.TEST),
        ("django/test/client.py", Role.SOURCE),
        ("django/contrib/auth/tests.py", Role.TEST),
        ("test/unit.js", Role.TEST),
        ("lib/test/unit.js", Role.TEST),
        ("web/App.test.tsx", Role.TEST),
        ("core/src/test/java/A.java", Role.TEST),
        ("core/src/main/java/A.java", Role.SOURCE),
        ("pkg/a_test.go", Role.TEST),
        ("engine/src/parser/tests.rs", Role.TEST),
        ("lib/a_test.exs", Role.TEST),
        ("t/order.t", Role.TEST),
        ("vendor/github.com/x/y.go", Role.VENDORED),
        ("third_party/z/tests/a.c", Role.VENDORED),
        ("node_modules/x/index.js", Role.VENDORED),
        ("api/v1/types.pb.go", Role.GENERATED),
        ("static/app.min.js", Role.GENERATED),
        ("Cargo.lock", Role.GENERATED),
        ("examples/demo.rs", Role.EXAMPLE),
        ("examples/tests/demo.py", Role.TEST),
        ("docs/guide.md", Role.DOCS),
        ("README.md", Role.DOCS),
        ("docs/conf.py", Role.DOCS),
        ("Makefile", Role.BUILD),
        ("setup.py", Role.BUILD),
        ("build.gradle.kts", Role.BUILD),
        ("pyproject.toml", Role.CONFIG),
        ("tsconfig.json", Role.CONFIG),
        (".github/workflows/ci.yml", Role.CONFIG),
        ("drivers/net/Kconfig", Role.CONFIG),
        ("data/cities.json", Role.DATA),
        ("strange.zzz", Role.DATA),
    ],
)
def test_role_follows_from_the_path(path: str, role: Role) -> None:
    assert role_of(path) is role


@pytest.mark.parametrize(
    ("path", "candidate"),
    [
        ("src/auth.rs", "tests/auth_test.rs"),
        ("crates/core/src/auth.rs", "crates/core/tests/auth_test.rs"),
        ("src/shop/orders.py", "tests/shop/test_orders.py"),
        ("shop/orders.py", "tests/test_orders.py"),
        ("src/auth.ts", "src/auth.test.ts"),
        ("src/Cart.tsx", "src/Cart.test.tsx"),
        ("pkg/store/store.go", "pkg/store/store_test.go"),
        ("core/src/main/java/org/A.java", "core/src/test/java/org/ATest.java"),
        ("lib/shop/order.rb", "spec/shop/order_spec.rb"),
        ("lib/shop/order.ex", "test/shop/order_test.exs"),
        ("lib/src/order.dart", "test/src/order_test.dart"),
        ("src/Money/Price.php", "tests/Money/PriceTest.php"),
        ("Sources/Shop/Order.swift", "Tests/ShopTests/OrderTests.swift"),
        ("src/Shop/Order.hs", "test/Shop/OrderSpec.hs"),
    ],
)
def test_conventional_test_path_is_among_the_candidates(path: str, candidate: str) -> None:
    assert candidate in candidate_test_paths(path)


def test_what_is_no_code_has_no_test_path() -> None:
    assert candidate_test_paths("README.md") == ()
    assert candidate_test_paths("strange.zzz") == ()


def test_every_code_language_with_a_resolver_knows_where_tests_are() -> None:
    for language in LANGUAGES.values():
        if language.kind == "code":
            assert language.resolver, language.name
            assert language.test_candidates, language.name


def test_manifests_are_those_of_the_languages_and_of_every_project() -> None:
    patterns = manifest_patterns(["rust", "python"])
    assert is_manifest("crates/a/Cargo.toml", patterns)
    assert is_manifest("pyproject.toml", patterns)
    assert is_manifest("requirements/dev.txt", patterns)
    assert is_manifest("deploy/Dockerfile", patterns)
    assert is_manifest(".env", patterns)
    assert is_manifest(".github/workflows/ci.yml", patterns)
    assert not is_manifest("src/main.rs", patterns)
    assert not is_manifest("package.json", patterns)
    assert is_manifest("web/package.json", manifest_patterns(["typescript"]))


def test_resolution_names_the_manifests_that_it_reads() -> None:
    assert {
        "Cargo.toml",
        "go.mod",
        "package.json",
        "tsconfig.json",
        "composer.json",
        "pubspec.yaml",
    } <= manifest_names()
