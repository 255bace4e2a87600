import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ctxsieve.errors import InputError, StoreError
from ctxsieve.reasoning.coordinator import ToolCoordinator
from ctxsieve.reasoning.events import (
    ActionFinished,
    ActionStarted,
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
    read_event,
)
from ctxsieve.reasoning.hydration_plan import PreHydrationConfig
from ctxsieve.reasoning.journal import MemoryJournal, StoreJournal
from ctxsieve.reasoning.loop import LoopResult, ModelReply, ModelTurn, ReasoningLoopRunner, ReplyCall
from ctxsieve.reasoning.profiles import ToolProfile
from ctxsieve.reasoning.progress import LimitAction, StepIterationConfig, StopReason
from ctxsieve.reasoning.resolvers import FileReader, ToolTable
from ctxsieve.reasoning.run_state import Role, replay_run
from ctxsieve.store import Store, append_event, read_events

TOOLS = [{"name": "read"}, {"name": "write"}, {"name": "file_delete"}]
DONE = ModelReply("done")


def call(name: str, **arguments: Any) -> ModelReply:
    return ModelReply(calls=(ReplyCall(name, arguments),))


class Script:
    """A model that says one line after the other and keeps what it was shown."""

    def __init__(self, *replies: ModelReply | Exception) -> None:
        self.replies = list(replies)
        self.turns: list[ModelTurn] = []

    def __call__(self, turn: ModelTurn) -> ModelReply:
        self.turns.append(turn)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


class Tools:
    """An executor that keeps what was called."""

    def __init__(self, **results: Any) -> None:
        self.results = results
        self.calls: list[tuple[str, Mapping[str, Any]]] = []

    def __call__(self, name: str, arguments: Mapping[str, Any]) -> Any:
        self.calls.append((name, arguments))
        result = self.results.get(name, f"{name} ok")
        if isinstance(result, BaseException):
            raise result
        return result


def run(
    model: Any,
    execute: Any = None,
    *,
    task: str = "task",
    journal: Any = None,
    context: Any = (),
    tools: Any = TOOLS,
    **options: Any,
) -> LoopResult:
    runner = ReasoningLoopRunner(model, execute or Tools(), tools, **options)
    return asyncio.run(runner.run(task, journal=journal, context=context))


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_run_observes_reasons_gates_and_acts() -> None:
    journal, tools = MemoryJournal(), Tools()
    result = run(Script(call("read", path="a"), DONE), tools, journal=journal)
    assert (result.reason, result.answer, result.steps) == (TerminationReason.ANSWERED, "done", 2)
    assert tools.calls == [("read", {"path": "a"})]
    assert kinds(journal.events()) == [
        "RunStarted", "Reasoned", "Gated", "ActionStarted", "ActionFinished", "Reasoned", "Terminated",
    ]  # fmt: skip


def test_coroutines_serve_as_model_executor_and_policy() -> None:
    script = Script(call("read"), DONE)

    async def model(turn: ModelTurn) -> ModelReply:
        return script(turn)

    async def execute(name: str, arguments: Any) -> bytes:
        return b"content"

    async def policy(name: str, arguments: Any) -> bool:
        return True

    result = run(model, execute, policy=policy)
    assert [message.text for message in result.messages if message.role is Role.TOOL] == ["content"]


def test_profile_hides_tools_and_denies_their_calls() -> None:
    script, tools, journal = (
        Script(call("file_delete"), call("FILE_DELETE"), call("unknown"), DONE),
        Tools(),
        MemoryJournal(),
    )
    result = run(script, tools, journal=journal, config=LoopConfig(tool_profile=ToolProfile.exclude_only("file_*")))
    assert [tool["name"] for tool in script.turns[0].tools] == ["read", "write"]
    assert tools.calls == []
    denied = [message.text for message in result.messages if message.is_error]
    assert len(denied) == 3
    assert "exclude: matches file_*" in denied[0]


@pytest.mark.parametrize("verdict", [False, None, 0, 1, "not on Sundays", "", ValueError("broken")])
def test_policy_that_does_not_say_true_denies(verdict: Any) -> None:
    tools = Tools()

    def policy(name: str, arguments: Any) -> Any:
        if isinstance(verdict, Exception):
            raise verdict
        return verdict

    result = run(Script(call("read"), DONE), tools, policy=policy)
    assert tools.calls == []
    assert next(message.text for message in result.messages if message.is_error).startswith("denied: ")


