"""ctx_ledger: what this client was sent, how full its window is, and what to do about it."""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from ctxsieve.mcp_server.answers import Answer, render_record, render_rows
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.paths import file_path
from ctxsieve.mcp_server.tools.tool import Call, Tool
from ctxsieve.pipeline import advice_sections, deficit_mapping, entry_mapping, totals_mapping

__all__ = ["LEDGER", "window_answer"]


class LedgerArguments(Arguments):
    """See the descriptions."""

    action: Annotated[
        Literal["show", "plan", "apply", "deficits", "evict", "reset"],
        Field(
            description="plan: what could leave the window; apply: get its replacement text; deficits: what the task "
            "lacks; evict: you dropped paths; reset: you hold nothing"
        ),
    ] = "show"
    task: str = ""
    paths: Annotated[
        list[str], Field(default_factory=list, max_length=1000, description="of plan and apply: must stay")
    ]
    window: Annotated[int | None, Field(ge=1, description="your window's size in tokens")] = None
    incoming: Annotated[int, Field(ge=0, description="tokens about to come")] = 0


def window_answer(call: Call) -> Answer:
    """Return the sums of the client's window and the files in it."""
    entries = [entry_mapping(entry) for entry in call.session.ledger.entries()]
    totals = totals_mapping(call.session.ledger)
    rows = [{"path": e["path"] or e["mode"], "mode": e["mode"], "sent_tokens": e["sent_tokens"]} for e in entries]
    return Answer(text=render_record(totals) + render_rows("entries", rows), record={**totals, "entries": entries})


def _run(call: Call, given: LedgerArguments) -> Answer:
    if given.window is not None:
        call.session.ledger.set_window(given.window)
    return _ACTIONS[given.action](call, given)


def _show(call: Call, _: LedgerArguments) -> Answer:
    return window_answer(call)


def _plan(call: Call, given: LedgerArguments) -> Answer:
    advice = call.session.advise(given.task, targets=_checked(call, given), incoming_tokens=given.incoming)
    summary, tables = advice_sections(advice)
    text = render_record(summary) + "".join(render_rows(title, rows) for title, rows in tables.items())
    return Answer(text=text, record={**summary, **tables})


def _apply(call: Call, given: LedgerArguments) -> Answer:
    advice = call.session.advise(given.task, targets=_checked(call, given), incoming_tokens=given.incoming)
    applied = call.session.apply(advice.plan, confirm=False)
    summary = {
        "freed_tokens": applied.freed_tokens,
        "resident_before_tokens": applied.resident_before_tokens,
        "resident_after_tokens": applied.resident_after_tokens,
        "drop": list(advice.leaving),
    }
    record = {"text": applied.text, "tokens": applied.text_tokens, **summary}
    return Answer(text=render_record(summary) + applied.text, record=record, delivery=applied.delivery)


def _deficits(call: Call, given: LedgerArguments) -> Answer:
    found = [deficit_mapping(deficit) for deficit in call.session.find_deficits(given.task)]
    return Answer(text=render_rows("deficits", found) or "The task lacks nothing.\n", record={"deficits": found})


def _evict(call: Call, given: LedgerArguments) -> Answer:
    freed = call.session.ledger.evict(_checked(call, given), now_seconds=call.session.clock())
    return _freed(call, freed)


def _reset(call: Call, _: LedgerArguments) -> Answer:
    return _freed(call, call.session.ledger.reset(now_seconds=call.session.clock()))


_ACTIONS: Mapping[str, Callable[[Call, LedgerArguments], Answer]] = {
    "show": _show,
    "plan": _plan,
    "apply": _apply,
    "deficits": _deficits,
    "evict": _evict,
    "reset": _reset,
}


def _freed(call: Call, freed_tokens: int) -> Answer:
    record = {"freed_tokens": freed_tokens, **totals_mapping(call.session.ledger)}
    return Answer(text=render_record(record), record=record)


def _checked(call: Call, given: LedgerArguments) -> list[str]:
    return [file_path(call.project.root, path) for path in given.paths]


LEDGER = Tool(
    name="ctx_ledger",
    description="Your context window: what you were sent, how full it is, what to drop or shorten.",
    arguments=LedgerArguments,
    run=_run,
    is_read_only=False,
)
