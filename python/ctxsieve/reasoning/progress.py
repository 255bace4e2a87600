"""Telling a loop that gets nowhere from one that advances, step by step, without reading a clock."""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self

from ctxsieve.errors import InputError
from ctxsieve.reasoning.configuration import StrictConfig
from ctxsieve.reasoning.error_text import compare_texts, count_failing_tests, normalise_error
from ctxsieve.values import dataclass, replace

__all__ = [
    "Attempt",
    "LimitAction",
    "Outcome",
    "ProgressDecision",
    "ProgressTracker",
    "StepIterationConfig",
    "StopReason",
    "Verdict",
]

LONGEST_PERIOD = 3
# A step that merely polls gives the same answer twice; three times is a loop.
_UNFINISHED_REPEATS = 3
_WINDOW = 2 * LONGEST_PERIOD
_FIRST_BACKOFF_SECONDS = 1.0
_LONGEST_BACKOFF_SECONDS = 30.0


class LimitAction(StrEnum):
    """What the coordinator does with a step that was stopped."""

    SKIP_STEP = "skip_step"
    ABORT_TASK = "abort_task"
    ESCALATE = "escalate"


class Outcome(StrEnum):
    """How an attempt ended: the step is done, it failed, or it ran and the step goes on."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    UNFINISHED = "unfinished"


class Verdict(StrEnum):
    """Whether the step may be attempted again."""

    CONTINUE = "continue"
    STOP = "stop"


class StopReason(StrEnum):
    """Why a step was stopped."""

    STUCK = "stuck"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepIterationConfig(StrictConfig):
    """When a step is stopped.

    Attributes:
        max_reattempts_per_step: The failed attempt of this number is the last one: 2 stops at the second failure. A
            failure is only known after it happened, so 0 and 1 both stop at the first.
        similarity_threshold: From this similarity (0 to 1) on, two errors are the same error.
        on_limit_reached: What a stop advises.
    """

    max_reattempts_per_step: int = 2
    similarity_threshold: float = 0.85
    on_limit_reached: LimitAction = LimitAction.SKIP_STEP

    def _check(self) -> None:
        if self.max_reattempts_per_step < 0:
            raise InputError(f"max_reattempts_per_step is {self.max_reattempts_per_step}: it must be 0 or more")
        if not 0 <= self.similarity_threshold <= 1:
            raise InputError(f"similarity_threshold is {self.similarity_threshold}: it must be between 0 and 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt(StrictConfig):
    """One attempt at a step, as the caller saw it.

    Attributes:
        outcome: Said by the caller, never guessed from the text.
        text: The error or the output, as long as it may be.
        action: What was tried, where the caller knows (a tool call, a command).
        failing_tests: How many tests fail now; where None, the text's own summary line is read.
    """

    outcome: Outcome
    text: str = ""
    action: str | None = None
    failing_tests: int | None = None

    def _check(self) -> None:
        if self.failing_tests is not None and self.failing_tests < 0:
            raise InputError(f"failing_tests is {self.failing_tests}: it must be 0 or more")


@dataclass(frozen=True, slots=True)
class ProgressDecision:
    """What to do after an attempt.

    Attributes:
        reasons: Empty on continue; `stuck` stands before `limit` where both hold.
        similarity: Of this error to the one before, where both have text.
        period: The length of the loop when stuck: 1 the same again, 2 A/B/A/B, 3 A/B/C/A/B/C.
        backoff_seconds: How long to wait before the next attempt: 1, 2, 4 ... 30 after failures, otherwise 0.
    """

    step_id: str
    verdict: Verdict
    reasons: tuple[StopReason, ...]
    attempts: int
    similarity: float | None
    period: int | None
    limit_action: LimitAction | None
    backoff_seconds: float
    detail: str

    @property
    def reason(self) -> StopReason | None:
        """The first reason, or None on continue."""
        return self.reasons[0] if self.reasons else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record(StrictConfig):
    """What is remembered of an attempt: the normalised text, and a digest of the action."""

    outcome: Outcome
    text: str
    action: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step(StrictConfig):
    config: StepIterationConfig
    failed_attempts: int = 0
    fewest_failing_tests: int | None = None
    stopped: tuple[StopReason, ...] = ()
    window: tuple[_Record, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _TrackerState(StrictConfig):
    version: int
    config: StepIterationConfig
    steps: Mapping[str, _Step]


class ProgressTracker:
    """Counts and compares the attempts at each step; for coordinators, one instance per task.

    Memory is bounded per step: the last six attempts, at most 8 KiB of each. Not meant for use by several threads at
    once.
    """

    def __init__(self, config: StepIterationConfig | None = None) -> None:
        self.config = config or StepIterationConfig()
        self._steps: dict[str, _Step] = {}

    def begin_step(self, step_id: str, *, config: StepIterationConfig | None = None) -> None:
        """Start a step afresh, with limits of its own where `config` is given; forgets earlier attempts at it."""
        if not isinstance(step_id, str) or not step_id:
            raise InputError(f"step_id is {step_id!r}: it must be text")
        self._steps[step_id] = _Step(config=config or self.config)

    def record_and_check(self, step_id: str, attempt: Attempt) -> ProgressDecision:
        """Record an attempt and say whether another one is worth it; an unknown step begins itself.

        After a stop the step stays stopped until `begin_step`. A success ends the step and clears its history.
        """
        if step_id not in self._steps:
            self.begin_step(step_id)
        step = self._steps[step_id]
        if step.stopped:
            return self._stop(step_id, step, step.stopped, None, None, "it was stopped before")
        if attempt.outcome is Outcome.SUCCEEDED:
            self.begin_step(step_id, config=step.config)
            return _go_on(step_id, step.failed_attempts, None, 0.0, "the step is done")
        step, has_advanced = _with_attempt(step, attempt)
        similarity = _last_similarity(step.window)
        period = None if has_advanced else _loop_period(step.window, similarity, step.config.similarity_threshold)
        reasons = _reasons(step, attempt, period)
        self._steps[step_id] = replace(step, stopped=reasons)
        if reasons:
            return self._stop(step_id, step, reasons, similarity, period, _describe(step, reasons, similarity, period))
        wait = _backoff_seconds(step.failed_attempts) if attempt.outcome is Outcome.FAILED else 0.0
        detail = "fewer tests fail than ever before" if has_advanced else "neither limit nor loop"
        return _go_on(step_id, step.failed_attempts, similarity, wait, detail)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as plain JSON values."""
        return _TrackerState(version=1, config=self.config, steps=self._steps).to_dict()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Resume from `to_dict`; unknown keys and other versions are InputErrors."""
        state = _TrackerState.from_dict(values)
        if state.version != 1:
            raise InputError(f"the tracker's version is {state.version}: this release reads 1")
        tracker = cls(state.config)
        tracker._steps = dict(state.steps)
        return tracker

    def _stop(
        self,
        step_id: str,
        step: _Step,
        reasons: tuple[StopReason, ...],
        similarity: float | None,
        period: int | None,
        detail: str,
    ) -> ProgressDecision:
        action = step.config.on_limit_reached
        attempts = step.failed_attempts
        return ProgressDecision(step_id, Verdict.STOP, reasons, attempts, similarity, period, action, 0.0, detail)


def _go_on(
    step_id: str, attempts: int, similarity: float | None, backoff_seconds: float, detail: str
) -> ProgressDecision:
    return ProgressDecision(step_id, Verdict.CONTINUE, (), attempts, similarity, None, None, backoff_seconds, detail)


def _with_attempt(step: _Step, attempt: Attempt) -> tuple[_Step, bool]:
    """Return the step after the attempt, and whether fewer tests fail than in any attempt before."""
    failing = attempt.failing_tests
    if failing is None:
        failing = count_failing_tests(attempt.text)
    fewest = step.fewest_failing_tests
    has_advanced = failing is not None and fewest is not None and failing < fewest
    if failing is not None:
        fewest = failing if fewest is None else min(fewest, failing)
    action = None
    if attempt.action is not None:
        action = hashlib.sha256(attempt.action.encode("utf-8", "surrogatepass")).hexdigest()
    record = _Record(outcome=attempt.outcome, text=normalise_error(attempt.text), action=action)
    failed = step.failed_attempts + (attempt.outcome is Outcome.FAILED)
    window = (*step.window, record)[-_WINDOW:]
    return replace(step, failed_attempts=failed, fewest_failing_tests=fewest, window=window), has_advanced


def _reasons(step: _Step, attempt: Attempt, period: int | None) -> tuple[StopReason, ...]:
    reasons = [StopReason.STUCK] if period is not None else []
    limit = max(1, step.config.max_reattempts_per_step)
    if attempt.outcome is Outcome.FAILED and step.failed_attempts >= limit:
        reasons.append(StopReason.LIMIT)
    return tuple(reasons)


def _loop_period(window: tuple[_Record, ...], similarity: float | None, threshold: float) -> int | None:
    """Return the shortest period at which the end of the window repeats itself, or None."""
    if _repeats_itself(window, similarity, threshold):
        return 1
    for period in range(2, LONGEST_PERIOD + 1):
        recent = window[-2 * period :]
        if len(recent) == 2 * period and all(_is_same(recent[n], recent[n + period], threshold) for n in range(period)):
            return period
    return None


def _repeats_itself(window: tuple[_Record, ...], similarity: float | None, threshold: float) -> bool:
    """Two failures in a row with the same text, whatever was tried; or the same unfinished action three times."""
    if len(window) < 2:
        return False
    before, last = window[-2:]
    if last.outcome is Outcome.FAILED:
        if before.outcome is Outcome.FAILED and similarity is not None:
            return similarity >= threshold
        # Silence is no evidence of the same error, unless the same thing was done.
        return last.action is not None and _is_same(before, last, threshold)
    same = window[-_UNFINISHED_REPEATS:]
    return len(same) == _UNFINISHED_REPEATS and all(
        last.action is not None and _is_same(record, last, threshold) for record in same[:-1]
    )


def _is_same(first: _Record, second: _Record, threshold: float) -> bool:
    if first.outcome is not second.outcome or first.action != second.action:
        return False
    if first.action is None and (first.outcome is Outcome.UNFINISHED or not (first.text or second.text)):
        return False  # nothing is known that could be the same
    return compare_texts(first.text, second.text) >= threshold


def _last_similarity(window: tuple[_Record, ...]) -> float | None:
    texts = [record.text for record in window[-2:]]
    return compare_texts(*texts) if len(texts) == 2 and all(texts) else None


def _backoff_seconds(failed_attempts: int) -> float:
    # The exponent is bounded so that the power stays small whatever the count.
    return min(_LONGEST_BACKOFF_SECONDS, _FIRST_BACKOFF_SECONDS * 2.0 ** min(failed_attempts - 1, 10))


def _describe(step: _Step, reasons: tuple[StopReason, ...], similarity: float | None, period: int | None) -> str:
    words = []
    if StopReason.STUCK in reasons:
        alike = "" if similarity is None or period != 1 else f", {similarity:.2f} alike"
        words.append(f"stuck: a loop of period {period}{alike}")
    if StopReason.LIMIT in reasons:
        words.append(f"limit: {step.failed_attempts} failed attempts")
    return "; ".join(words)
