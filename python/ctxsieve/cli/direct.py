"""The commands that have to start fast, without the command-line library.

Loading that library takes longer than most answers. So a plain command line of these commands is read here, and
everything else (help, completion, mistakes, unusual spellings) is left to the library: what is read here means the same
there, which a property test holds.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

from ctxsieve.cli.options import Argument, Option

__all__ = ["COUNTING_COMMANDS", "DIRECT_COMMANDS", "find_command", "read_arguments"]

# The modules below `ctxsieve.cli`, each with a function of its own name.
DIRECT_COMMANDS = ("preload", "rank", "read")
# Those of them that count tokens.
COUNTING_COMMANDS = frozenset({"preload", "read"})


def find_command(arguments: Sequence[str], environment: Mapping[str, str]) -> Callable[[], None] | None:
    """Return the command that the arguments ask for, ready to run; None leaves them to the command-line library."""
    if not arguments or arguments[0] not in DIRECT_COMMANDS or "_CTXSIEVE_COMPLETE" in environment:
        return None
    name = arguments[0]
    command = getattr(import_module(f"ctxsieve.cli.{name}"), name)
    values = read_arguments(command, arguments[1:], environment)
    return None if values is None else lambda: command(**values)


def read_arguments(
    command: Callable[..., None], arguments: Sequence[str], environment: Mapping[str, str]
) -> dict[str, Any] | None:
    """Return the values of the command's parameters; None where anything about them is not plain."""
    kinds = {name: hint.__metadata__[0] for name, hint in command.__annotations__.items() if name != "return"}
    options = {kind.name: name for name, kind in kinds.items() if isinstance(kind, Option)}
    (positional,) = [name for name, kind in kinds.items() if isinstance(kind, Argument)]
    texts = {
        name: environment[kind.variable]
        for name, kind in kinds.items()
        if isinstance(kind, Option) and kind.variable and environment.get(kind.variable)
    }
    values: dict[str, Any] = {}
    named: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "-" or not argument.startswith("-"):
            named.append(argument)
            continue
        spelled, has_value, text = argument.partition("=")
        name = options.get(spelled)
        if name is None:
            return None
        if _type_of(command, name) is bool:
            if has_value:
                return None
            values[name] = True
            continue
        if not has_value:
            following = next(rest, None)
            if following is None or following.startswith("-"):
                return None
            text = following
        texts[name] = text
    try:
        values |= {name: _value(text, _type_of(command, name), kinds[name].reader) for name, text in texts.items()}
    except ValueError:
        return None
    if _type_of(command, positional) == list[str]:
        return {positional: named, **values} if named else None
    return {positional: named[0], **values} if len(named) == 1 else None


def _type_of(command: Callable[..., None], name: str) -> Any:
    return command.__annotations__[name].__origin__


def _value(text: str, kind: Any, reader: Callable[[str], Any] | None) -> Any:
    """Return the value of an option's text; ValueError where it has none, or where only the library knows."""
    if reader is not None:
        return reader(text)
    if kind is Path or (isinstance(kind, type) and issubclass(kind, StrEnum)):
        return kind(text)
    if kind not in (str, str | None):
        raise ValueError(f"options of type {kind} are not read here")
    return text
