"""A small loop: observe, reason, gate, act. Model, executor and policy are the caller's; the journal has every step."""

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from ctxsieve.errors import InputError, StoreError, ToolDeniedError
from ctxsieve.reasoning.coordinator import Coordinator
from ctxsieve.reasoning.daemon_threads import call_without_blocking
from ctxsieve.reasoning.events import (
    ActionFinished,
    ActionStarted,
    ContextAdded,
    Event,
    Gated,
    LoopConfig,
    PreHydrationComplete,
    Reasoned,
    RequestedCall,
    RunStarted,
    StepLimitReached,
    Terminated,
    TerminationReason,
)
from ctxsieve.reasoning.gate import ToolGate
from ctxsieve.reasoning.hydration import ReferenceState
from ctxsieve.reasoning.hydration_plan import ToolCall
from ctxsieve.reasoning.journal import Journal, MemoryJournal
from ctxsieve.reasoning.prehydration import hydrate_task
from ctxsieve.reasoning.profiles import ToolProfile
from ctxsieve.reasoning.progress import LimitAction, ProgressDecision, Verdict
from ctxsieve.reasoning.resolvers import ToolTable
from ctxsieve.reasoning.run_state import Message, RunState, replay_run
from ctxsieve.reasoning.tool_adapters import describe_tool
from ctxsieve.reasoning.tool_results import read_result
from ctxsieve.reasoning.untrusted_text import one_line
from ctxsieve.values import dataclass, field, replace

__all__ = ["LoopResult", "ModelReply", "ModelTurn", "ReasoningLoopRunner", "ReplyCall"]

MAX_CALLS_PER_REPLY = 32
_INTERRUPTED = "interrupted: whether the action took effect is not known"
_ENDING_ACTIONS: Mapping[LimitAction | None, TerminationReason] = {
    LimitAction.ABORT_TASK: TerminationReason.ABORTED,
    LimitAction.ESCALATE: TerminationReason.ESCALATED,
}


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """What the model is asked: the conversation so far and the tools it may call."""

    messages: tuple[Message, ...]
    tools: tuple[Any, ...]
    step: int


@dataclass(frozen=True, slots=True)
class ReplyCall:
    """A call in a reply: a tool's name and its arguments, plain JSON values."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model answers: text, and the calls it wants made one after the other; without calls it is the answer."""

    text: str = ""
    calls: tuple[ReplyCall, ...] = ()


@dataclass(frozen=True, slots=True)
class LoopResult:
    """How a run ended; `answer` is None unless the model gave one."""

    reason: TerminationReason
    detail: str
    answer: str | None
    steps: int
    messages: tuple[Message, ...]


Model = Callable[[ModelTurn], ModelReply | Awaitable[ModelReply]]
Execute = Callable[[str, Mapping[str, Any]], Any]
Policy = Callable[[str, Mapping[str, Any]], bool | str | Awaitable[bool | str]]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class ReasoningLoopRunner:
    """Runs tasks with one set of tools.

    Attributes:
        model: Takes a ModelTurn, returns a ModelReply; plain or a coroutine function, as the others.
        execute: Takes a tool's name and arguments and returns its result in any shape that `read_result` knows. What it
            raises becomes an error message for the model. Pre-hydration calls a plain function from threads.
        tools: Tool definitions of any shape that `describe_tool` knows.
        config: What the run may do.
        policy: Says True, or False or a text with the reason against a call. When it raises, the call is denied.
        coordinator: Watches the steps; without one no step is ever stopped.
        hydration_tools: Tools for pre-hydration that the model does not see; names of `tools` serve as well.
    """

    model: Model
    execute: Execute
    tools: Sequence[Any]
    config: LoopConfig = field(default_factory=LoopConfig, kw_only=True)
    policy: Policy | None = field(default=None, kw_only=True)
    coordinator: Coordinator | None = field(default=None, kw_only=True)
    hydration_tools: ToolTable = field(default_factory=lambda: ToolTable({}), kw_only=True)

    async def run(self, task: str, *, journal: Journal | None = None, context: Sequence[str] = ()) -> LoopResult:
        """Run the task to its end, or go on where its journal stopped; a Terminated event ends it on every way out.

        Args:
            task: The task; a resumed run must have the same one.
            journal: Where the events go; in memory by default.
            context: Texts that stand between the task and the pre-hydrated block, each a message of its own.

        Raises:
            InputError: The journal belongs to another task or is at its end.
            Exception: What the model or the journal raises, after the run was marked as failed.
        """
        journal = MemoryJournal() if journal is None else journal
        run = _Run(self, task, journal)
        try:
            await run.start(context)
            await run.go_on()
        except (asyncio.CancelledError, KeyboardInterrupt, SystemExit, GeneratorExit) as error:
            run.terminate_after_error(TerminationReason.CANCELLED, type(error).__name__)
            raise
        except Exception as error:
            run.terminate_after_error(TerminationReason.FAILED, f"{type(error).__name__}: {one_line(str(error))}")
            raise
        return run.result()


