"""parse_intent: worked examples, and what holds for every prompt."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.intent import Scope, TaskType, parse_intent, policy_for, suggested_mode
from ctxsieve.intent.vocabulary import load_vocabulary


def test_worked_example_holds_field_by_field():
    intent = parse_intent("fix the NaN bug in entropy.rs")
    assert intent.task_type is TaskType.FIX_BUG
    assert intent.confidence == 0.95
    assert intent.targets == ("entropy.rs",)
    assert intent.scope is Scope.SINGLE_FILE
    assert intent.language == "Rust"
    assert intent.urgency == 0.8
    assert intent.action_verb == "fix"
    assert intent.parts == ()
    assert suggested_mode(intent) == "task"


def test_specificity_example_gives_beta_of_the_specification():
    intent = parse_intent("fix the JWT validation in auth middleware")
    assert intent.specificity == 0.85
    assert policy_for(intent).beta == pytest.approx(4.2)


def test_several_intents_in_one_prompt_are_split():
    intent = parse_intent("Add an `--exclude` option to the scanner, write tests for it and document it in the README")
    assert [part.task_type for part in intent.parts] == [TaskType.GENERATE, TaskType.TEST, TaskType.DOCUMENT]
    assert intent.task_type is TaskType.GENERATE


def test_intent_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        parse_intent("fix it").task_type = TaskType.TEST  # type: ignore[misc]


@given(st.text(max_size=300))
def test_every_text_has_an_intent_within_its_ranges(task):
    intent = parse_intent(task)
    assert intent == parse_intent(task)
    for value in (intent.confidence, intent.urgency, intent.specificity):
        assert 0.0 <= value <= 1.0
    assert len(intent.keywords) <= 16
    assert len(intent.parts) != 1
    assert all(part.parts == () for part in intent.parts)


# Each begins or ends like a word of another language: Spanish "roto", Portuguese "faça", German "lösen", "Modultest".
ENGLISH_WORDS = [
    "rotate", "borrow", "redact", "duplicate", "insert", "exclude", "divide", "separate", "permit", "construct",
    "evaluate", "define", "alter", "factor", "traverse", "travel", "move", "lose", "localize", "control",
    "arrange", "accelerate", "retire", "retract", "reparse", "substitute", "revise", "correct", "latest",
    "fastest", "pipeline", "container", "resource", "machine", "monthly", "critical", "precise", "public",
    "explicit", "implementation",
]  # fmt: skip


@pytest.mark.parametrize("word", ENGLISH_WORDS)
@pytest.mark.parametrize("rest", ["signing keys", "logs", "the old files"])
def test_an_english_word_is_not_read_as_the_stem_of_another_language(word, rest):
    assert parse_intent(f"{word} {rest}").prompt_language == "en"


@pytest.mark.parametrize("task", ["rotate signing keys", "rotate logs"])
def test_a_task_of_unknown_words_is_no_bug_report(task):
    intent = parse_intent(task)
    assert (intent.task_type, intent.confidence) == (TaskType.EXPLORE, 0.1)


@pytest.mark.parametrize("task", ["el botón está roto", "botón roto", "la página está rota"])
def test_the_stem_is_still_read_in_its_own_language(task):
    intent = parse_intent(task)
    assert (intent.task_type, intent.prompt_language) == (TaskType.FIX_BUG, "es")


def short_function_words() -> list[tuple[str, str]]:
    """(language, word) of the short function words that plain letters spell and that are no English ones."""
    vocabulary = load_vocabulary()
    found = []
    for word in vocabulary.exact:
        if not (word.isascii() and word.isalpha() and 2 <= len(word) <= 3):
            continue
        senses = vocabulary.senses_of(word)
        if all(sense.section == "function_words" and sense.language != "en" for sense in senses):
            found.append((senses[0].language, word))
    return sorted(found)


SHORT_WORDS = short_function_words()


def test_there_are_short_words_of_several_languages():
    assert {"war", "del", "dir", "con", "des", "dos"} <= {word for _, word in SHORT_WORDS}
    assert {"de", "es", "fr", "pt"} <= {language for language, _ in SHORT_WORDS}


@pytest.mark.parametrize("word", sorted({word for _, word in SHORT_WORDS}))
@pytest.mark.parametrize("task", ["fix {}", "{} deployment", "remove {} from the list", "the {} entries are wrong"])
def test_one_short_function_word_makes_no_language(word, task):
    intent = parse_intent(task.format(word))
    assert intent.prompt_language == "en"
    assert word in intent.keywords


@pytest.mark.parametrize(
    ("task", "language"),
    [
        ("repara el login", "es"),
        ("das war so nicht gedacht, mach es bei mir wieder weg", "de"),
        ("la page ne marche pas", "fr"),
        ("o teste da api falha", "pt"),
        ("los tests en la nube", "es"),
    ],
)
def test_several_of_them_or_a_word_of_its_own_still_do(task, language):
    assert parse_intent(task).prompt_language == language
