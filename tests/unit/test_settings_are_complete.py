"""Every option of every package is a setting, or an argument of the command that it is for."""

import dataclasses
import importlib
import inspect
import pkgutil
import typing
from pathlib import Path

import pytest

import ctxsieve
from ctxsieve.benchmark import BenchmarkOptions
from ctxsieve.cli.benchmark import run as benchmark_run
from ctxsieve.config import Settings, load_settings, section_classes, setting_values
from ctxsieve.errors import ConfigError
from ctxsieve.overview import OutlineOptions
from ctxsieve.pipeline import PreloadOptions, SpellingOptions
from ctxsieve.pipeline.file_renderer import RenderingOptions

# Options that belong to one run, and the function whose parameters they are.
ARGUMENTS = {BenchmarkOptions: benchmark_run}
# Options that are made of the options of layers.
COMPOSED = {OutlineOptions, PreloadOptions, RenderingOptions, SpellingOptions}
# A server's place, session and consumer are options of `ctxsieve mcp`.
ELSEWHERE = {"ctxsieve.mcp_server"}


def option_classes() -> list[type]:
    found = []
    for entry in pkgutil.walk_packages(ctxsieve.__path__, "ctxsieve."):
        # The frameworks of adapters are extras; an entry point runs when it is imported.
        if entry.name.startswith(("ctxsieve.adapters", "ctxsieve._kernels", "ctxsieve.__main__", *ELSEWHERE)):
            continue
        module = importlib.import_module(entry.name)
        for name, value in vars(module).items():
            if inspect.isclass(value) and name.endswith("Options") and value.__module__ == entry.name:
                found.append(value)
    return found


def classes_below(options: type) -> set[type]:
    inner = {hint for hint in typing.get_type_hints(options).values() if dataclasses.is_dataclass(hint)}
    return {options}.union(*(classes_below(typing.cast(type, hint)) for hint in inner))


def test_every_options_class_is_reachable() -> None:
    classes = option_classes()
    assert len(classes) >= 15
    reachable = set().union(*map(classes_below, section_classes().values()))
    for options in classes:
        if options in ARGUMENTS:
            parameters = inspect.signature(ARGUMENTS[options]).parameters
            assert {entry.name for entry in dataclasses.fields(options)} <= set(parameters)
        elif options in COMPOSED:
            assert classes_below(options) - COMPOSED <= reachable
        else:
            assert options in reachable, options


def literal(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


KEYS = [key for key, _ in setting_values(Settings())]


@pytest.mark.parametrize("key", KEYS)
def test_every_setting_can_be_written_in_a_file_and_in_the_environment(key: str, tmp_path: Path) -> None:
    value = dict(setting_values(Settings()))[key]
    section, _, name = key.rpartition(".")
    (tmp_path / "ctxsieve.toml").write_text(f"[{section}]\n{name} = {literal(value)}\n")
    loaded = load_settings(tmp_path, {})
    assert loaded.origins == {key: "ctxsieve.toml"}
    assert loaded.settings == Settings()
    variable = "CTXSIEVE_" + key.replace(".", "_").upper()
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    loaded = load_settings(tmp_path, {variable: text})
    assert loaded.origins == {key: variable}
    assert loaded.settings == Settings()


def test_no_two_settings_share_a_variable() -> None:
    assert len({key.replace(".", "_").upper() for key in KEYS}) == len(KEYS)


def test_roles_and_windows_are_settings(tmp_path: Path) -> None:
    (tmp_path / "ctxsieve.toml").write_text(
        "[agents.coder]\nbudget_ratio = 0.5\n[ledger]\nwindow_tokens = 1000\nevict_above_percent = 80\n"
    )
    settings = load_settings(tmp_path, {}).settings
    assert settings.agents.depth_of("coder").budget_of(1000) == 500
    assert settings.agents.coder.full_files == 8
    assert settings.agents.reviewer == Settings().agents.reviewer
    (tmp_path / "ctxsieve.toml").write_text("[agents.coder]\nbudget_ratio = 2.0\n")
    with pytest.raises(ConfigError, match=r"agents\.coder: budget_ratio is 2\.0: .*from ctxsieve\.toml"):
        load_settings(tmp_path, {})
    with ctxsieve.Project.open(_project(tmp_path), environment={}).session(is_durable=False) as session:
        assert session.ledger.window_tokens == 100
        assert session.ledger.totals().options.evict_above_percent == 50
        assert session.advise(incoming_tokens=51).plan.pressure == "evict"


def _project(place: Path) -> Path:
    root = place / "tree"
    root.mkdir()
    (root / "ctxsieve.toml").write_text(
        "[ledger]\nwindow_tokens = 100\ncompress_above_percent = 20\nevict_above_percent = 50\n"
    )
    return root
