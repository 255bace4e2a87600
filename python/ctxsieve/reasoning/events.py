"""The events of a run. A run is nothing but its events: `RunState` folds them, the journal keeps them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from ctxsieve.errors import InputError
from ctxsieve.reasoning.configuration import StrictConfig
from ctxsieve.reasoning.hydration_plan import PreHydrationConfig
from ctxsieve.reasoning.profiles import ToolProfile
from ctxsieve.reasoning.progress import StepIterationConfig, StopReason
from ctxsieve.values import dataclass

__all__ = [
    "ActionFinished",
    "ActionStarted",
    "ContextAdded",
    "Event",
    "Gated",
    "LoopConfig",
    "PreHydrationComplete",
    "Reasoned",
    "RequestedCall",
    "RunStarted",
    "StepLimitReached",
    "Terminated",
    "TerminationReason",
    "read_event",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopConfig(StrictConfig):
    """What a run may do. Everything is off by default; absent parts stay absent in JSON.

    Attributes:
        max_steps: How often the model is asked.
        tool_profile: Applied by the runner to the tool list and at every call.
        step_iteration: For the coordinator, which makes a tracker of it; the runner itself stops no step.
        pre_hydration: Done by the runner before the model is asked first.
    """

    max_steps: int = 25
    tool_profile: ToolProfile | None = None
    step_iteration: StepIterationConfig | None = None
    pre_hydration: PreHydrationConfig | None = None

    def _check(self) -> None:
        if self.max_steps < 1:
            raise InputError(f"max_steps is {self.max_steps}: it must be 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedCall(StrictConfig):
    """A tool call that the model asks for; its id is unique in the run."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]


class TerminationReason(StrEnum):
    """How a run ended."""

    ANSWERED = "answered"
    MAX_STEPS = "max_steps"
    ABORTED = "aborted"
    ESCALATED = "escalated"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(StrictConfig):
    """The first event: everything that the caller gave, and the tools that the profile admitted."""

    task: str
    config: LoopConfig
    tools: tuple[str, ...]
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PreHydrationComplete(StrictConfig):
    """What pre-hydration found; the rest of `references_found` was skipped."""

    references_found: int
    references_resolved: int
    references_failed: int
    total_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextAdded(StrictConfig):
    """The pre-hydrated block, a message of its own before the first answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasoned(StrictConfig):
    """What the model answered; without calls it is the final answer."""

    text: str
    calls: tuple[RequestedCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gated(StrictConfig):
    """Whether a call may be made; a denied one is over."""

    call_id: str
    allowed: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionStarted(StrictConfig):
    """The executor is about to run: without an ActionFinished after it, nobody knows what took effect."""

    call_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFinished(StrictConfig):
    """What the executor gave back."""

    call_id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLimitReached(StrictConfig):
    """The coordinator stopped a step."""

    step_id: str
    attempts: int
    reason: StopReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminated(StrictConfig):
    """The last event, on every way out."""

    reason: TerminationReason
    detail: str = ""


Event = (
    RunStarted
    | PreHydrationComplete
    | ContextAdded
    | Reasoned
    | Gated
    | ActionStarted
    | ActionFinished
    | StepLimitReached
    | Terminated
)
_KINDS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in Event.__args__}


def read_event(kind: str, payload: Mapping[str, Any]) -> Event:
    """Return the typed event; an unknown kind or a payload that does not fit it is an InputError."""
    if kind not in _KINDS:
        raise InputError(f"the event kind is {kind!r}: it must be one of {', '.join(_KINDS)}")
    return _KINDS[kind].from_dict(payload)
