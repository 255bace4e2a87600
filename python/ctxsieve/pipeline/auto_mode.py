"""Which mode a file is read in where the reader leaves it open (SPEC 5)."""

from collections.abc import Callable
from dataclasses import dataclass

from ctxsieve.compress import Mode
from ctxsieve.intent import StructuredIntent, suggested_mode
from ctxsieve.pipeline.read_options import AutoOptions

__all__ = ["ModeChoice", "choose_read_mode"]

# From rich to poor; where a mode does not fit the budget, the next one is tried.
_LADDER = (Mode.FULL, Mode.AGGRESSIVE, Mode.TASK, Mode.ENTROPY, Mode.SIGNATURES, Mode.MAP, Mode.REFERENCE)


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """A mode and why it was chosen."""

    mode: Mode
    reason: str


def choose_read_mode(
    path: str,
    file_tokens: int,
    *,
    intent: StructuredIntent | None,
    budget_tokens: int | None,
    options: AutoOptions,
    cost_of: Callable[[Mode], int],
) -> ModeChoice:
    """Return the mode by size, intent and budget, in this order of growing weight.

    Args:
        path: the file.
        file_tokens: its size.
        intent: what the task asks for; None where no task is named.
        budget_tokens: what the file may cost; None for no bound.
        options: limits.
        cost_of: the tokens of the file in a mode.
    """
    choice = _by_intent(path, file_tokens, intent, options)
    if budget_tokens is None or cost_of(choice.mode) <= budget_tokens:
        return choice
    for mode in _LADDER[_LADDER.index(choice.mode) + 1 :]:
        if mode is Mode.TASK and intent is None:
            continue
        if cost_of(mode) <= budget_tokens:
            return ModeChoice(mode, f"auto: {choice.mode} does not fit in {budget_tokens} tokens")
    return ModeChoice(Mode.REFERENCE, f"auto: nothing else fits in {budget_tokens} tokens")


def _by_intent(path: str, file_tokens: int, intent: StructuredIntent | None, options: AutoOptions) -> ModeChoice:
    if file_tokens <= options.small_tokens:
        return ModeChoice(Mode.FULL, f"auto: small ({file_tokens} tokens)")
    if intent is None:
        return ModeChoice(Mode.MAP, f"auto: no task is named, {file_tokens} tokens")
    is_target = any(path == target or path.endswith(f"/{target}") for target in intent.targets)
    mode = Mode(suggested_mode(intent, file_tokens=file_tokens, is_target=is_target))
    target = ", the task names it" if is_target else ""
    return ModeChoice(mode, f"auto: {intent.task_type} task, {file_tokens} tokens{target}")
