"""Fetching what a task refers to: all calls at once, each with a deadline, whatever arrives in time is kept."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from enum import StrEnum
from typing import Any

from ctxsieve.reasoning.daemon_threads import call_without_blocking
from ctxsieve.reasoning.hydration_plan import HydrationPlan, PreHydrationConfig, ToolCall
from ctxsieve.reasoning.mentions import Reference
from ctxsieve.reasoning.tool_results import read_result
from ctxsieve.reasoning.untrusted_text import one_line
from ctxsieve.values import dataclass, replace

__all__ = ["ReferenceOutcome", "ReferenceState", "ToolAnswer", "resolve_in_batch", "resolve_references"]

MAX_PARALLEL_CALLS = 16


class ReferenceState(StrEnum):
    """How a reference ended."""

    RESOLVED = "resolved"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class ReferenceOutcome:
    """A reference at its end; `reason` is empty only when it was resolved, `content` only then may have text.

    `note` says what the content lacks of a file's bytes, in words.
    """

    reference: Reference
    state: ReferenceState
    reason: str = ""
    content: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """An answer that names the call it belongs to."""

    call_id: str
    result: Any
    is_error: bool = False


Execute = Callable[[ToolCall], Any]
ExecuteBatch = Callable[[Sequence[ToolCall]], AsyncIterator[ToolAnswer]]


async def resolve_references(
    plan: HydrationPlan, execute: Execute, *, config: PreHydrationConfig
) -> tuple[ReferenceOutcome, ...]:
    """Make the plan's calls and return one outcome per reference, in the plan's order.

    `execute` takes a call and returns its result, or a ToolAnswer, whose id must then be that of the call. A coroutine
    function runs in this loop; a plain function runs in a thread of its own, which is left behind when it is late.
    """
    slots = asyncio.Semaphore(MAX_PARALLEL_CALLS)
    answers: dict[str, ReferenceOutcome] = {}
    by_call = {planned.call.call_id: planned.reference for planned in plan.references if planned.call is not None}

    async def resolve(call: ToolCall) -> None:
        async with slots:
            answers[call.call_id] = await _resolve_one(by_call[call.call_id], call, execute, config)

    tasks = [asyncio.create_task(resolve(call)) for call in plan.calls]
    try:
        if tasks:
            await asyncio.wait(tasks, timeout=config.timeout)
    finally:
        for task in tasks:
            task.cancel()
    return _collect(plan, answers, f"no answer within {config.timeout:g} s")


async def resolve_in_batch(
    plan: HydrationPlan, execute: ExecuteBatch, *, config: PreHydrationConfig
) -> tuple[ReferenceOutcome, ...]:
    """Do the same through a caller that takes all calls and yields answers in any order.

    Answers are matched by call id; of several for one call the first counts, those for unknown calls are dropped.
    """
    by_call = {planned.call.call_id: planned.reference for planned in plan.references if planned.call is not None}
    answers: dict[str, ReferenceOutcome] = {}

    async def collect() -> None:
        async for answer in execute(plan.calls):
            if answer.call_id in by_call and answer.call_id not in answers:
                answers[answer.call_id] = _outcome_of(by_call[answer.call_id], answer.call_id, answer)

    reason = f"no answer within {config.timeout:g} s"
    if by_call:
        task = asyncio.create_task(collect())
        try:
            await asyncio.wait([task], timeout=config.timeout)
            if task.done():
                error = asyncio.CancelledError() if task.cancelled() else task.exception()
                reason = "the tools gave no answer for this call" if error is None else _describe(error)
        finally:
            task.cancel()
            task.add_done_callback(_retrieve)
    return _collect(plan, answers, reason)


def _collect(plan: HydrationPlan, answers: dict[str, ReferenceOutcome], late: str) -> tuple[ReferenceOutcome, ...]:
    outcomes = []
    for planned in plan.references:
        if planned.call is None:
            outcome = ReferenceOutcome(planned.reference, ReferenceState.SKIPPED, planned.skip_reason)
        else:
            failed = ReferenceOutcome(planned.reference, ReferenceState.FAILED, late)
            outcome = answers.get(planned.call.call_id, failed)
        outcomes.append(outcome)
    return tuple(outcomes)


async def _resolve_one(
    reference: Reference, call: ToolCall, execute: Execute, config: PreHydrationConfig
) -> ReferenceOutcome:
    try:
        task = asyncio.create_task(call_without_blocking(execute, call))
        # Not `wait_for`: it would wait for a tool that ignores its cancellation.
        try:
            await asyncio.wait([task], timeout=config.reference_timeout)
        finally:
            task.cancel()
            task.add_done_callback(_retrieve)
        if not task.done():
            late = f"no answer within {config.reference_timeout:g} s"
            return ReferenceOutcome(reference, ReferenceState.FAILED, late)
        return _outcome_of(reference, call.call_id, task.result())
    except Exception as error:
        return ReferenceOutcome(reference, ReferenceState.FAILED, _describe(error))


def _outcome_of(reference: Reference, call_id: str, result: Any) -> ReferenceOutcome:
    is_error = False
    if isinstance(result, ToolAnswer):
        if result.call_id != call_id:
            reason = f"the answer belongs to the call {result.call_id!r}"
            return ReferenceOutcome(reference, ReferenceState.FAILED, reason)
        is_error, result = result.is_error, result.result
    text, says_error = read_result(result)
    if is_error or says_error:
        return ReferenceOutcome(reference, ReferenceState.FAILED, f"the tool failed: {one_line(text)}")
    note = getattr(result, "note", "") if isinstance(result, str) else ""
    return ReferenceOutcome(reference, ReferenceState.RESOLVED, content=text, note=note)


def _retrieve(task: "asyncio.Task[Any]") -> None:
    """Take the exception of a task that nobody waits for any more, so that the loop does not report it."""
    if not task.cancelled():
        task.exception()


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {one_line(str(error))}" if str(error) else type(error).__name__


def mark_skipped(outcome: ReferenceOutcome, reason: str) -> ReferenceOutcome:
    """Return the outcome without its content, for what was fetched in vain."""
    return replace(outcome, state=ReferenceState.SKIPPED, reason=reason, content="")
