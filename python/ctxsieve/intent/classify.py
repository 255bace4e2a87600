"""Weighs the evidence for each task type in one clause."""

import math
from collections.abc import Mapping, Sequence

from ctxsieve.intent.model import TaskType
from ctxsieve.intent.reading import Reading
from ctxsieve.intent.vocabulary import Meanings, VerbPlaces, Vocabulary
from ctxsieve.values import dataclass

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
    verbs, doubtful = _actions(reading, vocabulary.verb_places)
    leading = _leading_action(verbs, reading.language, meanings)
    strength = meanings.actions[leading].weight if leading else 0.0
    evidence = dict.fromkeys(TaskType, 0.0)
    for action in dict.fromkeys([*verbs, *doubtful]):
        meaning = meanings.actions[action]
        evidence[meaning.task_type] += meaning.weight * (1.0 if action == leading else _LATER_VERB_SHARE)
    share = _OBJECT_SHARE_UNDER_STRONG_VERB if strength >= _STRONG else 1.0
    for name, count in _count_objects(reading, file_concepts).items():
        concept = meanings.concepts[name]
        gain = concept.weight * (1.0 + _REPEATED_SHARE * min(count - 1, 1))
        evidence[concept.task_type] += gain * (1.0 if concept.decisive else share)
    best = max(TaskType, key=lambda task_type: evidence[task_type])
    return Verdict(best, _confidence(evidence, best), _verb(verbs, leading, best, meanings), evidence)


def _actions(reading: Reading, places: Mapping[str, VerbPlaces]) -> tuple[list[str], list[str]]:
    """The verbs in order, and those that may be nouns or describe ("the list", "it shows") where position tells."""
    verbs: list[str] = []
    doubtful: list[str] = []
    place = places.get(reading.language)
    previous = ""
    for word in reading.words:
        sense = next((sense for sense in word.senses if sense.section == "actions"), None)
        if sense is not None and not (place and previous in place.before_a_noun):
            in_place = place is None or (previous in place.before_a_verb and (sense.is_base or not previous))
            (verbs if in_place else doubtful).append(sense.name)
        previous = word.text
    return verbs, doubtful


def _leading_action(verbs: list[str], language: str, meanings: Meanings) -> str | None:
    """The first strong verb, or the first of all if it makes something; verbs come last in Japanese."""
    ordered = verbs[::-1] if language == "ja" else verbs
    if ordered and not meanings.actions[ordered[0]].creates:
        for verb in ordered:
            if meanings.actions[verb].weight >= _STRONG:
                return verb
    return ordered[0] if ordered else None


def _count_objects(reading: Reading, file_concepts: Sequence[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    names = [sense.name for word in reading.words for sense in word.senses if sense.section == "concepts"]
    for name in [*names, *file_concepts]:
        counts[name] = counts.get(name, 0) + 1
    return counts


def _verb(verbs: list[str], leading: str | None, best: TaskType, meanings: Meanings) -> str:
    for action in verbs:
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
