"""The state of a run as a fold over its events: the same for a run that goes on, one that resumes, and a replay."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from ctxsieve.errors import InputError
from ctxsieve.reasoning.events import (
    ActionFinished,
    ActionStarted,
    ContextAdded,
    Event,
    Gated,
    PreHydrationComplete,
    Reasoned,
    RequestedCall,
    RunStarted,
    StepLimitReached,
    Terminated,
)
from ctxsieve.values import dataclass, field

__all__ = ["Message", "Role", "RunState", "replay_run"]


class Role(StrEnum):
    """Who says a message."""

    TASK = "task"
    CONTEXT = "context"
    MODEL = "model"
    TOOL = "tool"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation; tool messages name their call, model messages carry the calls asked for."""

    role: Role
    text: str
    call_id: str = ""
    is_error: bool = False
    calls: tuple[RequestedCall, ...] = ()


@dataclass(slots=True)
class RunState:
    """What is known of a run after some of its events.

    Attributes:
        messages: What the model sees, in order.
        steps: How often the model has answered.
        pending: Calls of the last answer that are not over, in order.
        in_flight: Ids of pending calls whose action has begun.
    """

    started: RunStarted | None = None
    has_block: bool = False
    is_hydrated: bool = False
    messages: list[Message] = field(default_factory=list)
    steps: int = 0
    pending: list[RequestedCall] = field(default_factory=list)
    in_flight: set[str] = field(default_factory=set)
    finished: list[tuple[RequestedCall, ActionFinished]] = field(default_factory=list)
    limits_reached: list[StepLimitReached] = field(default_factory=list)
    terminated: Terminated | None = None

    def apply(self, event: Event) -> None:
        """Take the next event.

        Raises:
            InputError: No such event can follow: the journal was changed, or written by something else.
        """
        if self.terminated is not None or (self.started is None) is not isinstance(event, RunStarted):
            raise InputError(f"the event {type(event).__name__} cannot stand here: a run starts once and ends once")
        match event:
            case RunStarted():
                self.started = event
                self.messages.append(Message(Role.TASK, event.task))
                self.messages += [Message(Role.CONTEXT, text) for text in event.context]
            case PreHydrationComplete():
                self.is_hydrated = True
            case ContextAdded():
                self.has_block = True
                self.messages.append(Message(Role.CONTEXT, event.text))
            case Reasoned():
                self._take_answer(event)
            case Gated() | ActionStarted() | ActionFinished():
                self._advance_call(event)
            case StepLimitReached():
                self.limits_reached.append(event)
                text = f"The step {event.step_id} was stopped after {event.attempts} failed attempts ({event.reason})."
                self.messages.append(Message(Role.NOTICE, text))
            case Terminated():
                self.terminated = event

    @property
    def answer(self) -> str | None:
        """The final answer, or None while there is none."""
        last = next((message for message in reversed(self.messages) if message.role is Role.MODEL), None)
        return None if last is None or last.calls else last.text

    def _take_answer(self, event: Reasoned) -> None:
        if self.pending:
            raise InputError("the model cannot have answered: calls of its last answer are open")
        self.steps += 1
        self.pending = list(event.calls)
        self.messages.append(Message(Role.MODEL, event.text, calls=event.calls))

    def _advance_call(self, event: Gated | ActionStarted | ActionFinished) -> None:
        call = next((call for call in self.pending if call.call_id == event.call_id), None)
        if call is None:
            raise InputError(f"the event {type(event).__name__} is about the call {event.call_id!r}, which is not open")
        if isinstance(event, Gated):
            if not event.allowed:
                self._finish(call, f"denied: {event.reason}", is_error=True)
        elif isinstance(event, ActionStarted):
            self.in_flight.add(call.call_id)
        else:
            self.finished.append((call, event))
            self._finish(call, event.text, is_error=event.is_error)

    def _finish(self, call: RequestedCall, text: str, *, is_error: bool) -> None:
        self.pending.remove(call)
        self.in_flight.discard(call.call_id)
        self.messages.append(Message(Role.TOOL, text, call.call_id, is_error))


def replay_run(events: Iterable[Event] | Sequence[Event]) -> RunState:
    """Return the state after the events; nothing is executed and no model is asked."""
    state = RunState()
    for event in events:
        state.apply(event)
    return state
