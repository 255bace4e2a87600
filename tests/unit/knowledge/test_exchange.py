import json

import pytest

from ctxsieve.errors import InputError
from ctxsieve.knowledge import Fact, export_facts, fitting_facts, import_facts, render_facts

FACTS = [
    Fact(
        "discovery", "auth_bug", 'null "check"\nmissing', agent="a", source="x.py:1", confidence=0.25, recorded_at=1.5
    ),
    Fact("conventions", "indent", "タブ", directory="src", language="python", project="p", session="s"),
]


def test_export_is_byte_stable_and_comes_back_whole() -> None:
    text = export_facts(FACTS)
    assert text == export_facts(list(FACTS))
    assert import_facts(text, agent="ignored", now_seconds=9.0) == FACTS


def test_lines_get_the_given_provenance() -> None:
    text = '# notes\n\nK:a:b = one\n  c:d = "two"\r\n'
    facts = import_facts(text, agent="planner", source="notes.txt", now_seconds=3.0)
    assert [(fact.name, fact.value, fact.agent, fact.source, fact.recorded_at) for fact in facts] == [
        ("a:b", "one", "planner", "notes.txt", 3.0),
        ("c:d", "two", "planner", "notes.txt", 3.0),
    ]


def test_bad_line_is_named() -> None:
    with pytest.raises(InputError, match="line 2: 'nonsense' is no fact"):
        import_facts("a:b = c\nnonsense\n", agent="x", now_seconds=0.0)


def change(**fields: object) -> str:
    document = json.loads(export_facts(FACTS))
    document["facts"][1].update(fields)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ('{"format": "x"}', "format is 'x'"),
        ('{"format": "ctxsieve-knowledge", "version": 2}', "version of the knowledge file is 2"),
        ('{"format": "ctxsieve-knowledge", "version": 1, "facts": {}}', "facts are dict"),
        (change(extra=1), "fact 2 has missing or unknown fields: extra"),
        (change(confidence="high"), "fact 2 has confidence 'high': it must be a number"),
        (change(confidence=True), "fact 2 has confidence True"),
        (change(confidence=7), "fact 2: confidence of fact conventions:indent is 7.0"),
        (change(value=["x"]), "fact 2 has value ['x']: it must be text"),
    ],
)
def test_malformed_files_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        import_facts(text, agent="x", now_seconds=0.0)
    assert message in str(caught.value)


def test_leading_facts_keep_the_budget() -> None:
    whole = render_facts(FACTS)
    assert whole.count("\n") == 2
    assert fitting_facts(FACTS, budget_tokens=len(whole), count_tokens=len) == FACTS
    assert fitting_facts(FACTS, budget_tokens=len(whole) - 1, count_tokens=len) == FACTS[:1]
    assert fitting_facts(FACTS, budget_tokens=0, count_tokens=len) == []
    with pytest.raises(InputError, match="budget is -1 tokens"):
        fitting_facts(FACTS, budget_tokens=-1, count_tokens=len)
