"""The word tables of all languages as look-ups that cost a few steps per word.

They are written as TOML and kept compiled in one file beside it (`word_tables`): a command starts in the time that
reading them takes.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ctxsieve.intent.model import TaskType
from ctxsieve.values import dataclass, field

__all__ = [
    "COMPILED_PATH",
    "LATIN_LANGUAGES",
    "UNSPACED_LANGUAGES",
    "Meaning",
    "Meanings",
    "Sense",
    "VerbPlaces",
    "Vocabulary",
    "load_vocabulary",
]

COMPILED_PATH = Path(__file__).parent / "vocabularies" / "compiled.json"
LATIN_LANGUAGES = ("en", "pt", "es", "de", "fr", "ru")
UNSPACED_LANGUAGES = ("ja", "zh")
_LONGEST_STEM = 24
_MOST_REMEMBERED = 4096


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
    """Compiled word tables; `exact`, `stems` and `endings` are keyed by folded word, `phrases` by their first word.

    What they give are positions in `rows`, which hold the fields of a `Sense`.
    """

    meanings: Meanings
    rows: Sequence[Sequence[Any]]
    exact: Mapping[str, Sequence[int]]
    stems: Mapping[str, Sequence[int]]
    endings: Mapping[str, Sequence[int]]
    phrases: Mapping[str, Sequence[tuple[Sequence[str], int]]]
    runs: Mapping[str, Sequence[int]]
    longest_run: Mapping[str, int]
    longest_phrase: int
    lead_ins: Mapping[str, frozenset[tuple[str, ...]]]
    connectors: Mapping[str, frozenset[str]]
    verb_places: Mapping[str, VerbPlaces]
    remembered: dict[str, tuple[Sense, ...]] = field(default_factory=dict)

    def senses_of(self, word: str) -> tuple[Sense, ...]:
        """All readings of one folded word, whole-word entries before stems and endings."""
        senses = self.remembered.get(word)
        if senses is None:
            senses = self._look_up(word)
            if len(self.remembered) < _MOST_REMEMBERED:
                self.remembered[word] = senses
        return senses

    def senses_of_run(self, run: str) -> tuple[Sense, ...]:
        """All readings of a folded run of an unspaced script."""
        return self._senses(self.runs.get(run, ()))

    def sense(self, position: int) -> Sense:
        """The reading at a position of `rows`."""
        return Sense(*self.rows[position])

    def _look_up(self, word: str) -> tuple[Sense, ...]:
        found = list(self.exact.get(word, ()))
        for length in range(min(len(word), _LONGEST_STEM), 2, -1):
            found.extend(self.stems.get(word[:length], ()))
        for length in range(4, min(len(word), _LONGEST_STEM)):
            found.extend(self.endings.get(word[-length:], ()))
        return self._senses(found)

    def _senses(self, positions: Sequence[int]) -> tuple[Sense, ...]:
        return tuple([self.sense(position) for position in positions])


def _read_meanings(table: Mapping[str, Any]) -> Meanings:
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


@cache
def load_vocabulary() -> Vocabulary:
    """The vocabulary of every language, read on first use."""
    tables = json.loads(COMPILED_PATH.read_text("utf-8"))
    return Vocabulary(
        meanings=_read_meanings(tables["meanings"]),
        rows=tables["rows"],
        exact=tables["exact"],
        stems=tables["stems"],
        endings=tables["endings"],
        phrases=tables["phrases"],
        runs=tables["runs"],
        longest_run=tables["longest_run"],
        longest_phrase=tables["longest_phrase"],
        lead_ins={language: frozenset(map(tuple, words)) for language, words in tables["lead_ins"].items()},
        connectors={language: frozenset(words) for language, words in tables["connectors"].items()},
        verb_places={
            language: VerbPlaces(frozenset(verbs), frozenset(nouns))
            for language, (verbs, nouns) in tables["verb_places"].items()
        },
    )