def test_error_of_a_tool_is_told_to_the_model() -> None:
    script = Script(call("read"), DONE)
    run(script, Tools(read=OSError("gone")))
    assert (script.turns[1].messages[-1].text, script.turns[1].messages[-1].is_error) == ("OSError: gone", True)


def test_run_ends_after_its_steps() -> None:
    journal = MemoryJournal()
    result = run(Script(*[call("read", n=n) for n in range(9)]), journal=journal, config=LoopConfig(max_steps=3))
    assert (result.reason, result.steps, result.answer) == (TerminationReason.MAX_STEPS, 3, None)


def test_several_calls_of_one_reply_are_made_in_order() -> None:
    tools = Tools()
    run(Script(ModelReply(calls=(ReplyCall("read", {"n": 1}), ReplyCall("write", {"n": 2}))), DONE), tools)
    assert tools.calls == [("read", {"n": 1}), ("write", {"n": 2})]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("text", "it must be a ModelReply"),
        (ModelReply(calls=tuple(ReplyCall("read", {}) for _ in range(33))), "at most 32"),
        (ModelReply(calls=(ReplyCall("read", {"x": float("nan")}),)), "no plain JSON"),
        (ModelReply(calls=(ReplyCall("read", {"x": object()}),)), "no plain JSON"),
    ],
)
def test_reply_that_is_none_ends_the_run_with_an_error(reply: Any, message: str) -> None:
    journal = MemoryJournal()
    with pytest.raises(InputError, match=message):
        run(lambda turn: reply, journal=journal)
    last = journal.events()[-1]
    assert isinstance(last, Terminated)
    assert last.reason is TerminationReason.FAILED


# Every way out


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("x"), TerminationReason.FAILED),
        (KeyboardInterrupt(), TerminationReason.CANCELLED),
        (SystemExit(1), TerminationReason.CANCELLED),
        (asyncio.CancelledError(), TerminationReason.CANCELLED),
    ],
)
def test_run_is_terminated_on_every_way_out_of_the_model(error: BaseException, reason: TerminationReason) -> None:
    journal = MemoryJournal()

    def model(turn: ModelTurn) -> ModelReply:
        raise error

    with pytest.raises(type(error)):
        run(model, journal=journal)
    assert [event.reason for event in journal.events() if isinstance(event, Terminated)] == [reason]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1)])
def test_run_is_terminated_when_a_tool_ends_the_program(error: BaseException) -> None:
    journal = MemoryJournal()
    with pytest.raises(type(error)):
        run(Script(call("read")), Tools(read=error), journal=journal)
    assert isinstance(journal.events()[-1], Terminated)


def test_cancelled_run_is_terminated() -> None:
    journal = MemoryJournal()

    async def model(turn: ModelTurn) -> ModelReply:
        await asyncio.sleep(60)
        return DONE

    async def main() -> None:
        task = asyncio.create_task(ReasoningLoopRunner(model, Tools(), TOOLS).run("task", journal=journal))
        await asyncio.sleep(0.05)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert kinds(journal.events()) == ["RunStarted", "Terminated"]


# Pre-hydration


def test_pre_hydrated_block_is_a_message_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    journal, script = MemoryJournal(), Script(DONE)
    config = LoopConfig(pre_hydration=PreHydrationConfig())
    reader = ToolTable({"file_read": FileReader(tmp_path)})
    run(
        script,
        task="fix a.py, b.py and #3",
        journal=journal,
        config=config,
        hydration_tools=reader,
        context=["[KNOWLEDGE_CONTEXT]\nfacts"],
    )
    assert [message.role for message in script.turns[0].messages] == [Role.TASK, Role.CONTEXT, Role.CONTEXT]
    assert script.turns[0].messages[1].text.startswith("[KNOWLEDGE_CONTEXT]")
    assert "x = 1" in script.turns[0].messages[2].text
    complete = next(event for event in journal.events() if isinstance(event, PreHydrationComplete))
    assert (complete.references_found, complete.references_resolved, complete.references_failed) == (3, 1, 1)
    assert set(complete.to_dict()) == {"references_found", "references_resolved", "references_failed", "total_tokens"}


