"""The values that intent parsing returns."""

from enum import StrEnum

from ctxsieve.values import dataclass

__all__ = ["Scope", "StructuredIntent", "TaskType"]


class TaskType(StrEnum):
    """The nine kinds of work a task can ask for."""

    EXPLORE = "explore"
    GENERATE = "generate"
    FIX_BUG = "fix_bug"
    REFACTOR = "refactor"
    TEST = "test"
    REVIEW = "review"
    CONFIG = "config"
    DEPLOY = "deploy"
    DOCUMENT = "document"


class Scope(StrEnum):
    """How far a task reaches, from narrow to wide."""

    SINGLE_FILE = "single_file"
    MULTI_FILE = "multi_file"
    CROSS_MODULE = "cross_module"
    PROJECT_WIDE = "project_wide"


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredIntent:
    """What a task asks for (docs/intent.md).

    `confidence`, `urgency` and `specificity` lie in 0..1. `targets` are the paths and symbols that the task names,
    in order of appearance. `language` is the programming language (`Rust`), `prompt_language` the language the task
    is written in (`en`). `action_verb` is the English base form whatever the prompt's language, empty if there is
    none. `parts` holds the intents of a prompt that asks for several things, in order; it is empty for one intent,
    and parts have no parts.
    """

    task_type: TaskType
    confidence: float
    targets: tuple[str, ...] = ()
    scope: Scope = Scope.MULTI_FILE
    language: str | None = None
    urgency: float = 0.5
    action_verb: str = ""
    keywords: tuple[str, ...] = ()
    specificity: float = 0.0
    prompt_language: str = "en"
    parts: tuple["StructuredIntent", ...] = ()
