"""Setting values: parsed from files and variables, checked against the options they set, and put into them."""

import dataclasses
import tomllib
import typing
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from ctxsieve.errors import ConfigError, InputError

__all__ = ["build_section", "read_values"]

# Far above every sensible number of tokens, lines, bytes or seconds, and exact as a float.
_LARGEST_NUMBER = 10**15


def read_values(
    files: Iterable[tuple[str, str]], variables: Mapping[str, str], sections: Mapping[str, type]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values that are set and their origins, both by dotted key; later origins win.

    Args:
        files: names and texts, weakest first; `pyproject.toml` holds its values in `tool.ctxsieve`.
        variables: environment variables, all of which must be settings.
        sections: the options class of every section.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for name, text in files:
        for key, value in _flattened(_table(name, text), sections, name):
            values[key], origins[key] = value, name
    for key, value, name in _from_environment(variables, sections):
        values[key], origins[key] = value, name
    return values, origins


def _table(name: str, text: str) -> Mapping[str, Any]:
    try:
        table: Any = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Besides syntax, tomllib refuses numbers of thousands of digits and deep nesting.
        if name == "pyproject.toml" and "[tool.ctxsieve" not in text:
            return {}
        raise ConfigError(f"{name} is not valid TOML: {error}") from error
    if name == "pyproject.toml":
        tool = table.get("tool")
        table = tool.get("ctxsieve", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise ConfigError(f"{name}: tool.ctxsieve is {table!r}: it must be a table")
    return table


def _keys(hints: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every dotted key below these, with its type."""
    for name, hint in hints.items():
        if dataclasses.is_dataclass(hint):
            yield from _keys(typing.get_type_hints(hint), f"{prefix}{name}.")
        else:
            yield prefix + name, hint


def _flattened(
    table: Mapping[str, Any], hints: Mapping[str, Any], origin: str, prefix: str = ""
) -> Iterator[tuple[str, Any]]:
    """Yield the values of a table under their dotted keys, each checked against its option."""
    for key, value in table.items():
        place = f"{origin}: {prefix}{key}"
        if key not in hints:
            raise ConfigError(f"{origin}: unknown key {prefix + key!r}: here stand {', '.join(hints)}")
        if dataclasses.is_dataclass(hints[key]):
            if not isinstance(value, dict):
                raise ConfigError(f"{place} is {value!r}: it must be a table")
            yield from _flattened(value, typing.get_type_hints(hints[key]), origin, f"{prefix}{key}.")
        else:
            yield prefix + key, _checked(value, hints[key], place)


def _from_environment(variables: Mapping[str, str], sections: Mapping[str, type]) -> Iterator[tuple[str, Any, str]]:
    known = {f"CTXSIEVE_{key}".replace(".", "_").upper(): (key, hint) for key, hint in _keys(sections)}
    for name, text in variables.items():
        if name not in known:
            raise ConfigError(f"unknown environment variable {name}: `ctxsieve config show` lists the known keys")
        key, hint = known[name]
        yield key, _parsed(text, hint, name), name


def _checked(value: Any, hint: Any, where: str) -> Any:
    """Return a TOML value as the option's type; an int serves as a float, a bool never as a number."""
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return _bounded(float(_bounded(value, where)), where)
    if typing.get_origin(hint) is tuple:
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise ConfigError(f"{where} is {value!r}: it must be a list of strings")
    if _is_choice(hint):
        return _chosen(value, hint, where)
    if type(value) is not hint:
        raise ConfigError(f"{where} is {value!r}: it must be of type {hint.__name__}")
    return _bounded(value, where)


def _bounded(value: Any, where: str) -> Any:
    """Return a value that is no number, or one that counting and weighing can take; inf and nan are none."""
    if isinstance(value, int | float) and not -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER:
        raise ConfigError(f"{where} is {value}: it must be a number from -{_LARGEST_NUMBER} to {_LARGEST_NUMBER}")
    return value


def _is_choice(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, StrEnum)


def _chosen(value: Any, choices: Any, where: str) -> Any:
    if value not in list(choices):
        raise ConfigError(f"{where} is {value!r}: it must be one of {', '.join(choices)}")
    return choices(value)


def _parsed(text: str, hint: Any, where: str) -> Any:
    """Return the text of an environment variable as the option's type."""
    if hint is bool:
        if text.lower() in ("1", "true", "yes", "on", "0", "false", "no", "off"):
            return text.lower() in ("1", "true", "yes", "on")
        raise ConfigError(f"{where} is {text!r}: it must be true or false")
    if typing.get_origin(hint) is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if _is_choice(hint):
        return _chosen(text, hint, where)
    try:
        value = hint(text)
    except ValueError:
        raise ConfigError(f"{where} is {text!r}: it must be of type {hint.__name__}") from None
    return _bounded(value, where)


def build_section(defaults: Any, prefix: str, values: Mapping[str, Any], origins: Mapping[str, str]) -> Any:
    """Return options with the values below `prefix`; what a constructor refuses names where it came from."""
    given = {}
    for entry in dataclasses.fields(defaults):
        name, default = entry.name, getattr(defaults, entry.name)
        if dataclasses.is_dataclass(default):
            given[name] = build_section(default, f"{prefix}{name}.", values, origins)
        elif prefix + name in values:
            given[name] = values[prefix + name]
    try:
        return dataclasses.replace(defaults, **given) if given else defaults
    except InputError as error:
        places = ", ".join(f"{name} from {origins[prefix + name]}" for name in given if prefix + name in origins)
        raise ConfigError(f"{prefix.removesuffix('.')}: {error} ({places})") from error
