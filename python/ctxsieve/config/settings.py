"""Settings: the options of every layer, one section each.

Later origins win: the defaults beside each function, `[tool.ctxsieve]` in pyproject.toml,
`ctxsieve.toml`, then the environment as CTXSIEVE_<SECTION>_<KEY>. An unknown key is an error
everywhere, because a misspelt threshold that is silently ignored is worse than none.
"""

import dataclasses
import stat
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxsieve.errors import ConfigError
from ctxsieve.values import dataclass

if TYPE_CHECKING:
    from ctxsieve.agents import RoleOptions
    from ctxsieve.align import AlignOptions
    from ctxsieve.budget import BudgetOptions
    from ctxsieve.chunking import ChunkingOptions
    from ctxsieve.compress import CompressionOptions
    from ctxsieve.dedup import DedupOptions
    from ctxsieve.graph import CommunityOptions, IndexOptions, WatchOptions
    from ctxsieve.ledger import LedgerOptions
    from ctxsieve.overview import OverviewOptions
    from ctxsieve.pipeline import ReadOptions
    from ctxsieve.relevance import HistoryOptions, RelevanceOptions
    from ctxsieve.report import ReportOptions
    from ctxsieve.smells import SmellOptions
    from ctxsieve.terse import TerseOptions

__all__ = ["RESERVED_VARIABLES", "LoadedSettings", "Settings", "load_settings", "section_classes", "setting_values"]

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
# The package and the options class of each section.
_SECTIONS = {
    "agents": ("agents", "RoleOptions"),
    "align": ("align", "AlignOptions"),
    "budget": ("budget", "BudgetOptions"),
    "chunking": ("chunking", "ChunkingOptions"),
    "communities": ("graph", "CommunityOptions"),
    "compression": ("compress", "CompressionOptions"),
    "dedup": ("dedup", "DedupOptions"),
    "history": ("relevance", "HistoryOptions"),
    "index": ("graph", "IndexOptions"),
    "ledger": ("ledger", "LedgerOptions"),
    "overview": ("overview", "OverviewOptions"),
    "read": ("pipeline", "ReadOptions"),
    "relevance": ("relevance", "RelevanceOptions"),
    "report": ("report", "ReportOptions"),
    "smells": ("smells", "SmellOptions"),
    "terse": ("terse", "TerseOptions"),
    "watch": ("graph", "WatchOptions"),
}


class Settings:
    """The options of every layer; a section is the options class of one package.

    A section that nobody has set is made, and its package loaded, when it is first asked for: a command needs few of
    them. Settings do not change, and are equal where all sections are.
    """

    if TYPE_CHECKING:
        agents: RoleOptions
        align: AlignOptions
        budget: BudgetOptions
        chunking: ChunkingOptions
        communities: CommunityOptions
        compression: CompressionOptions
        dedup: DedupOptions
        history: HistoryOptions
        index: IndexOptions
        ledger: LedgerOptions
        overview: OverviewOptions
        read: ReadOptions
        relevance: RelevanceOptions
        report: ReportOptions
        smells: SmellOptions
        terse: TerseOptions
        watch: WatchOptions
    else:

        def __getattr__(self, section):
            if section not in _SECTIONS:
                raise AttributeError(f"settings have no section {section!r}: there are {', '.join(_SECTIONS)}")
            return vars(self).setdefault(section, _section_class(section)())

    def __init__(self, **sections: object) -> None:
        for section in sections:
            if section not in _SECTIONS:
                raise TypeError(f"settings have no section {section!r}: there are {', '.join(_SECTIONS)}")
        vars(self).update(sections)

    def with_sections(self, **sections: object) -> "Settings":
        """Return these settings with other options in some sections."""
        return Settings(**{**vars(self), **sections})

    def __setattr__(self, section: str, value: object) -> None:
        raise dataclasses.FrozenInstanceError(f"cannot assign to section {section!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Settings):
            return NotImplemented
        return all(getattr(self, section) == getattr(other, section) for section in _SECTIONS)

    def __repr__(self) -> str:
        return f"Settings({', '.join(f'{section}={getattr(self, section)!r}' for section in _SECTIONS)})"


def _section_class(section: str) -> Any:
    package, name = _SECTIONS[section]
    return getattr(import_module(f"ctxsieve.{package}"), name)


def section_classes() -> Mapping[str, type]:
    """Return the options class of every section."""
    return {section: _section_class(section) for section in _SECTIONS}


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
    files = _setting_files(root)
    variables = {
        name: environment[name]
        for name in sorted(environment)
        if name.startswith("CTXSIEVE_") and name not in RESERVED_VARIABLES
    }
    first = next(files, None)
    if first is None and not variables:
        return LoadedSettings(Settings(), {})
    # Loaded here: most projects set nothing, and need no parser for it.
    from ctxsieve.config.values import build_section, read_values

    classes = section_classes()
    # One file after the other, so that the first mistake in this order is what is said.
    values, origins = read_values(chain([] if first is None else [first], files), variables, classes)
    sections = {key.partition(".")[0] for key in values}
    built = {name: build_section(classes[name](), f"{name}.", values, origins) for name in classes if name in sections}
    return LoadedSettings(Settings(**built), origins)


def setting_values(settings: Settings) -> Iterator[tuple[str, Any]]:
    """Yield every value under its dotted key, in the order of declaration."""
    for section in _SECTIONS:
        yield from _option_values(getattr(settings, section), f"{section}.")


def _option_values(options: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for entry in dataclasses.fields(options):
        value = getattr(options, entry.name)
        if dataclasses.is_dataclass(value):
            yield from _option_values(value, f"{prefix}{entry.name}.")
        else:
            yield prefix + entry.name, value


def _setting_files(root: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of the project's files that may set something, weakest first."""
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
        # A pyproject.toml that never says the name is not our business, whole or broken.
        if name == "ctxsieve.toml" or "ctxsieve" in text:
            yield name, text
