"""Weighs the evidence for each task type in one clause."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ctxsieve.intent.model import TaskType
from ctxsieve.intent.reading import Reading
from ctxsieve.intent.vocabulary import Meanings, VerbPlaces, Vocabulary

__all__ = ["Verdict", "weigh_evidence"]

# A verb this strong says what is wanted; below it ("add", "write", "update") the object decides.
_STRONG = 1.6
_OBJECT_SHARE_UNDER_STRONG_VERB = 0.35
_LATER_VERB_SHARE = 0.35
_REPEATED_SHARE = 0.5
_HIGHEST_CONFIDENCE = 0.95
_LOWEST_CONFIDENCE = 0.1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The winning type with its confidence, the verb that spoke for it, and all the evidence."""

    task_type: TaskType
    confidence: float
    action_verb: str
    evidence: dict[TaskType, float]


def weigh_evidence(reading: Reading, vocabulary: Vocabulary, file_concepts: Sequence[str] = ()) -> Verdict:
    """The task type for which verbs, objects and file names speak most; ties go to the order of `TaskType`.

    The leading verb counts in full, later ones at a share. Objects count in full under a weak verb ("add tests")
    and at a share under a strong one ("refactor the tests").
    """
    meanings = vocabulary.meanings
    actions = _actions(reading, vocabulary.verb_places)
    leading = _leading_action(actions, reading.language, meanings)
    strength = meanings.actions[leading].weight if leading else 0.0
    evidence = dict.fromkeys(TaskType, 0.0)
    for action in dict.fromkeys(actions):
        meaning = meanings.actions[action]
        evidence[meaning.task_type] += meaning.weight * (1.0 if action == leading else _LATER_VERB_SHARE)
    share = _OBJECT_SHARE_UNDER_STRONG_VERB if strength >= _STRONG else 1.0
    for task_type, weight in _objects(reading, meanings, file_concepts).items():
        evidence[task_type] += weight * share
    best = max(TaskType, key=lambda task_type: evidence[task_type])
    return Verdict(best, _confidence(evidence, best), _verb(actions, leading, best, meanings), evidence)


def _actions(reading: Reading, places: Mapping[str, VerbPlaces]) -> list[str]:
    """The verbs in order; where position tells verbs from nouns, those in doubtful positions go last."""
    verbs: list[str] = []
    doubtful: list[str] = []
    place = places.get(reading.language)
    previous = ""
    for word in reading.words:
        action = next((sense.name for sense in word.senses if sense.section == "actions"), None)
        if action is not None and not (place and previous in place.before_a_noun):
            (verbs if place is None or previous in place.before_a_verb else doubtful).append(action)
        previous = word.text
    return verbs + doubtful


def _leading_action(actions: list[str], language: str, meanings: Meanings) -> str | None:
    """The first strong verb, or the last where verbs come last; without a strong one the first of any strength."""
    strong = [action for action in actions if meanings.actions[action].weight >= _STRONG]
    if strong:
        return strong[-1] if language == "ja" else strong[0]
    return actions[0] if actions else None


def _objects(reading: Reading, meanings: Meanings, file_concepts: Sequence[str]) -> dict[TaskType, float]:
    names = [sense.name for word in reading.words for sense in word.senses if sense.section == "concepts"]
    counts: dict[str, int] = {}
    for name in [*names, *file_concepts]:
        counts[name] = counts.get(name, 0) + 1
    weights: dict[TaskType, float] = {}
    for name, count in counts.items():
        meaning = meanings.concepts[name]
        gain = meaning.weight * (1.0 + _REPEATED_SHARE * min(count - 1, 1))
        weights[meaning.task_type] = weights.get(meaning.task_type, 0.0) + gain
    return weights


def _verb(actions: list[str], leading: str | None, best: TaskType, meanings: Meanings) -> str:
    for action in actions:
        if meanings.actions[action].task_type is best and meanings.actions[action].weight >= _STRONG:
            return action
    return leading or ""


def _confidence(evidence: dict[TaskType, float], best: TaskType) -> float:
    """The winner's share of the two strongest, discounted where there is little evidence at all."""
    top = evidence[best]
    if top <= 0.0:
        return _LOWEST_CONFIDENCE
    second = max(weight for task_type, weight in evidence.items() if task_type is not best)
    raw = top / (top + second) * (1.0 - math.exp(-1.4 * top))
    return round(min(_HIGHEST_CONFIDENCE, max(_LOWEST_CONFIDENCE, raw)), 2)
