"""Which files and symbols count as named, and what follows for scope and language."""

import tomllib
from importlib import resources

import pytest

from ctxsieve.intent import Scope, parse_intent
from ctxsieve.intent.vocabulary import LATIN_LANGUAGES, load_vocabulary


@pytest.mark.parametrize(
    ("task", "targets"),
    [
        ("fix src/auth/login.ts:42", ("src/auth/login.ts",)),
        ("explain `Foo::bar` and `parse_header()`", ("Foo::bar", "parse_header")),
        ("rename getCwd to getCurrentWorkingDirectory", ("getCwd", "getCurrentWorkingDirectory")),
        ("entropy.rsのNaNバグを直して", ("entropy.rs",)),
        ("修复entropy.rs里的bug", ("entropy.rs",)),
        ("debug everything under src/auth/", ("src/auth/",)),
        ("update the Dockerfile and tsconfig.json", ("Dockerfile", "tsconfig.json")),
        ('it dies: File "app/main.py", line 42', ("app/main.py",)),
        ("исправь файл src/модель.py", ("src/модель.py",)),
    ],
)
def test_named_files_and_symbols_are_targets(task, targets):
    assert parse_intent(task).targets == targets


@pytest.mark.parametrize(
    "task",
    [
        "migrate from Node.js 18 to Node.js 20",
        "see https://example.org/a/b.py for the idea",
        "use either and/or, never both, e.g. here",
        "the value 3.14 is wrong on 2024/01/02",
        "sign in with GitHub over OAuth",
        "the NaN on macOS",
    ],
)
def test_names_dates_and_addresses_are_no_targets(task):
    assert parse_intent(task).targets == ()


def test_known_paths_make_any_word_a_target():
    assert parse_intent("fix lib/engine", known_paths={"lib/engine", "NOTES"}).targets == ("lib/engine",)
    assert parse_intent("read NOTES first", known_paths=lambda path: path == "NOTES").targets == ("NOTES",)


def test_symbols_of_a_pasted_block_are_no_targets_but_its_paths_are():
    task = "why does this fail?\n```\n  at run_all (src/runner.js:3)\n  some_helper_name()\n```"
    assert parse_intent(task).targets == ("src/runner.js",)


@pytest.mark.parametrize(
    ("task", "scope"),
    [
        ("fix the crash in a.py", Scope.SINGLE_FILE),
        ("fix the crash in a.py and b.py", Scope.MULTI_FILE),
        ("replace print with logging across modules", Scope.CROSS_MODULE),
        ("rename config to settings everywhere", Scope.PROJECT_WIDE),
        ("renomear a variável x em todo o projeto", Scope.PROJECT_WIDE),
        ("在整个项目中重命名 getData", Scope.PROJECT_WIDE),
        ("プロジェクト全体でリネームして", Scope.PROJECT_WIDE),
        ("benenne getData überall um", Scope.PROJECT_WIDE),
    ],
)
def test_scope_follows_words_and_targets(task, scope):
    assert parse_intent(task).scope is scope


@pytest.mark.parametrize(
    ("task", "language"),
    [("fix a.tsx", "TypeScript"), ("write a parser in Haskell", "Haskell"), ("fix the login", None)],
)
def test_language_comes_from_paths_then_words(task, language):
    assert parse_intent(task).language == language


@pytest.mark.parametrize(
    ("task", "urgency"),
    [
        ("fix the login", 0.8),
        ("URGENT: fix the login", 1.0),
        ("fix the login, no rush", 0.5),
        ("срочно исправь вход", 1.0),
        ("至急ログインを修正して", 1.0),
    ],
)
def test_urgency_starts_from_the_type_and_follows_words(task, urgency):
    assert parse_intent(task).urgency == urgency


def test_inflection_accents_case_and_punctuation_do_not_matter():
    groups = [
        ["fix the login", "Fixing the login!!!", "FIX THE LOGIN", "fixes the login"],
        ["corrige o erro de sessão", "CORRIGIR O ERRO DE SESSAO...", "corrija o erro de sessao"],
        ["prüfe diesen Code", "pruefe diesen code!", "PRÜFEN: diesen Code"],
        ["исправь ошибку", "Исправьте ошибку!", "исправить ошибку"],
    ]
    for group in groups:
        assert len({parse_intent(task).task_type for task in group}) == 1, group


def test_action_verb_is_the_english_base_form():
    verbs = [parse_intent(task).action_verb for task in ("refatore o cache", "重构缓存", "отрефактори кэш")]
    assert verbs == ["refactor"] * 3


@pytest.mark.parametrize(
    "unit", ["a", "/", "a/", "a-", "a.b", "`", "```\n", "\n", "fix, ", "修复,", "a_b::", "fix the bug in foo.rs "]
)
def test_long_prompts_cost_a_bounded_amount(unit):
    """What is read of a prompt is bounded, so that twice the length past the bound changes nothing."""
    once = parse_intent(unit * (100_000 // len(unit)))
    assert once == parse_intent(unit * (200_000 // len(unit)))


def test_request_after_a_long_paste_is_read():
    assert parse_intent("x = 1\n" * 20_000 + "\nPlease refactor this module.").task_type == "refactor"


@pytest.mark.parametrize("language", [*LATIN_LANGUAGES, "ja", "zh"])
def test_vocabulary_has_every_section_and_no_unreachable_entry(language):
    text = resources.files("ctxsieve.intent").joinpath("vocabularies", f"{language}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    for section in ("actions", "concepts", "urgency", "scope"):
        for name, words in table[section].items():
            assert words, f"{section}.{name}"
            for word in words:
                assert "*" not in word[1:-1].split(" ")[0], f"{word}: only a last word's ending may be open"
    missing = {"fix", "add", "explain", "refactor", "test", "review", "configure", "deploy", "document"}
    assert missing - set(table["actions"]) == set()


def test_extensions_agree_with_the_language_registry():
    from ctxsieve.languages import language_of

    same = {
        "c++": "cpp",
        "c#": "csharp",
        "ocaml": "ocaml_interface",
        "typescript": "tsx",
        "css": "scss",
        "protocol buffers": "protobuf",
    }
    for extension, name in load_vocabulary().meanings.extensions.items():
        language = language_of(f"file.{extension}")
        if language is not None:
            assert language.name in (name.lower(), same.get(name.lower())), extension