def test_pre_hydration_obeys_profile_and_policy(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").write_text("y = 2\n")
    reader = ToolTable({"file_read": FileReader(tmp_path)})
    for options in (
        {"config": LoopConfig(pre_hydration=PreHydrationConfig(), tool_profile=ToolProfile.exclude_only("file_*"))},
        {
            "config": LoopConfig(pre_hydration=PreHydrationConfig()),
            "policy": lambda name, arguments: name != "file_read",
        },
    ):
        journal = MemoryJournal()
        run(Script(DONE), task="a.py b.py", journal=journal, hydration_tools=reader, **options)
        complete = next(event for event in journal.events() if isinstance(event, PreHydrationComplete))
        assert (complete.references_found, complete.references_resolved) == (2, 0)


def test_pre_hydration_uses_the_tools_of_the_run() -> None:
    config = LoopConfig(pre_hydration=PreHydrationConfig(resolution_tools={"file": "read"}))
    script, tools = Script(DONE), Tools(read="content of it")
    run(script, tools, task="see a.py", config=config)
    assert tools.calls == [("read", {"path": "a.py"})]
    assert "content of it" in script.turns[0].messages[1].text


def test_nothing_is_hydrated_unless_asked_for() -> None:
    journal = MemoryJournal()
    run(Script(DONE), task="see a.py", journal=journal)
    assert "PreHydrationComplete" not in kinds(journal.events())


# Progress


def coordinated(action: LimitAction, limit: int = 2) -> dict[str, Any]:
    step_iteration = StepIterationConfig(max_reattempts_per_step=limit, on_limit_reached=action)
    config = LoopConfig(step_iteration=step_iteration)
    return {"config": config, "coordinator": ToolCoordinator(step_iteration)}


def test_stopped_step_is_skipped_and_the_run_goes_on() -> None:
    journal, tools = MemoryJournal(), Tools(write=ValueError("same"))
    script = Script(call("write"), call("write"), call("write"), call("read"), DONE)
    result = run(script, tools, journal=journal, **coordinated(LimitAction.SKIP_STEP))
    assert result.reason is TerminationReason.ANSWERED
    assert [name for name, _ in tools.calls] == ["write", "write", "read"]
    (limit,) = (event for event in journal.events() if isinstance(event, StepLimitReached))
    assert limit.to_dict() == {"step_id": "write", "attempts": 2, "reason": "stuck"}


@pytest.mark.parametrize(
    ("action", "reason"),
    [(LimitAction.ABORT_TASK, TerminationReason.ABORTED), (LimitAction.ESCALATE, TerminationReason.ESCALATED)],
)
def test_stopped_step_ends_the_run(action: LimitAction, reason: TerminationReason) -> None:
    result = run(Script(call("write"), call("write")), Tools(write=ValueError("same")), **coordinated(action))
    assert (result.reason, result.steps) == (reason, 2)
    assert "stuck" in result.detail


def test_loop_itself_stops_no_step() -> None:
    config = LoopConfig(step_iteration=StepIterationConfig(max_reattempts_per_step=1), max_steps=6)
    result = run(lambda turn: call("write"), Tools(write=ValueError("same")), config=config)
    assert (result.reason, result.steps) == (TerminationReason.MAX_STEPS, 6)


def test_repeating_an_action_without_effect_is_stopped() -> None:
    options = coordinated(LimitAction.ABORT_TASK, limit=50)
    result = run(lambda turn: call("read", path="a"), **options)
    assert (result.reason, result.steps) == (TerminationReason.ABORTED, 3)


def test_stopped_call_is_refused_and_other_calls_of_the_tool_are_not() -> None:
    tools = Tools(read=FileNotFoundError("missing"))
    script = Script(
        call("read", path="a"), call("read", path="a"), call("read", path="a"), call("read", path="b"), DONE
    )
    result = run(script, tools, **coordinated(LimitAction.SKIP_STEP))
    assert [arguments["path"] for _, arguments in tools.calls] == ["a", "a", "b"]
    assert result.reason is TerminationReason.ANSWERED


def test_coarser_steps_see_loops_over_different_calls() -> None:
    config = StepIterationConfig(max_reattempts_per_step=50, on_limit_reached=LimitAction.ABORT_TASK)
    coordinator = ToolCoordinator(config, step_of=lambda call: "whole task")
    result = run(lambda turn: call(("read", "write")[turn.step % 2], n=turn.step % 2), coordinator=coordinator)
    assert (result.reason, result.steps) == (TerminationReason.ABORTED, 4)


# The journal


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "store.sqlite3") as opened:
        yield opened


