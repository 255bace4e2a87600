"""Compiles the word tables from their TOML; `python scripts/compile_word_tables.py` keeps the result beside them."""

import json
import re
import tomllib
from typing import Any

from ctxsieve.intent.folding import fold
from ctxsieve.intent.vocabulary import COMPILED_PATH, LATIN_LANGUAGES, UNSPACED_LANGUAGES
from ctxsieve.values import dataclass, field

__all__ = ["compile_word_tables"]

_WORDS = re.compile(r"[^\W\d_]+|\d+")


@dataclass(slots=True)
class _Tables:
    """The look-ups while they grow; `positions` numbers the readings in the order of their first use."""

    positions: dict[tuple[str, str, str, bool], int] = field(default_factory=dict)
    exact: dict[str, list[int]] = field(default_factory=dict)
    stems: dict[str, list[int]] = field(default_factory=dict)
    endings: dict[str, list[int]] = field(default_factory=dict)
    phrases: dict[str, list[tuple[list[str], int]]] = field(default_factory=dict)
    runs: dict[str, list[int]] = field(default_factory=dict)
    longest_run: dict[str, int] = field(default_factory=dict)
    longest_phrase: int = 0
    lead_ins: dict[str, list[list[str]]] = field(default_factory=dict)
    connectors: dict[str, list[str]] = field(default_factory=dict)
    verb_places: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)

    def position(self, language: str, section: str, name: str, is_base: bool = True) -> int:
        """Return the position of a reading."""
        return self.positions.setdefault((language, section, name, is_base), len(self.positions))


def compile_word_tables() -> str:
    """Return the compiled tables as JSON, the same text for the same TOML."""
    meanings = _read("meanings.toml")
    tables = _Tables()
    for language in (*LATIN_LANGUAGES, *UNSPACED_LANGUAGES):
        _add_language(tables, language, meanings)
    compiled = {
        "meanings": meanings,
        "rows": list(tables.positions),
        "exact": tables.exact,
        "stems": tables.stems,
        "endings": tables.endings,
        "phrases": tables.phrases,
        "runs": tables.runs,
        "longest_run": tables.longest_run,
        "longest_phrase": tables.longest_phrase,
        "lead_ins": tables.lead_ins,
        "connectors": tables.connectors,
        "verb_places": tables.verb_places,
    }
    # One table a line: a change of a word shows as a change of a line, not of the whole file.
    lines = [f"{json.dumps(key)}:{_compact(value)}" for key, value in compiled.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((COMPILED_PATH.parent / name).read_text("utf-8"))


def _spellings(entry: str, language: str) -> list[str]:
    """The folded spellings of an entry; German umlauts are also written ae, oe, ue."""
    spellings = {fold(entry)}
    if language == "de":
        spellings.add(fold(entry.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")))
    return sorted(spellings)


def _add_language(tables: _Tables, language: str, meanings: dict[str, Any]) -> None:
    table = _read(f"{language}.toml")
    connectors, polite = table.get("connectors", ()), table.get("polite", ())
    tables.connectors[language] = sorted({fold(word) for word in connectors if " " not in word})
    tables.lead_ins[language] = [list(words) for words in _phrases(*polite, *connectors)]
    if "before_a_verb" in table:
        tables.verb_places[language] = (["", *table["before_a_verb"]], table["before_a_noun"])
    entries = [(section, "", table.get(section, ())) for section in ("function_words", "other_words")]
    for section in ("actions", "concepts", "urgency", "scope"):
        for name, words in table.get(section, {}).items():
            known = name in meanings[section] if section in meanings else True
            assert known, f"{language}.toml: {section}.{name} has no meaning"
            entries.append((section, name, words))
    suffixes = table.get("suffixes", ())
    for section, name, words in entries:
        for spelling in [spelling for word in words for spelling in _spellings(word, language)]:
            if language in UNSPACED_LANGUAGES:
                _add_run(tables, spelling, tables.position(language, section, name))
            else:
                _add_spaced(tables, spelling, (language, section, name), suffixes)


def _phrases(*texts: str) -> list[tuple[str, ...]]:
    return sorted({tuple(_WORDS.findall(fold(text))) for text in texts})


def _add_run(tables: _Tables, spelling: str, position: int) -> None:
    tables.runs.setdefault(spelling, []).append(position)
    first = spelling[0]
    tables.longest_run[first] = max(len(spelling), tables.longest_run.get(first, 0))


def _add_spaced(tables: _Tables, entry: str, sense: tuple[str, str, str], suffixes: list[str]) -> None:
    parts = entry.split()
    if len(parts) > 1:
        tables.phrases.setdefault(parts[0], []).append((parts, tables.position(*sense)))
        tables.longest_phrase = max(len(parts), tables.longest_phrase)
    elif entry.endswith("*"):
        tables.stems.setdefault(entry[:-1], []).append(tables.position(*sense))
    elif entry.startswith("*"):
        tables.endings.setdefault(entry[1:], []).append(tables.position(*sense))
    else:
        takes_suffixes = len(entry) > 2 and sense[1] != "function_words"
        for suffix in ("", *suffixes) if takes_suffixes else ("",):
            tables.exact.setdefault(entry + suffix, []).append(tables.position(*sense, suffix == ""))
