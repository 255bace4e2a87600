"""Turns a task in plain words into a structured intent."""

import re

from ctxsieve.intent.classify import Verdict, weigh_evidence
from ctxsieve.intent.folding import normalise
from ctxsieve.intent.keywords import find_keywords
from ctxsieve.intent.model import Scope, StructuredIntent, TaskType
from ctxsieve.intent.reading import Reading, read_words
from ctxsieve.intent.specificity import measure_specificity
from ctxsieve.intent.split import split_clauses
from ctxsieve.intent.targets import KnownPaths, Mention, find_mentions
from ctxsieve.intent.vocabulary import Meanings, Vocabulary, load_vocabulary
from ctxsieve.patterns import lazy_pattern
from ctxsieve.values import dataclass, replace

__all__ = ["parse_intent"]

# People ask at the beginning or at the end of what they paste.
_HEAD_CHARACTERS = 4000
_TAIL_CHARACTERS = 1000
_TRACE = lazy_pattern(
    r"Traceback \(most recent|^\s+at .+:\d+|panicked at|^error(\[E\d+\])?:|\bException\b", re.MULTILINE
)
_URGENCY = {
    TaskType.FIX_BUG: 0.8,
    TaskType.DEPLOY: 0.6,
    TaskType.TEST: 0.5,
    TaskType.CONFIG: 0.5,
    TaskType.GENERATE: 0.5,
    TaskType.REVIEW: 0.5,
    TaskType.REFACTOR: 0.4,
    TaskType.EXPLORE: 0.3,
    TaskType.DOCUMENT: 0.3,
}
_URGENT, _RELAXED = 0.2, -0.3
_WIDE_TO_NARROW = (Scope.PROJECT_WIDE, Scope.CROSS_MODULE, Scope.MULTI_FILE, Scope.SINGLE_FILE)
_CERTAIN_ENOUGH_FOR_A_PART = 0.3


@dataclass(frozen=True, slots=True)
class _Prompt:
    """What the clauses of one prompt share; positions in `prose` hold for mentions and words."""

    prose: str
    mentions: list[Mention]
    reading: Reading
    vocabulary: Vocabulary


def parse_intent(task: str, *, known_paths: KnownPaths | None = None) -> StructuredIntent:
    """The intent of `task`.

    Args:
        task: What the user wrote, in any of the languages, up to any length: of a long text the first 4,000 and the
            last 1,000 characters are read.
        known_paths: Paths of the project, or a predicate for them; words that are such a path become targets even
            if they do not look like one.
    """
    vocabulary = load_vocabulary()
    text = normalise(_bounded(task))
    mentions, prose = find_mentions(text, vocabulary.meanings, known_paths)
    prompt = _Prompt(prose, mentions, read_words(prose, vocabulary), vocabulary)
    whole = _parse_span(prompt, 0, len(prose), has_trace=_TRACE.search(text) is not None)
    parts = _parse_parts(prompt)
    if not parts:
        return whole
    lead = parts[0]
    return replace(
        whole, task_type=lead.task_type, confidence=lead.confidence, action_verb=lead.action_verb, parts=parts
    )


def _bounded(task: str) -> str:
    if len(task) <= _HEAD_CHARACTERS + _TAIL_CHARACTERS:
        return task
    return task[:_HEAD_CHARACTERS] + "\n" + task[-_TAIL_CHARACTERS:]


def _parse_span(prompt: _Prompt, start: int, end: int, *, has_trace: bool = False) -> StructuredIntent:
    meanings = prompt.vocabulary.meanings
    reading = prompt.reading.between(start, end)
    mentions = [mention for mention in prompt.mentions if start <= mention.start < end]
    concepts = [concept for mention in mentions if (concept := _file_concept(mention.name.lower(), meanings))]
    verdict = weigh_evidence(reading, prompt.vocabulary, [*concepts, *(["symptom"] if has_trace else [])])
    targets = tuple(dict.fromkeys(mention.name for mention in mentions))
    paths = {mention.name for mention in mentions if mention.is_path}
    scope = _scope(reading, paths, targets)
    keywords = find_keywords(reading, prompt.prose, targets, meanings)
    return StructuredIntent(
        task_type=verdict.task_type,
        confidence=verdict.confidence,
        targets=targets,
        scope=scope,
        language=_language(reading, mentions, meanings),
        urgency=_urgency(reading, verdict),
        action_verb=verdict.action_verb,
        keywords=keywords,
        specificity=measure_specificity(
            has_action=verdict.evidence[verdict.task_type] > 0.0,
            keyword_count=len(keywords),
            path_count=len(paths),
            symbol_count=len(targets) - len(paths),
            scope=scope,
        ),
        prompt_language=reading.language,
    )


def _file_concept(path: str, meanings: Meanings) -> str | None:
    """What kind of work the name of a target tells of, if any."""
    concept = meanings.file_concepts.get(path.rpartition("/")[2])
    if concept is None and (path.startswith("docs/") or path.endswith((".md", ".rst", ".adoc"))):
        return "prose"
    return concept


def _parse_parts(prompt: _Prompt) -> tuple[StructuredIntent, ...]:
    """One intent per run of clauses of the same type; none if the prompt asks for one thing."""
    clauses = split_clauses(prompt.prose, prompt.reading, prompt.vocabulary)
    if len(clauses) < 2:
        return ()
    groups: list[tuple[int, int, TaskType]] = []
    for clause in clauses:
        part = _parse_span(prompt, clause.start, clause.end)
        if groups and not prompt.reading.between(*groups[-1][:2]).names("actions"):
            # A clause that asks for nothing is what the next request is about.
            groups[-1] = (groups[-1][0], clause.end, part.task_type)
        elif groups and (part.task_type is groups[-1][2] or part.confidence < _CERTAIN_ENOUGH_FOR_A_PART):
            groups[-1] = (groups[-1][0], clause.end, groups[-1][2])
        else:
            groups.append((clause.start, clause.end, part.task_type))
    if len(groups) < 2:
        return ()
    return tuple(_parse_span(prompt, start, end) for start, end, _ in groups)


def _scope(reading: Reading, paths: set[str], targets: tuple[str, ...]) -> Scope:
    """What the words say, widest first; else one file for one target and several files otherwise."""
    said = set(reading.names("scope"))
    for scope in _WIDE_TO_NARROW:
        if scope.value in said:
            return scope
    if len({path.split("/")[0] for path in paths if "/" in path}) > 2:
        return Scope.CROSS_MODULE
    if len(paths) == 1 or (not paths and len(targets) == 1):
        return Scope.MULTI_FILE if next(iter(paths), "").endswith("/") else Scope.SINGLE_FILE
    return Scope.MULTI_FILE


def _language(reading: Reading, mentions: list[Mention], meanings: Meanings) -> str | None:
    """The language of the first path that has one, else the one that the words name."""
    for mention in mentions:
        language = meanings.extensions.get(mention.name.rpartition(".")[2].lower()) if mention.is_path else None
        if language is not None:
            return language
    for word in reading.words:
        if word.text in meanings.language_names:
            return meanings.language_names[word.text]
    return None


def _urgency(reading: Reading, verdict: Verdict) -> float:
    said = set(reading.names("urgency"))
    change = _URGENT * ("high" in said) + _RELAXED * ("low" in said)
    return round(min(1.0, max(0.0, _URGENCY[verdict.task_type] + change)), 2)
