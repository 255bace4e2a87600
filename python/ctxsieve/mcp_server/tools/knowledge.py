"""ctx_knowledge: facts that the agents of a project share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from ctxsieve.errors import InputError
from ctxsieve.fragments import time_text
from ctxsieve.knowledge import Fact, fitting_facts, format_fact, normalise_directory, parse_fact, parse_fact_name
from ctxsieve.mcp_server.answers import Answer, render_rows
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.tool import Call, Tool
from ctxsieve.pipeline import fact_mapping
from ctxsieve.reasoning import recall_knowledge
from ctxsieve.tokens import count_tokens

__all__ = ["KNOWLEDGE", "facts_answer"]

_INHERITED_TOKENS = 1000


class KnowledgeArguments(Arguments):
    """See the descriptions."""

    action: Annotated[
        Literal["search", "inherit", "conventions", "add", "remove", "list", "history", "conflicts"],
        Field(
            description="inherit: what a new agent should know for the task in text; conventions: rules that hold in "
            "directory (AGENTS.md, .editorconfig, facts)"
        ),
    ]
    text: Annotated[
        str, Field(description="add: category:key = value; remove, history: category:key; else words to look for")
    ] = ""
    directory: Annotated[str | None, Field(description="where it applies")] = None
    source: Annotated[str, Field(description="of add: how you know, e.g. src/a.py:42")] = ""
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 1.0
    limit: Annotated[int, Field(ge=1, le=1000)] = 20


def facts_answer(facts: Sequence[Fact], rows: Sequence[dict[str, Any]] | None = None) -> Answer:
    """Return facts, one a line for a model."""
    text = "".join(f"{format_fact(fact)}\n" for fact in facts)
    records = rows if rows is not None else [fact_mapping(fact) for fact in facts]
    return Answer(text=text or "No fact fits.\n", record={"facts": list(records)})


def _run(call: Call, given: KnowledgeArguments) -> Answer:
    return _ACTIONS[given.action](call, given)


def _add(call: Call, given: KnowledgeArguments) -> Answer:
    category, key, value = parse_fact(given.text)
    fact = Fact(
        category,
        key,
        value,
        agent=call.consumer or "client",
        session=call.session.ledger.session,
        source=given.source,
        confidence=float(given.confidence),
        directory=normalise_directory(given.directory or ""),
        project=call.project.root.name,
        recorded_at=call.session.clock(),
    )
    changed = call.session.knowledge.record(fact)
    text = f"{format_fact(fact)}\n"
    return Answer(text=text if changed else f"known already: {text}", record={**fact_mapping(fact), "changed": changed})


def _search(call: Call, given: KnowledgeArguments) -> Answer:
    found = call.session.knowledge.recall_knowledge(given.text, given.directory, None, given.limit)
    rows = [{**fact_mapping(item.fact), "disputed": item.is_disputed, "score": round(item.score, 4)} for item in found]
    return facts_answer([item.fact for item in found], rows)


def _inherit(call: Call, given: KnowledgeArguments) -> Answer:
    found = [item.fact for item in call.session.knowledge.inherit(given.text)]
    return facts_answer(fitting_facts(found, budget_tokens=_INHERITED_TOKENS, count_tokens=count_tokens))


def _conventions(call: Call, given: KnowledgeArguments) -> Answer:
    answer = recall_knowledge(
        given.text,
        given.directory or ".",
        "conventions",
        given.limit,
        facts=call.session.knowledge.facts(),
        root=call.project.root,
    )
    rows = [{"source": line.source, "text": line.text, "distance": line.distance} for line in answer.lines]
    text = "".join(f"{row['source']}: {row['text']}\n" for row in rows)
    skipped = [{"source": source, "reason": reason} for source, reason in answer.skipped]
    return Answer(text=text or "No convention is written down.\n", record={"conventions": rows, "skipped": skipped})


def _list(call: Call, given: KnowledgeArguments) -> Answer:
    return facts_answer(call.session.knowledge.facts(category=given.text or None)[: given.limit])


def _remove(call: Call, given: KnowledgeArguments) -> Answer:
    category, key = parse_fact_name(given.text)
    base = call.session.knowledge
    removed = base.remove(
        category, key, now_seconds=call.session.clock(), agent=call.consumer, directory=given.directory
    )
    if not removed:
        raise InputError(f"text is {given.text!r}: you recorded no such fact; others' facts are not yours to remove")
    return Answer(text=f"removed {removed}\n", record={"removed": removed})


def _history(call: Call, given: KnowledgeArguments) -> Answer:
    rows = [
        {
            "value": revision.fact.value,
            "agent": revision.fact.agent,
            "source": revision.fact.source,
            "confidence": revision.fact.confidence,
            "recorded_at": time_text(revision.fact.recorded_at),
            "state": revision.state,
        }
        for revision in call.session.knowledge.history(*parse_fact_name(given.text))
    ]
    return Answer(text=render_rows("revisions", rows) or "No fact fits.\n", record={"revisions": rows})


def _conflicts(call: Call, _: KnowledgeArguments) -> Answer:
    rows = [
        {
            "fact": conflict.name,
            "directory": conflict.directory,
            "agent": fact.agent,
            "value": fact.value,
            "confidence": fact.confidence,
            "source": fact.source,
        }
        for conflict in call.session.knowledge.conflicts()
        for fact in conflict.facts
    ]
    return Answer(text=render_rows("conflicts", rows) or "The agents agree.\n", record={"conflicts": rows})


_ACTIONS: Mapping[str, Callable[[Call, KnowledgeArguments], Answer]] = {
    "add": _add,
    "search": _search,
    "inherit": _inherit,
    "conventions": _conventions,
    "list": _list,
    "remove": _remove,
    "history": _history,
    "conflicts": _conflicts,
}


KNOWLEDGE = Tool(
    name="ctx_knowledge",
    description="Facts that agents on this project share: look before you find out again, add what you found.",
    arguments=KnowledgeArguments,
    run=_run,
    is_read_only=False,
)