def clock() -> float:
    return 1.0


def test_journal_numbers_have_no_gap_across_restarts(store: Store) -> None:
    for _ in range(3):
        journal = StoreJournal(store, "run", now_seconds=clock)
        journal.append(RunStarted(task="t", config=LoopConfig(), tools=()))
        journal.append(Terminated(reason=TerminationReason.FAILED))
    assert [event.sequence for event in read_events(store, "run")] == [1, 2, 3, 4, 5, 6]


def test_second_writer_of_a_run_is_an_error(store: Store) -> None:
    one, two = (StoreJournal(store, "run", now_seconds=clock) for _ in range(2))
    one.append(RunStarted(task="t", config=LoopConfig(), tools=()))
    with pytest.raises(StoreError, match="another writer"):
        two.append(RunStarted(task="t", config=LoopConfig(), tools=()))
    assert len(one.events()) == 1


def test_journal_with_a_gap_is_not_resumed(store: Store) -> None:
    journal = StoreJournal(store, "run", now_seconds=clock)
    for _ in range(3):
        journal.append(Gated(call_id="x", allowed=True))
    with store.transaction() as connection:
        connection.execute("DELETE FROM journal_events WHERE sequence = 2")
    with pytest.raises(StoreError, match="lacks event 2"):
        StoreJournal(store, "run", now_seconds=clock)


@pytest.mark.parametrize(
    "payload", [{"call_id": "x"}, {"call_id": "x", "allowed": "yes"}, {"call_id": "x", "allowed": True, "more": 1}]
)
def test_foreign_event_in_the_journal_is_an_error(store: Store, payload: dict[str, Any]) -> None:
    append_event(store, "run", "Gated", payload, now_seconds=1.0)
    with pytest.raises(InputError):
        StoreJournal(store, "run", now_seconds=clock).events()
    with pytest.raises(InputError, match="the event kind is 'Gatedd'"):
        read_event("Gatedd", {})


