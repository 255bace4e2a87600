import contextlib
import inspect
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.cli.direct import DIRECT_COMMANDS, find_command, read_arguments
from ctxsieve.cli.options import Option
from ctxsieve.cli.output import OutputFormat
from ctxsieve.cli.typer_commands import translate_declarations

COMMANDS: dict[str, Callable[..., None]] = {
    name: getattr(import_module(f"ctxsieve.cli.{name}"), name) for name in DIRECT_COMMANDS
}


def values_by_library(command: Callable[..., None], arguments: list[str]) -> dict[str, Any] | None:
    """What the command-line library makes of the arguments; None where it refuses them or prints help."""
    seen: dict[str, Any] = {}

    @wraps(command)
    def note(**values: Any) -> None:
        seen.update(values)

    app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})
    app.command()(note)
    translate_declarations(app)
    with contextlib.suppress(SystemExit):
        app(args=arguments, prog_name="ctxsieve")
    return seen or None


def with_defaults(command: Callable[..., None], values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: values.get(name, parameter.default) for name, parameter in inspect.signature(command).parameters.items()
    }


def option_names(command: Callable[..., None]) -> list[str]:
    hints = [hint.__metadata__[0] for name, hint in command.__annotations__.items() if name != "return"]
    return [hint.name for hint in hints if isinstance(hint, Option)]


TEXTS = [
    "a task",
    "src/a.py",
    "-",
    "",
    "8000",
    " 8000",
    "-5",
    "٣",
    "1_0",
    "x",
    "json",
    "JSON",
    "text",
    "-h",
    "--",
    "a=b",
]
WORDS = [*TEXTS, "--help", "--version", "--no-timings", "--bud", "-x"]


@st.composite
def command_lines(draw: st.DrawFn) -> tuple[str, list[str]]:
    name = draw(st.sampled_from(DIRECT_COMMANDS))
    options = st.sampled_from(option_names(COMMANDS[name]))
    texts = st.sampled_from(TEXTS)
    pieces = st.one_of(
        st.tuples(st.sampled_from(WORDS)),
        st.tuples(options),
        st.tuples(options, texts),
        st.builds(lambda option, text: (f"{option}={text}",), options, texts),
    )
    return name, [word for piece in draw(st.lists(pieces, max_size=5)) for word in piece]


@given(
    command_lines(),
    st.sampled_from([{}, {"CTXSIEVE_SESSION": "s"}, {"CTXSIEVE_CONSUMER": "c", "CTXSIEVE_SESSION": ""}]),
)
def test_what_is_read_directly_means_the_same_to_the_library(
    line: tuple[str, list[str]], environment: dict[str, str]
) -> None:
    name, arguments = line
    command = COMMANDS[name]
    values = read_arguments(command, arguments, environment)
    if values is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("CTXSIEVE_SESSION", "CTXSIEVE_CONSUMER"):
            patch.delenv(variable, raising=False)
        for variable, text in environment.items():
            patch.setenv(variable, text)
        assert values_by_library(command, arguments) == with_defaults(command, values), arguments


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["preload", "a task"], {"task": "a task"}),
        (
            ["preload", "a task", "--path", "x", "--budget", "8000", "--format=json", "--timings"],
            {"task": "a task", "path": Path("x"), "budget": 8000, "output": OutputFormat.JSON, "timings": True},
        ),
        (
            ["preload", "-", "--role", "coder", "--consumer", "me", "--session", "s"],
            {"task": "-", "role": "coder", "consumer": "me", "session": "s"},
        ),
        (["rank", "--explain", "a task"], {"task": "a task", "explain": True}),
        (["read", "a.py", "b.py", "--mode", "map"], {"paths": ["a.py", "b.py"], "mode": "map"}),
    ],
)
def test_plain_command_lines_are_read_directly(arguments: list[str], expected: dict[str, Any]) -> None:
    assert read_arguments(COMMANDS[arguments[0]], arguments[1:], {}) == expected


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--help"],
        ["preload"],
        ["preload", "--help"],
        ["preload", "a", "b"],
        ["preload", "a", "--budget", "many"],
        ["preload", "a", "--budget"],
        ["preload", "a", "--unknown"],
        ["preload", "--", "a"],
        ["stats"],
    ],
)
def test_everything_else_is_left_to_the_library(arguments: list[str]) -> None:
    assert find_command(arguments, {}) is None


def test_completion_is_left_to_the_library() -> None:
    assert find_command(["preload", "a"], {}) is not None
    assert find_command(["preload", "a"], {"_CTXSIEVE_COMPLETE": "complete_bash"}) is None
