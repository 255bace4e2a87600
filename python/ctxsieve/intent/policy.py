"""What an intent asks of the layers after it."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from ctxsieve.intent.model import Scope, StructuredIntent, TaskType
from ctxsieve.values import dataclass

__all__ = ["IntentPolicy", "policy_for", "suggested_mode", "suggested_tests"]

_BETA_PER_SPECIFICITY = 4.2 / 0.85
_LARGE_FILE_TOKENS = 2000
_CHANGES_CODE = (TaskType.FIX_BUG, TaskType.GENERATE, TaskType.REFACTOR, TaskType.TEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentPolicy:
    """How the pipeline serves an intent (docs/intent.md).

    `preferred_mode` is for files too large for `full`. `beta` concentrates the budget (docs/budget.md). `role_weights`
    multiply the relevance of files by role (`source`, `test`, `docs`, `config`, `example`); roles not listed keep
    theirs. `role_order` says which roles come first in the output. `keeps_error_lines_first` and
    `keeps_structure` steer the compression of a file.
    """

    preferred_mode: str
    beta: float
    role_weights: Mapping[str, float]
    role_order: tuple[str, ...]
    keeps_error_lines_first: bool = False
    keeps_structure: bool = False


@dataclass(frozen=True, slots=True)
class _Preset:
    mode: str
    weights: Mapping[str, float]
    order: tuple[str, ...]


_PRESETS: Mapping[TaskType, _Preset] = MappingProxyType(
    {
        TaskType.EXPLORE: _Preset("map", {"docs": 0.9, "test": 0.6}, ("source", "docs", "test")),
        TaskType.GENERATE: _Preset("signatures", {"test": 0.6, "example": 0.8}, ("source", "example", "test")),
        TaskType.FIX_BUG: _Preset("task", {"test": 0.8, "docs": 0.4}, ("source", "test", "config", "docs")),
        TaskType.REFACTOR: _Preset("task", {"test": 0.8, "docs": 0.3}, ("source", "test")),
        TaskType.TEST: _Preset("signatures", {"test": 1.2, "docs": 0.3}, ("test", "source")),
        TaskType.REVIEW: _Preset("task", {"test": 0.8, "docs": 0.5}, ("source", "test", "config")),
        TaskType.CONFIG: _Preset("task", {"config": 1.5, "test": 0.4}, ("config", "source", "docs")),
        TaskType.DEPLOY: _Preset("task", {"config": 1.5, "test": 0.3, "docs": 0.7}, ("config", "docs", "source")),
        TaskType.DOCUMENT: _Preset("signatures", {"docs": 1.3, "test": 0.5}, ("docs", "source", "example")),
    }
)


def policy_for(intent: StructuredIntent) -> IntentPolicy:
    """The policy of an intent; beta = 4.2 * specificity / .85.

    A prompt of several parts is served by the mode and order of its first, and by the highest weight that any part
    gives to a role.
    """
    kinds = [part.task_type for part in intent.parts] or [intent.task_type]
    preset = _PRESETS[intent.task_type]
    roles = dict.fromkeys(role for kind in kinds for role in _PRESETS[kind].weights)
    return IntentPolicy(
        preferred_mode=preset.mode,
        beta=_BETA_PER_SPECIFICITY * intent.specificity,
        role_weights=MappingProxyType({r: max(_PRESETS[kind].weights.get(r, 1.0) for kind in kinds) for r in roles}),
        role_order=preset.order,
        keeps_error_lines_first=TaskType.FIX_BUG in kinds,
        keeps_structure=intent.task_type in (TaskType.EXPLORE, TaskType.DOCUMENT),
    )


def suggested_mode(intent: StructuredIntent, *, file_tokens: int | None = None, is_target: bool = False) -> str:
    """The reading mode that fits the intent, before budget and pressure are known.

    A file of unknown size counts as large. Small files of work that edits them are best read in full.
    """
    preset = _PRESETS[intent.task_type]
    is_small = file_tokens is not None and file_tokens <= _LARGE_FILE_TOKENS
    if is_small and (is_target or intent.task_type in (TaskType.FIX_BUG, TaskType.REFACTOR, TaskType.REVIEW)):
        return "full"
    if intent.task_type is TaskType.EXPLORE and intent.scope is Scope.PROJECT_WIDE:
        return "map"
    return preset.mode


def suggested_tests(
    intent: StructuredIntent,
    *,
    test_candidates: Callable[[str], Sequence[str]] | None = None,
    exists: Callable[[str], bool] | None = None,
) -> tuple[str, ...]:
    """One test path for each file that a change touches: the first candidate that exists, else the first of all.

    Args:
        intent: Targets of fix_bug, generate, refactor and test tasks are considered.
        test_candidates: Conventional test paths of a source path, the likeliest first; by default the conventions
            of the file's language.
        exists: Whether a path is part of the project; without it the convention alone decides.
    """
    if intent.task_type not in _CHANGES_CODE:
        return ()
    if test_candidates is None:
        # The language tables are loaded only where a test is asked for: reading a prompt does without them.
        from ctxsieve.languages import candidate_test_paths

        test_candidates = candidate_test_paths
    suggestions: list[str] = []
    for target in intent.targets:
        candidates = test_candidates(target)
        if candidates and target not in candidates:
            existing = [path for path in candidates if exists is not None and exists(path)]
            suggestions.append((existing or list(candidates))[0])
    return tuple(dict.fromkeys(suggestions))
