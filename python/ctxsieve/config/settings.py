"""Settings: the options of every layer, one section each.

Later origins win: the defaults beside each function, `[tool.ctxsieve]` in pyproject.toml,
`ctxsieve.toml`, then the environment as CTXSIEVE_<SECTION>_<KEY>. An unknown key is an error
everywhere, because a misspelt threshold that is silently ignored is worse than none.
"""

import dataclasses
import stat
import tomllib
import typing
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from ctxsieve.agents import RoleOptions
from ctxsieve.align import AlignOptions
from ctxsieve.budget import BudgetOptions
from ctxsieve.chunking import ChunkingOptions
from ctxsieve.compress import CompressionOptions
from ctxsieve.dedup import DedupOptions
from ctxsieve.errors import ConfigError, InputError
from ctxsieve.graph import CommunityOptions, IndexOptions, WatchOptions
from ctxsieve.ledger import LedgerOptions
from ctxsieve.overview import OverviewOptions
from ctxsieve.pipeline import ReadOptions
from ctxsieve.relevance import HistoryOptions, RelevanceOptions
from ctxsieve.report import ReportOptions
from ctxsieve.smells import SmellOptions
from ctxsieve.terse import TerseOptions
from ctxsieve.values import dataclass, field

__all__ = ["RESERVED_VARIABLES", "LoadedSettings", "Settings", "load_settings", "setting_values"]

# Variables that choose how ctxsieve runs rather than what it decides; they are read where they act.
RESERVED_VARIABLES = frozenset(
    {
        "CTXSIEVE_BACKEND",
        "CTXSIEVE_THREADS",
        "CTXSIEVE_CACHE_DIR",
        "CTXSIEVE_STATE_DIR",
        "CTXSIEVE_CONSUMER",
        "CTXSIEVE_SESSION",
        "CTXSIEVE_MCP_TOKEN",
    }
)
# Far above every sensible number of tokens, lines, bytes or seconds, and exact as a float.
_LARGEST_NUMBER = 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of every layer; a section is the options class of one package."""

    agents: RoleOptions = field(default_factory=RoleOptions)
    align: AlignOptions = field(default_factory=AlignOptions)
    budget: BudgetOptions = field(default_factory=BudgetOptions)
    chunking: ChunkingOptions = field(default_factory=ChunkingOptions)
    communities: CommunityOptions = field(default_factory=CommunityOptions)
    compression: CompressionOptions = field(default_factory=CompressionOptions)
    dedup: DedupOptions = field(default_factory=DedupOptions)
    history: HistoryOptions = field(default_factory=HistoryOptions)
    index: IndexOptions = field(default_factory=IndexOptions)
    ledger: LedgerOptions = field(default_factory=LedgerOptions)
    overview: OverviewOptions = field(default_factory=OverviewOptions)
    read: ReadOptions = field(default_factory=ReadOptions)
    relevance: RelevanceOptions = field(default_factory=RelevanceOptions)
    report: ReportOptions = field(default_factory=ReportOptions)
    smells: SmellOptions = field(default_factory=SmellOptions)
    terse: TerseOptions = field(default_factory=TerseOptions)
    watch: WatchOptions = field(default_factory=WatchOptions)


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings and, by dotted key, the origin of each value that is not the default."""

    settings: Settings
    origins: Mapping[str, str]


def load_settings(root: Path, environment: Mapping[str, str]) -> LoadedSettings:
    """Return the settings that hold for the project at `root`.

    Raises:
        ConfigError: a file cannot be read, or a key or value is wrong; the message names it and its origin.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for name, table in _tables(root):
        for key, value in _flattened(table, Settings, name):
            values[key], origins[key] = value, name
    for key, value, name in _from_environment(environment):
        values[key], origins[key] = value, name
    return LoadedSettings(_build(Settings(), "", values, origins), origins)


def setting_values(settings: object, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value under its dotted key, in the order of declaration."""
    for entry in dataclasses.fields(settings):  # type: ignore[arg-type]
        value = getattr(settings, entry.name)
        if dataclasses.is_dataclass(value):
            yield from setting_values(value, f"{prefix}{entry.name}.")
        else:
            yield prefix + entry.name, value


def _keys(options: type, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every dotted key below an options class, with its type."""
    for name, hint in typing.get_type_hints(options).items():
        if dataclasses.is_dataclass(hint):
            yield from _keys(typing.cast(type, hint), f"{prefix}{name}.")
        else:
            yield prefix + name, hint


def _tables(root: Path) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the tables of the project's files, weakest first."""
    found: list[tuple[str, Mapping[str, Any]]] = []
    for name in ("pyproject.toml", "ctxsieve.toml"):
        try:
            mode = (root / name).stat().st_mode
            if stat.S_ISDIR(mode):
                continue
            if not stat.S_ISREG(mode):
                raise ConfigError(f"{name} is no regular file: settings are read from text alone")
            text = (root / name).read_text("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{name} cannot be read: {error}") from error
        try:
            table = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            # Besides syntax, tomllib refuses numbers of thousands of digits and deep nesting.
            if name == "pyproject.toml" and "[tool.ctxsieve" not in text:
                continue
            raise ConfigError(f"{name} is not valid TOML: {error}") from error
        if name == "pyproject.toml":
            tool = table.get("tool")
            table = tool.get("ctxsieve", {}) if isinstance(tool, dict) else {}
        if not isinstance(table, dict):
            raise ConfigError(f"{name}: tool.ctxsieve is {table!r}: it must be a table")
        found.append((name, table))
    return found


def _flattened(table: Mapping[str, Any], options: type, origin: str, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of a table under their dotted keys, each checked against its option."""
    hints = typing.get_type_hints(options)
    for key, value in table.items():
        place = f"{origin}: {prefix}{key}"
        if key not in hints:
            raise ConfigError(f"{origin}: unknown key {prefix + key!r}: here stand {', '.join(hints)}")
        if dataclasses.is_dataclass(hints[key]):
            if not isinstance(value, dict):
                raise ConfigError(f"{place} is {value!r}: it must be a table")
            yield from _flattened(value, hints[key], origin, f"{prefix}{key}.")
        else:
            yield prefix + key, _checked(value, hints[key], place)


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, Any, str]]:
    known = {f"CTXSIEVE_{key}".replace(".", "_").upper(): (key, hint) for key, hint in _keys(Settings)}
    for name in sorted(environment):
        if not name.startswith("CTXSIEVE_") or name in RESERVED_VARIABLES:
            continue
        if name not in known:
            raise ConfigError(f"unknown environment variable {name}: `ctxsieve config show` lists the known keys")
        key, hint = known[name]
        yield key, _parsed(environment[name], hint, name), name


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


def _build(defaults: Any, prefix: str, values: Mapping[str, Any], origins: Mapping[str, str]) -> Any:
    """Return options with the values below `prefix`; what a constructor refuses names where it came from."""
    given = {}
    for entry in dataclasses.fields(defaults):
        name, default = entry.name, getattr(defaults, entry.name)
        if dataclasses.is_dataclass(default):
            given[name] = _build(default, f"{prefix}{name}.", values, origins)
        elif prefix + name in values:
            given[name] = values[prefix + name]
    try:
        return dataclasses.replace(defaults, **given) if given else defaults
    except InputError as error:
        places = ", ".join(f"{name} from {origins[prefix + name]}" for name in given if prefix + name in origins)
        raise ConfigError(f"{prefix.removesuffix('.')}: {error} ({places})") from error
