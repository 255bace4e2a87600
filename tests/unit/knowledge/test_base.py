from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ctxsieve.errors import InputError
from ctxsieve.knowledge import Fact, KnowledgeBase
from ctxsieve.store import Store


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with Store(tmp_path / "store.sqlite3") as store:
        yield KnowledgeBase(store)


BUG = Fact("discovery", "auth_bug", "null check missing in line 42", agent="debugger", source="src/auth.rs:42")


def test_fact_comes_back_with_its_provenance(base: KnowledgeBase) -> None:
    fact = replace(BUG, confidence=0.8, project="shop", session="s1", recorded_at=12.5)
    assert base.record(fact)
    assert base.facts() == [fact]


def test_same_fact_again_changes_nothing(base: KnowledgeBase) -> None:
    base.record(BUG)
    assert not base.record(replace(BUG, recorded_at=5.0))
    assert len(base.history("discovery", "auth_bug")) == 1


def test_own_value_is_replaced_and_stays_in_the_history(base: KnowledgeBase) -> None:
    base.record(BUG)
    base.record(replace(BUG, value="fixed", recorded_at=9.0))
    assert [fact.value for fact in base.facts()] == ["fixed"]
    history = base.history("discovery", "auth_bug")
    assert [(item.fact.value, item.ended_at, item.was_replaced) for item in history] == [
        (BUG.value, 9.0, True),
        ("fixed", None, False),
    ]


def test_values_of_two_agents_stand_side_by_side_as_a_conflict(base: KnowledgeBase) -> None:
    base.record(BUG)
    base.record(replace(BUG, agent="reviewer", value="the check is in line 40", confidence=0.4))
    (conflict,) = base.conflicts()
    assert conflict.name == "discovery:auth_bug"
    assert [fact.agent for fact in conflict.facts] == ["debugger", "reviewer"]
    assert {recalled.is_disputed for recalled in base.recall_knowledge("auth bug")} == {True}


def test_agreement_is_no_conflict_and_listed_once(base: KnowledgeBase) -> None:
    base.record(BUG)
    base.record(replace(BUG, agent="reviewer"))
    assert base.conflicts() == []
    (recalled,) = base.recall_knowledge("auth bug")
    assert recalled.agents == ("debugger", "reviewer")


def test_removed_fact_is_gone_but_known(base: KnowledgeBase) -> None:
    base.record(BUG)
    base.record(replace(BUG, agent="reviewer"))
    assert base.remove("discovery", "auth_bug", now_seconds=3.0, agent="debugger") == 1
    assert [fact.agent for fact in base.facts()] == ["reviewer"]
    assert base.remove("discovery", "auth_bug", now_seconds=4.0) == 1
    assert base.facts() == []
    assert [item.was_replaced for item in base.history("discovery", "auth_bug")] == [False, False]
    assert base.record(BUG)


def test_one_bad_fact_keeps_the_whole_batch_out(base: KnowledgeBase) -> None:
    with pytest.raises(InputError):
        base.record_all(Fact("c", "k", value) for value in ["good", ""])
    assert base.facts() == []


def test_merge_does_not_turn_back_the_clock(base: KnowledgeBase) -> None:
    base.record(replace(BUG, value="new", recorded_at=10.0))
    assert base.record_all([replace(BUG, value="old", recorded_at=9.0)], keep_newer=True) == 0
    assert base.record_all([replace(BUG, value="newest", recorded_at=11.0)], keep_newer=True) == 1
    assert [fact.value for fact in base.facts()] == ["newest"]


def test_inheritance_brings_what_concerns_the_task_only(base: KnowledgeBase) -> None:
    base.record_all(
        [
            BUG,
            Fact("decision", "token_library", "JWT tokens are validated in middleware", recorded_at=2.0),
            Fact("discovery", "chart_colours", "the palette is in charts.css"),
        ]
    )
    names = [item.fact.name for item in base.inherit("fix the JWT validation in auth middleware")]
    assert set(names) == {"decision:token_library", "discovery:auth_bug"}
    assert names[0] == "decision:token_library"
    with pytest.raises(InputError, match="task is empty"):
        base.inherit(" ")