EVENTS: list[Event] = [
    RunStarted(task="t", config=LoopConfig(tool_profile=ToolProfile.exclude_only("a")), tools=("x",)),
    Reasoned(text="é\ud800", calls=(RequestedCall(call_id="c", name="n", arguments={"a": [1, {"b": None}]}),)),
    ActionStarted(call_id="c"),
    ActionFinished(call_id="c", text="", is_error=True),
    StepLimitReached(step_id="s", attempts=2, reason=StopReason.STUCK),
    Terminated(reason=TerminationReason.ESCALATED, detail="d"),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_events_survive_json(event: Event) -> None:
    assert read_event(type(event).__name__, json.loads(json.dumps(event.to_dict()))) == event


def test_replay_gives_the_state_without_executing(store: Store) -> None:
    journal, tools = StoreJournal(store, "run", now_seconds=clock), Tools()
    result = run(Script(call("read", path="a"), DONE), tools, journal=journal)
    state = replay_run(StoreJournal(store, "run", now_seconds=clock).events())
    assert tuple(state.messages) == result.messages
    assert (state.answer, state.steps) == ("done", 2)
    assert state.terminated is not None
    assert len(tools.calls) == 1


@pytest.mark.parametrize("kept", range(1, 12))
def test_run_resumes_from_any_event(kept: int) -> None:
    """Whatever of the journal survived, the resumed run ends like the one that was not interrupted."""
    script = [ModelReply("think", (ReplyCall("read", {"n": 1}), ReplyCall("write", {"n": 2}))), call("read", n=3), DONE]
    whole = MemoryJournal()
    expected = run(Script(*script), journal=whole)
    events = whole.events()[:kept]
    journal, tools = MemoryJournal(), Tools()
    for event in events:
        journal.append(event)
    answered = sum(isinstance(event, Reasoned) for event in events)
    result = run(Script(*script[answered:]), tools, journal=journal)
    assert (result.reason, result.answer, result.steps) == (expected.reason, "done", 3)
    texts = [message.text for message in result.messages]
    if isinstance(events[-1], ActionStarted):
        assert sum(text.startswith("interrupted:") for text in texts) == 1
    else:
        assert result.messages == expected.messages
    done = [event.call_id for event in events if isinstance(event, (ActionStarted))]
    assert len(tools.calls) == 3 - len(done)


def test_resumed_run_remembers_its_failed_attempts() -> None:
    journal = MemoryJournal()
    with pytest.raises(ConnectionError):
        run(
            Script(call("write"), ConnectionError("crash")),
            Tools(write=ValueError("a")),
            journal=journal,
            **coordinated(LimitAction.ABORT_TASK),
        )
    survived = MemoryJournal()
    for event in journal.events()[:-1]:
        survived.append(event)
    result = run(
        Script(call("write")), Tools(write=ValueError("b")), journal=survived, **coordinated(LimitAction.ABORT_TASK)
    )
    assert (result.reason, result.steps) == (TerminationReason.ABORTED, 2)


def test_stop_that_the_crash_swallowed_is_made_good() -> None:
    journal = MemoryJournal()
    run(
        Script(call("write"), call("write"), DONE),
        Tools(write=ValueError("a")),
        journal=journal,
        **coordinated(LimitAction.SKIP_STEP),
    )
    events = journal.events()
    cut = next(n for n, event in enumerate(events) if isinstance(event, StepLimitReached))
    survived = MemoryJournal()
    for event in events[:cut]:
        survived.append(event)
    run(Script(DONE), journal=survived, **coordinated(LimitAction.SKIP_STEP))
    assert kinds(survived.events())[cut] == "StepLimitReached"


def test_end_that_the_crash_swallowed_is_made_good() -> None:
    journal, options = MemoryJournal(), lambda: coordinated(LimitAction.ESCALATE)
    run(Script(call("write"), call("write")), Tools(write=ValueError("a")), journal=journal, **options())
    survived = MemoryJournal()
    for event in journal.events()[:-1]:
        survived.append(event)
    assert run(Script(), journal=survived, **options()).reason is TerminationReason.ESCALATED
    assert survived.events() == journal.events()


def test_resumed_run_asks_policy_and_profile_again() -> None:
    journal, tools = MemoryJournal(), Tools()
    events = [
        RunStarted(task="task", config=LoopConfig(), tools=("read",)),
        Reasoned(text="", calls=(RequestedCall(call_id="call-1-1", name="read", arguments={}),)),
        Gated(call_id="call-1-1", allowed=True),
    ]
    for event in events:
        journal.append(event)
    run(Script(DONE), tools, journal=journal, policy=lambda name, arguments: "revoked")
    assert tools.calls == []


def test_resumed_run_offers_no_tool_that_came_later() -> None:
    journal = MemoryJournal()
    with pytest.raises(ConnectionError):
        run(Script(ConnectionError("crash")), journal=journal)
    survived, tools = MemoryJournal(), Tools()
    survived.append(journal.events()[0])
    script = Script(call("drop_database"), DONE)
    run(script, tools, journal=survived, tools=[*TOOLS, {"name": "drop_database"}])
    assert tools.calls == []
    assert len(script.turns[0].tools) == 3


@pytest.mark.parametrize("change", [{"task": "other"}, {"config": LoopConfig(max_steps=3)}])
def test_journal_of_another_run_is_refused(change: dict[str, Any]) -> None:
    journal = MemoryJournal()
    journal.append(RunStarted(task="task", config=LoopConfig(), tools=("read",)))
    with pytest.raises(InputError, match="another task or configuration"):
        run(Script(DONE), journal=journal, **change)
    assert len(journal.events()) == 1


def test_ended_run_is_not_run_again() -> None:
    journal = MemoryJournal()
    run(Script(DONE), journal=journal)
    with pytest.raises(InputError, match="the run has ended \\(answered\\)"):
        run(Script(DONE), journal=journal)


@pytest.mark.parametrize(
    "events",
    [
        [Terminated(reason=TerminationReason.FAILED)],
        [EVENTS[0], EVENTS[0]],
        [EVENTS[0], ActionFinished(call_id="c", text="")],
        [EVENTS[0], EVENTS[1], EVENTS[1]],
        [EVENTS[0], EVENTS[5], EVENTS[5]],
    ],
)
def test_events_in_an_impossible_order_are_an_error(events: list[Event]) -> None:
    with pytest.raises(InputError):
        replay_run(events)


CRASHING = """
import asyncio, os, sys
from ctxsieve.reasoning import *
from ctxsieve.store import Store
def execute(name, arguments):
    if arguments["n"] == int(sys.argv[2]):
        os.kill(os.getpid(), 9)
    return "ok"
def model(turn):
    return ModelReply(calls=(ReplyCall("read", {"n": turn.step}),)) if turn.step < 6 else ModelReply("done")
with Store(sys.argv[1]) as store:
    journal = StoreJournal(store, "run", now_seconds=lambda: 1.0)
    runner = ReasoningLoopRunner(model, execute, [{"name": "read"}])
    print(asyncio.run(runner.run("task", journal=journal)).answer)
"""


def test_killed_process_leaves_a_run_that_resumes(tmp_path: Path) -> None:
    def start(crash_at: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", CRASHING, str(tmp_path / "store.sqlite3"), str(crash_at)]
        return subprocess.run(command, env={**os.environ}, capture_output=True, text=True, timeout=120, check=False)

    assert [start(crash_at).returncode for crash_at in (2, 4)] == [-signal.SIGKILL, -signal.SIGKILL]
    last = start(0)
    assert (last.returncode, last.stdout) == (0, "done\n")
    with Store(tmp_path / "store.sqlite3") as store:
        events = StoreJournal(store, "run", now_seconds=time.time).events()
    interrupted = [event.call_id for event in events if isinstance(event, ActionFinished) and event.is_error]
    assert interrupted == ["call-2-1", "call-4-1"]
    assert [event.call_id for event in events if isinstance(event, ActionStarted)] == [
        f"call-{n}-1" for n in range(1, 6)
    ]


# Configuration


def test_configuration_without_the_optional_parts_serialises_without_them() -> None:
    for text in (
        "{}",
        '{"max_steps": 25}',
        '{"tool_profile": {"exclude": ["a"]}}',
        '{"step_iteration": {}, "pre_hydration": {}}',
    ):
        assert json.loads(LoopConfig.from_json(text).to_json()) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"tool_profil": {}}',
        '{"tool_profile": {"includes": []}}',
        '{"max_steps": 0}',
        '{"pre_hydration": {"max_tokens": 1}}',
        '{"tool_profile": []}',
    ],
)
def test_unknown_keys_are_errors_at_every_level(text: str) -> None:
    with pytest.raises(InputError):
        LoopConfig.from_json(text)


