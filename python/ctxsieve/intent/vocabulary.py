"""The word tables of all languages, compiled once into look-ups that cost a few steps per word."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

from ctxsieve.intent.folding import fold
from ctxsieve.intent.model import TaskType

__all__ = [
    "LATIN_LANGUAGES",
    "UNSPACED_LANGUAGES",
    "Meaning",
    "Meanings",
    "Sense",
    "VerbPlaces",
    "Vocabulary",
    "load_vocabulary",
]

LATIN_LANGUAGES = ("en", "pt", "es", "de", "fr", "ru")
UNSPACED_LANGUAGES = ("ja", "zh")
_LONGEST_STEM = 24
_MOST_REMEMBERED = 4096
_WORDS = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Sense:
    """One reading of a word: in which language, of which section (`actions`, `concepts`, ...), under which name.

    `is_base` is false for a word that only matches with a suffix of its language ("shows", "implemented").
    """

    language: str
    section: str
    name: str
    is_base: bool = True


@dataclass(frozen=True, slots=True)
class Meaning:
    """The evidence that an action or a concept gives for a task type."""

    task_type: TaskType
    weight: float
    generic: bool = False
    creates: bool = False
    decisive: bool = False


@dataclass(frozen=True, slots=True)
class Meanings:
    """What `meanings.toml` says, the same for every language."""

    actions: Mapping[str, Meaning]
    concepts: Mapping[str, Meaning]
    file_concepts: Mapping[str, str]
    names: frozenset[str]
    language_names: Mapping[str, str]
    extensions: Mapping[str, str]
    other_extensions: frozenset[str]


@dataclass(frozen=True, slots=True)
class VerbPlaces:
    """For a language whose verbs are nouns as well ("the list"): the words after which each stands."""

    before_a_verb: frozenset[str]
    before_a_noun: frozenset[str]


@dataclass(slots=True)
class Vocabulary:
    """Compiled word tables; `exact`, `stems` and `endings` are keyed by folded word, `phrases` by their first word."""

    meanings: Meanings
    exact: dict[str, list[Sense]] = field(default_factory=dict)
    stems: dict[str, list[Sense]] = field(default_factory=dict)
    endings: dict[str, list[Sense]] = field(default_factory=dict)
    phrases: dict[str, list[tuple[tuple[str, ...], Sense]]] = field(default_factory=dict)
    runs: dict[str, list[Sense]] = field(default_factory=dict)
    longest_run: dict[str, int] = field(default_factory=dict)
    longest_phrase: int = 0
    suffixes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    lead_ins: dict[str, frozenset[tuple[str, ...]]] = field(default_factory=dict)
    connectors: dict[str, frozenset[str]] = field(default_factory=dict)
    remembered: dict[str, tuple[Sense, ...]] = field(default_factory=dict)
    verb_places: dict[str, VerbPlaces] = field(default_factory=dict)

    def senses_of(self, word: str) -> tuple[Sense, ...]:
        """All readings of one folded word, whole-word entries before stems and endings."""
        senses = self.remembered.get(word)
        if senses is None:
            senses = self._look_up(word)
            if len(self.remembered) < _MOST_REMEMBERED:
                self.remembered[word] = senses
        return senses

    def _look_up(self, word: str) -> tuple[Sense, ...]:
        found = list(self.exact.get(word, ()))
        for length in range(min(len(word), _LONGEST_STEM), 2, -1):
            found.extend(self.stems.get(word[:length], ()))
        for length in range(4, min(len(word), _LONGEST_STEM)):
            found.extend(self.endings.get(word[-length:], ()))
        return tuple(found)


def _read(name: str) -> dict[str, Any]:
    text = resources.files("ctxsieve.intent").joinpath("vocabularies", name).read_text(encoding="utf-8")
    return tomllib.loads(text)


def _load_meanings() -> Meanings:
    table = _read("meanings.toml")

    def evidence(section: str) -> dict[str, Meaning]:
        return {
            name: Meaning(TaskType(entry["type"]), **{key: value for key, value in entry.items() if key != "type"})
            for name, entry in table[section].items()
        }

    languages = table["languages"]
    return Meanings(
        actions=evidence("actions"),
        concepts=evidence("concepts"),
        file_concepts={file: concept for concept, files in table["files"].items() for file in files},
        names=frozenset(table["names"]["words"]),
        language_names=languages["names"],
        extensions=languages["extensions"],
        other_extensions=frozenset(languages["other_extensions"]),
    )


def _spellings(entry: str, language: str) -> set[str]:
    """The folded spellings of an entry; German umlauts are also written ae, oe, ue."""
    spellings = {fold(entry)}
    if language == "de":
        spellings.add(fold(entry.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")))
    return spellings


def _add_spaced(vocabulary: Vocabulary, entry: str, sense: Sense) -> None:
    parts = tuple(entry.split())
    if len(parts) > 1:
        vocabulary.phrases.setdefault(parts[0], []).append((parts, sense))
        vocabulary.longest_phrase = max(len(parts), vocabulary.longest_phrase)
    elif entry.endswith("*"):
        vocabulary.stems.setdefault(entry[:-1], []).append(sense)
    elif entry.startswith("*"):
        vocabulary.endings.setdefault(entry[1:], []).append(sense)
    else:
        for suffix in ("", *vocabulary.suffixes.get(sense.language, ())):
            if suffix == "" or (len(entry) > 2 and sense.section != "function_words"):
                vocabulary.exact.setdefault(entry + suffix, []).append(replace(sense, is_base=suffix == ""))


def _add_language(vocabulary: Vocabulary, language: str) -> None:
    table = _read(f"{language}.toml")
    vocabulary.suffixes[language] = tuple(table.get("suffixes", ()))
    vocabulary.connectors[language] = frozenset(fold(word) for word in table.get("connectors", ()) if " " not in word)
    vocabulary.lead_ins[language] = frozenset(
        tuple(_WORDS.findall(fold(phrase))) for phrase in (*table.get("polite", ()), *table.get("connectors", ()))
    )
    if "before_a_verb" in table:
        vocabulary.verb_places[language] = VerbPlaces(
            frozenset(["", *table["before_a_verb"]]), frozenset(table["before_a_noun"])
        )
    entries = [(Sense(language, "function_words", ""), table.get("function_words", ()))]
    for section in ("actions", "concepts", "urgency", "scope"):
        known = getattr(vocabulary.meanings, section, None)
        for name, words in table.get(section, {}).items():
            assert known is None or name in known, f"{language}.toml: {section}.{name} has no meaning"
            entries.append((Sense(language, section, name), words))
    for sense, words in entries:
        for word in words:
            for spelling in _spellings(word, language):
                if language in UNSPACED_LANGUAGES:
                    vocabulary.runs.setdefault(spelling, []).append(sense)
                    first = spelling[0]
                    vocabulary.longest_run[first] = max(len(spelling), vocabulary.longest_run.get(first, 0))
                else:
                    _add_spaced(vocabulary, spelling, sense)


@cache
def load_vocabulary() -> Vocabulary:
    """The vocabulary of every language, read on first use."""
    vocabulary = Vocabulary(_load_meanings())
    for language in (*LATIN_LANGUAGES, *UNSPACED_LANGUAGES):
        _add_language(vocabulary, language)
    return vocabulary
