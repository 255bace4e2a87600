import dataclasses
import os
from pathlib import Path

import pytest

from ctxsieve.config import Settings, load_settings, setting_values
from ctxsieve.errors import ConfigError


def test_defaults_have_no_origin(tmp_path: Path) -> None:
    loaded = load_settings(tmp_path, {})
    assert loaded.settings.budget.total_tokens == 8000
    assert loaded.origins == {}


def test_later_origins_win(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[tool.ctxsieve.budget]\ntotal_tokens = 1\nfloor_tokens = 2\ncap_tokens = 3\n"
    )
    (tmp_path / "ctxsieve.toml").write_text("[budget]\nfloor_tokens = 20\ncap_tokens = 30\n")
    loaded = load_settings(tmp_path, {"CTXSIEVE_BUDGET_CAP_TOKENS": "300", "HOME": "x"})
    budget = loaded.settings.budget
    assert (budget.total_tokens, budget.floor_tokens, budget.cap_tokens) == (1, 20, 300)
    assert loaded.origins == {
        "budget.total_tokens": "pyproject.toml",
        "budget.floor_tokens": "ctxsieve.toml",
        "budget.cap_tokens": "CTXSIEVE_BUDGET_CAP_TOKENS",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[bugdet]\n", "ctxsieve.toml: unknown key 'bugdet': here stand agents"),
        ("[budget]\ntotal = 1\n", "ctxsieve.toml: unknown key 'budget.total': here stand total_tokens"),
        ("[budget]\ntotal_tokens = '1'\n", "ctxsieve.toml: budget.total_tokens is '1': it must be of type int"),
        ("[budget]\ntotal_tokens = true\n", "budget.total_tokens is True: it must be of type int"),
        ("[budget]\ntotal_tokens = 0\n", "budget: total_tokens is 0: it must be 1 or more"),
        ("budget = 3\n", "ctxsieve.toml: budget is 3: it must be a table"),
        ("[budget\n", "ctxsieve.toml is not valid TOML"),
    ],
)
def test_a_wrong_file_is_an_error_that_names_the_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "ctxsieve.toml").write_text(text)
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        load_settings(tmp_path, {})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("CTXSIEVE_BUGDET", "1", "unknown environment variable CTXSIEVE_BUGDET"),
        ("CTXSIEVE_BUDGET_TOTAL_TOKENS", "many", "CTXSIEVE_BUDGET_TOTAL_TOKENS is 'many': it must be of type int"),
    ],
)
def test_a_wrong_variable_is_an_error(tmp_path: Path, name: str, value: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_settings(tmp_path, {name: value})


def test_somebody_elses_broken_pyproject_is_not_our_business(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project\n")
    assert load_settings(tmp_path, {}).origins == {}


def test_an_integer_serves_as_a_float(tmp_path: Path) -> None:
    (tmp_path / "ctxsieve.toml").write_text("[budget]\nreference_beta = 4\n")
    assert load_settings(tmp_path, {}).settings.budget.reference_beta == 4.0


@pytest.mark.parametrize(
    "line",
    [
        "budget.reference_beta = nan",
        "relevance.alpha = inf",
        "index.max_file_bytes = " + 25 * "9",
        "watch.walk_interval_seconds = 1e300",
    ],
)
def test_numbers_that_nothing_can_count_with_are_errors(tmp_path: Path, line: str) -> None:
    (tmp_path / "ctxsieve.toml").write_text(line)
    with pytest.raises(ConfigError, match=r"it must be a number from -1000000000000000 to 1000000000000000"):
        load_settings(tmp_path, {})


@pytest.mark.parametrize("value", ["inf", "nan", "1e300"])
def test_numbers_of_the_environment_are_bounded_too(tmp_path: Path, value: str) -> None:
    with pytest.raises(ConfigError, match=r"CTXSIEVE_RELEVANCE_ALPHA is .*: it must be a number"):
        load_settings(tmp_path, {"CTXSIEVE_RELEVANCE_ALPHA": value})


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 20_000])
def test_what_the_parser_of_toml_gives_up_on_is_an_error(tmp_path: Path, value: str) -> None:
    (tmp_path / "ctxsieve.toml").write_text(f"budget = {value}\n")
    with pytest.raises(ConfigError, match=r"ctxsieve\.toml is not valid TOML"):
        load_settings(tmp_path, {})


def test_settings_are_not_read_from_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ctxsieve.toml")
    with pytest.raises(ConfigError, match=r"ctxsieve\.toml is no regular file"):
        load_settings(tmp_path, {})


NUMBERS = [
    key for key, value in setting_values(Settings()) if isinstance(value, (int, float)) and not isinstance(value, bool)
]


@pytest.mark.parametrize("key", NUMBERS)
def test_no_number_may_be_negative(tmp_path: Path, key: str) -> None:
    (tmp_path / "ctxsieve.toml").write_text(f"{key} = -1\n")
    with pytest.raises(ConfigError, match=key.rpartition(".")[2]):
        load_settings(tmp_path, {})


def test_roles_of_smells_exist(tmp_path: Path) -> None:
    (tmp_path / "ctxsieve.toml").write_text('smells.roles = ["sauce"]\n')
    with pytest.raises(ConfigError, match=r"roles has 'sauce': it must be one of vendored"):
        load_settings(tmp_path, {})


def test_sections_are_made_when_they_are_asked_for() -> None:
    settings = Settings()
    assert vars(settings) == {}
    assert settings.watch is settings.watch
    assert list(vars(settings)) == ["watch"]
    with pytest.raises(AttributeError, match="no section 'wtach'"):
        getattr(settings, "wtach")  # noqa: B009 - written as an attribute, type checkers refuse the misspelt name
    with pytest.raises(TypeError, match="no section 'wtach'"):
        settings.with_sections(wtach=settings.watch)


def test_settings_are_values() -> None:
    settings = Settings()
    changed = settings.with_sections(index=dataclasses.replace(settings.index, threads=7))
    assert settings == Settings() != changed
    assert changed.index.threads == 7
    assert changed.budget == settings.budget
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.index = changed.index


def test_of_several_wrong_files_the_first_mistake_in_the_order_of_origins_is_said(tmp_path: Path) -> None:
    wrong = ["[tool.ctxsieve\n", "[tool.ctxsieve]\nunknown = 1\n", "[tool.ctxsieve.index]\nmax_file_bytes = 'a'\n"]
    for text in wrong:
        (tmp_path / "pyproject.toml").write_text(text)
        for other in (b"\xff", b"[", b"also_unknown = 1\n"):
            (tmp_path / "ctxsieve.toml").write_bytes(other)
            with pytest.raises(ConfigError, match=r"^pyproject\.toml"):
                load_settings(tmp_path, {"CTXSIEVE_UNKNOWN": "1"})
    (tmp_path / "pyproject.toml").unlink()
    with pytest.raises(ConfigError, match=r"^ctxsieve\.toml"):
        load_settings(tmp_path, {"CTXSIEVE_UNKNOWN": "1"})