def test_error_in_a_nested_part_names_the_part() -> None:
    with pytest.raises(InputError, match="tool_profile: ToolProfile has the unknown key 'includes'"):
        LoopConfig.from_json('{"tool_profile": {"includes": []}}')


def test_crash_in_the_middle_of_pre_hydration_loses_and_repeats_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    options: dict[str, Any] = {
        "task": "fix a.py",
        "config": LoopConfig(pre_hydration=PreHydrationConfig()),
        "hydration_tools": ToolTable({"file_read": FileReader(tmp_path)}),
        "context": ["known before"],
    }
    whole = MemoryJournal()
    expected = run(Script(DONE), journal=whole, **options)
    for kept in (1, 2, 3):
        journal = MemoryJournal()
        for event in whole.events()[:kept]:
            journal.append(event)
        assert run(Script(DONE), journal=journal, **options).messages == expected.messages
        assert kinds(journal.events()) == kinds(whole.events())


def test_blocking_tool_does_not_delay_the_other_references_of_a_run() -> None:
    def execute(name: str, arguments: Mapping[str, Any]) -> str:
        if arguments["path"] == "b.py":
            time.sleep(12)
        return "text"

    config = LoopConfig(pre_hydration=PreHydrationConfig(resolution_tools={"file": "read"}, timeout=1.5))
    journal, start = MemoryJournal(), time.monotonic()
    run(Script(DONE), execute, task="a.py b.py c.py", journal=journal, config=config)
    complete = next(event for event in journal.events() if isinstance(event, PreHydrationComplete))
    assert (complete.references_resolved, complete.references_failed) == (2, 1)
    assert time.monotonic() - start < 10
