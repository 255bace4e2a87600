"""Watching the progress of steps for a loop: tool calls become attempts, the verdicts of the tracker become stops."""

import hashlib
import json
from collections.abc import Callable
from typing import Protocol

from ctxsieve.reasoning.events import RequestedCall
from ctxsieve.reasoning.progress import (
    Attempt,
    Outcome,
    ProgressDecision,
    ProgressTracker,
    StepIterationConfig,
    Verdict,
)

__all__ = ["Coordinator", "ToolCoordinator", "name_step"]


class Coordinator(Protocol):
    """What the runner asks around an action."""

    def reason_to_refuse(self, call: RequestedCall) -> str | None:
        """Return why the call must not be made, or None."""

    def after_action(self, call: RequestedCall, text: str, *, is_error: bool) -> ProgressDecision:
        """Record how the action ended and decide about its step."""


def name_step(call: RequestedCall) -> str:
    """Return the name of the tool, with a digest of its arguments where it has some: the same call is the same step."""
    if not call.arguments:
        return call.name
    arguments = json.dumps(call.arguments, sort_keys=True)
    return f"{call.name}#{hashlib.sha256(arguments.encode()).hexdigest()[:8]}"


class ToolCoordinator:
    """Takes every distinct call for a step of its own, or what `step_of` says; a call that fails is a failed attempt.

    A stopped step is refused from then on, so by default only that very call is. A coarser `step_of`, such as the
    name of the tool or one step of a plan, also sees loops over different calls, and refuses more. A call that does
    not fail is unfinished work, so that repeating it without effect is seen; where `is_done` says so, it ends the step.
    """

    def __init__(
        self,
        config: StepIterationConfig | None = None,
        *,
        step_of: Callable[[RequestedCall], str] = name_step,
        is_done: Callable[[RequestedCall, str], bool] = lambda call, text: False,  # noqa: ARG005
    ) -> None:
        self.tracker = ProgressTracker(config)
        self._step_of = step_of
        self._is_done = is_done
        self._stopped: dict[str, str] = {}

    def reason_to_refuse(self, call: RequestedCall) -> str | None:
        """Return why the call must not be made: its step was stopped."""
        step = self._step_of(call)
        return f"the step {step} was stopped ({self._stopped[step]})" if step in self._stopped else None

    def after_action(self, call: RequestedCall, text: str, *, is_error: bool) -> ProgressDecision:
        """Record the attempt and return the tracker's decision."""
        outcome = Outcome.FAILED if is_error else Outcome.UNFINISHED
        if not is_error and self._is_done(call, text):
            outcome = Outcome.SUCCEEDED
        step = self._step_of(call)
        decision = self.tracker.record_and_check(step, Attempt(outcome=outcome, text=text, action=name_step(call)))
        if decision.verdict is Verdict.STOP:
            self._stopped[step] = decision.detail
        return decision
