"""Which mode a file is read in where the reader leaves it open (docs/compression.md)."""

from collections.abc import Callable

from ctxsieve.compress import Mode
from ctxsieve.intent import StructuredIntent, suggested_mode
from ctxsieve.ledger import LedgerOptions, Pressure, pressure_of
from ctxsieve.pipeline.read_options import AutoOptions
from ctxsieve.values import dataclass, field, replace

__all__ = ["ModeChoice", "WindowState", "choose_read_mode"]

# What a file is downgraded to under pressure.
_OUTLINES = (Mode.SIGNATURES, Mode.MAP)
# From rich to poor; where a mode does not fit the budget, the next one is tried.
_LADDER = (Mode.FULL, Mode.AGGRESSIVE, Mode.TASK, Mode.ENTROPY, Mode.SIGNATURES, Mode.MAP, Mode.REFERENCE)


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """A mode and why it was chosen."""

    mode: Mode
    reason: str


@dataclass(frozen=True, slots=True)
class WindowState:
    """What a consumer's window holds, and its size, in tokens; `options` has the thresholds of pressure."""

    resident_tokens: int
    window_tokens: int
    options: LedgerOptions = field(default_factory=LedgerOptions)

    def with_more(self, tokens: int) -> "WindowState":
        """Return the window with something added."""
        return replace(self, resident_tokens=self.resident_tokens + tokens)

    @property
    def pressure(self) -> Pressure:
        """What the window asks for."""
        return pressure_of(self.resident_tokens, self.window_tokens, self.options)


def choose_read_mode(
    path: str,
    file_tokens: int,
    *,
    intent: StructuredIntent | None,
    budget_tokens: int | None,
    options: AutoOptions,
    cost_of: Callable[[Mode], int],
    window: WindowState | None = None,
) -> ModeChoice:
    """Return the mode by size, intent, pressure and budget, in this order of growing weight.

    Args:
        path: the file.
        file_tokens: its size.
        intent: what the task asks for; None where no task is named.
        budget_tokens: what the file may cost; None for no bound.
        options: limits.
        cost_of: the tokens of the file in a mode.
        window: the reader's window; None where it is not known.
    """
    choice = _by_intent(path, file_tokens, intent, options)
    if window is not None and file_tokens > options.small_tokens and not _is_target(path, intent):
        choice = _under_pressure(choice, window, cost_of)
    if budget_tokens is None or cost_of(choice.mode) <= budget_tokens:
        return choice
    for mode in _LADDER[_LADDER.index(choice.mode) + 1 :]:
        if mode is Mode.TASK and intent is None:
            continue
        if cost_of(mode) <= budget_tokens:
            return ModeChoice(mode, f"auto: {choice.mode} does not fit in {budget_tokens} tokens")
    return ModeChoice(Mode.REFERENCE, f"auto: nothing else fits in {budget_tokens} tokens")


def _under_pressure(choice: ModeChoice, window: WindowState, cost_of: Callable[[Mode], int]) -> ModeChoice:
    """Return an outline where the file as chosen would put the window under pressure, a line where that would, too.

    Files that the task names are protected, as in re-injection plans.
    """
    cost = cost_of(choice.mode)
    after = window.with_more(cost)
    if after.pressure is Pressure.NONE:
        return choice
    cheaper = [mode for mode in _OUTLINES if cost_of(mode) < cost]
    if after.pressure is Pressure.EVICT:
        cheaper = sorted(cheaper, key=cost_of)[:1]
        if not cheaper or window.with_more(cost_of(cheaper[0])).pressure is Pressure.EVICT:
            cheaper = [Mode.REFERENCE]
    if not cheaper:
        return choice
    percent = after.resident_tokens * 100 // window.window_tokens
    return ModeChoice(
        cheaper[0], f"auto: as {choice.mode} it would fill the window to {percent} % (pressure {after.pressure})"
    )


def _is_target(path: str, intent: StructuredIntent | None) -> bool:
    targets = () if intent is None else intent.targets
    return any(path == target or path.endswith(f"/{target}") for target in targets)


def _by_intent(path: str, file_tokens: int, intent: StructuredIntent | None, options: AutoOptions) -> ModeChoice:
    if file_tokens <= options.small_tokens:
        return ModeChoice(Mode.FULL, f"auto: small ({file_tokens} tokens)")
    if intent is None:
        return ModeChoice(Mode.MAP, f"auto: no task is named, {file_tokens} tokens")
    is_target = _is_target(path, intent)
    mode = Mode(suggested_mode(intent, file_tokens=file_tokens, is_target=is_target))
    target = ", the task names it" if is_target else ""
    return ModeChoice(mode, f"auto: {intent.task_type} task, {file_tokens} tokens{target}")
