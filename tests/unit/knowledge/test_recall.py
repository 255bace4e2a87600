import pytest

from ctxsieve.errors import InputError
from ctxsieve.knowledge import Fact, RecallScope, recall_facts


def convention(key: str, value: str, directory: str = "", language: str = "", agent: str = "user") -> Fact:
    return Fact("conventions", key, value, agent=agent, directory=directory, language=language)


FACTS = [
    convention("indent", "tabs", "src/web"),
    convention("indent", "two spaces", "src"),
    convention("indent", "four spaces"),
    convention("indent", "whatever the formatter does", language="python"),
    convention("quotes", "double"),
    convention("naming", "snake_case", language="python"),
    convention("indent", "eight", "src/web2"),
    Fact("discovery", "indent_bug", "mixed indent in parser"),
]


def values(directory: str | None, query: str = "", scope: RecallScope | None = RecallScope.CONVENTIONS) -> list[str]:
    return [item.fact.value for item in recall_facts(FACTS, query, directory=directory, scope=scope, limit=50)]


def test_nearest_directory_wins_then_root_then_language() -> None:
    assert values("src/web/forms") == ["tabs", "double", "snake_case"]
    assert values("src/api") == ["two spaces", "double", "snake_case"]
    assert values("") == ["four spaces", "double", "snake_case"] or values("") == [
        "double",
        "four spaces",
        "snake_case",
    ]


def test_sibling_with_the_same_prefix_does_not_apply() -> None:
    assert "tabs" not in values("src/web2")
    assert "eight" not in values("src/web")


def test_query_narrows_conventions() -> None:
    assert values("src/web", "indent") == ["tabs"]


def test_without_directory_every_convention_is_searched() -> None:
    assert set(values(None, "indent")) == {
        "tabs",
        "two spaces",
        "four spaces",
        "whatever the formatter does",
        "eight",
    }


def test_plain_search_covers_every_category() -> None:
    assert "mixed indent in parser" in values(None, "indent", None)


def test_agents_that_differ_at_the_nearest_place_are_both_shown() -> None:
    facts = [convention("indent", "tabs", "src"), convention("indent", "spaces", "src", agent="other"), FACTS[2]]
    found = recall_facts(facts, "", directory="src", scope="conventions")
    assert [(item.fact.value, item.is_disputed) for item in found] == [("spaces", True), ("tabs", True)]


def test_name_counts_more_than_value_and_confidence_decides_ties() -> None:
    facts = [
        Fact("a", "other", "says cache once"),
        Fact("a", "cache", "x y z"),
        Fact("b", "cache", "x y z", confidence=0.5),
    ]
    assert [item.fact.name for item in recall_facts(facts, "cache")] == ["a:cache", "b:cache", "a:other"]


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("validating tokens", "token validation happens twice"),
        ("parse http header", "HTTPHeaderParser is slow"),
        ("ÜBERSICHT", "die übersicht fehlt"),
        ("キャッシュの不具合", "キャッシュが古い"),
        ("исправить проверки", "проверка пропущена"),
    ],
)
def test_words_match_across_case_inflection_identifiers_and_scripts(query: str, value: str) -> None:
    facts = [Fact("d", "one", value), Fact("d", "two", "nothing of that kind")]
    assert [item.fact.key for item in recall_facts(facts, query)] == ["one"]


def test_unrelated_facts_are_not_found() -> None:
    assert recall_facts(FACTS, "quaternion") == []


def test_order_does_not_depend_on_the_order_of_facts() -> None:
    assert recall_facts(FACTS, "indent", limit=50) == recall_facts(FACTS[::-1], "indent", limit=50)


def test_deep_directory_is_cheap() -> None:
    assert len(recall_facts(FACTS, "", directory="/".join(["d"] * 5000), scope="conventions")) == 3


def test_bad_arguments_name_the_value() -> None:
    with pytest.raises(InputError, match="scope is 'convention': it must be conventions"):
        recall_facts([], "", scope="convention")
    with pytest.raises(InputError, match="limit is 0"):
        recall_facts([], "", limit=0)
    with pytest.raises(InputError, match=r"contains '\.\.'"):
        recall_facts([], "", directory="../x")