class _Run:
    """One run: everything it does is first an event in the journal, then part of the state."""

    def __init__(self, runner: ReasoningLoopRunner, task: str, journal: Journal) -> None:
        self._runner = runner
        self._config = runner.config
        self._task = task
        self._journal = journal
        self._state: RunState = replay_run(journal.events())
        started, terminated = self._state.started, self._state.terminated
        if terminated is not None:
            raise InputError(f"the run has ended ({terminated.reason}): start a new one")
        if started is not None and (started.task, started.config) != (task, self._config):
            raise InputError("the journal belongs to a run with another task or configuration: start a new one")
        # A resumed run keeps the tools that it began with: what came since was not there to be judged.
        tools = [tool for tool in runner.tools if started is None or describe_tool(tool).name in started.tools]
        profile = self._config.tool_profile or ToolProfile.permissive()
        self._gate = ToolGate(profile, tools, task=task)
        names = runner.hydration_tools.names
        self._hydration_gate = ToolGate(replace(profile, max_tools=None), [{"name": name} for name in names])

    def _record(self, event: Event) -> None:
        self._journal.append(event)
        self._state.apply(event)

    async def start(self, context: Sequence[str]) -> None:
        """Record the beginning and pre-hydrate, as far as the journal does not have it."""
        if self._state.started is None:
            names = tuple(verdict.name for verdict in self._gate.verdicts if verdict.admitted)
            self._record(RunStarted(task=self._task, config=self._config, tools=names, context=tuple(context)))
        else:
            self._resume()
        if self._config.pre_hydration is not None and not self._state.is_hydrated and self._state.steps == 0:
            await self._hydrate()

    def _resume(self) -> None:
        """Bring the coordinator to where it was, and close an action that was interrupted."""
        decisions = [self._watch(call, end) for call, end in self._state.finished]
        stops = [decision for decision in decisions if decision is not None and decision.verdict is Verdict.STOP]
        if len(stops) > len(self._state.limits_reached):
            self._stop_step(stops[-1])
        elif stops:
            self._end_where_advised(stops[-1])
        for call in list(self._state.pending):
            if call.call_id in self._state.in_flight and self._state.terminated is None:
                self._finish_action(call, _INTERRUPTED, is_error=True)

    async def _hydrate(self) -> None:
        config = self._config.pre_hydration
        assert config is not None
        own, shared = self._runner.hydration_tools, self._gate

        async def execute(call: ToolCall) -> Any:
            gate = self._hydration_gate if call.tool in own.names else shared
            if (reason := await self._reason_to_deny(gate, call.tool, call.arguments)) is not None:
                raise ToolDeniedError(reason)
            if call.tool in own.names:
                return await call_without_blocking(own, call)
            return await call_without_blocking(self._runner.execute, call.tool, call.arguments)

        offered = {verdict.name for verdict in (*shared.verdicts, *self._hydration_gate.verdicts)}
        result = await hydrate_task(self._task, config, execute, tools=offered)
        # In this order a crash between the two events loses nothing.
        if result.text and not self._state.has_block:
            self._record(ContextAdded(text=result.text))
        self._record(
            PreHydrationComplete(
                references_found=len(result.outcomes),
                references_resolved=result.count(ReferenceState.RESOLVED),
                references_failed=result.count(ReferenceState.FAILED),
                total_tokens=result.tokens,
            )
        )

    async def go_on(self) -> None:
        """Alternate between asking the model and working off its calls until the run is over."""
        while self._state.terminated is None:
            if self._state.pending:
                await self._act(self._state.pending[0])
            elif self._state.answer is not None:
                self._record(Terminated(reason=TerminationReason.ANSWERED))
            elif self._state.steps >= self._config.max_steps:
                detail = f"the model was asked {self._config.max_steps} times"
                self._record(Terminated(reason=TerminationReason.MAX_STEPS, detail=detail))
            else:
                await self._reason()

    async def _reason(self) -> None:
        turn = ModelTurn(tuple(self._state.messages), self._gate.tools, self._state.steps + 1)
        reply = await _settle(self._runner.model(turn))
        if not isinstance(reply, ModelReply):
            raise InputError(f"the model returned {type(reply).__name__}: it must be a ModelReply")
        if len(reply.calls) > MAX_CALLS_PER_REPLY:
            raise InputError(f"the model asks for {len(reply.calls)} calls: at most {MAX_CALLS_PER_REPLY} are made")
        calls = tuple(
            RequestedCall(call_id=f"call-{turn.step}-{n}", name=call.name, arguments=_plain_arguments(call))
            for n, call in enumerate(reply.calls, start=1)
        )
        self._record(Reasoned(text=reply.text, calls=calls))

    async def _act(self, call: RequestedCall) -> None:
        # A resumed run asks again: what was allowed before the crash may not be any more.
        reason = await self._reason_to_deny(self._gate, call.name, call.arguments)
        if reason is None and self._runner.coordinator is not None:
            reason = self._runner.coordinator.reason_to_refuse(call)
        self._record(Gated(call_id=call.call_id, allowed=reason is None, reason=reason or ""))
        if reason is not None:
            return
        self._record(ActionStarted(call_id=call.call_id))
        try:
            text, is_error = read_result(await _settle(self._runner.execute(call.name, call.arguments)))
        except Exception as error:
            text, is_error = f"{type(error).__name__}: {error}", True
        self._finish_action(call, text, is_error=is_error)

    async def _reason_to_deny(self, gate: ToolGate, name: str, arguments: Mapping[str, Any]) -> str | None:
        try:
            gate.require(name)
            if self._runner.policy is None:
                return None
            verdict = await _settle(self._runner.policy(name, arguments))
        except ToolDeniedError as error:
            return str(error)
        except Exception as error:
            return f"the policy failed ({type(error).__name__}: {one_line(str(error))})"
        if verdict is True:
            return None
        return verdict if isinstance(verdict, str) and verdict else "the policy denies it"

    def _finish_action(self, call: RequestedCall, text: str, *, is_error: bool) -> None:
        end = ActionFinished(call_id=call.call_id, text=text, is_error=is_error)
        self._record(end)
        decision = self._watch(call, end)
        if decision is not None and decision.verdict is Verdict.STOP:
            self._stop_step(decision)

    def _watch(self, call: RequestedCall, end: ActionFinished) -> ProgressDecision | None:
        if self._runner.coordinator is None:
            return None
        return self._runner.coordinator.after_action(call, end.text, is_error=end.is_error)

    def _stop_step(self, decision: ProgressDecision) -> None:
        assert decision.reason is not None
        self._record(StepLimitReached(step_id=decision.step_id, attempts=decision.attempts, reason=decision.reason))
        self._end_where_advised(decision)

    def _end_where_advised(self, decision: ProgressDecision) -> None:
        if decision.limit_action in _ENDING_ACTIONS:
            detail = f"step {decision.step_id}: {decision.detail}"
            self._record(Terminated(reason=_ENDING_ACTIONS[decision.limit_action], detail=detail))

    def terminate_after_error(self, reason: TerminationReason, detail: str) -> None:
        """Record the end; where even that fails, the error that is under way says more."""
        if self._state.started is None or self._state.terminated is not None:
            return
        try:
            self._record(Terminated(reason=reason, detail=detail))
        except StoreError:
            return

    def result(self) -> LoopResult:
        """Return how the run ended."""
        end = self._state.terminated
        assert end is not None
        answer = self._state.answer if end.reason is TerminationReason.ANSWERED else None
        return LoopResult(end.reason, end.detail, answer, self._state.steps, tuple(self._state.messages))


def _plain_arguments(call: ReplyCall) -> dict[str, Any]:
    """Return the arguments as JSON would give them back, so that a resumed run makes the same call."""
    try:
        plain = json.loads(json.dumps(dict(call.arguments), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the arguments of {call.name!r} are no plain JSON: {error}") from None
    return dict(plain)


async def _settle(value: Value | Awaitable[Value]) -> Value:
    return await value if inspect.isawaitable(value) else value
