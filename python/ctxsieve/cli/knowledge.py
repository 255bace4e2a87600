"""`ctxsieve knowledge`: facts that agents share."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ctxsieve.cli.options import AgentOption, BudgetOption, FormatOption, PathOption, SessionOption, text_of
from ctxsieve.cli.output import OutputFormat, print_record, print_records, print_text
from ctxsieve.fragments import time_text

__all__ = ["app"]

app = typer.Typer(help="Facts that agents share: category:key = value.", no_args_is_help=True)

DirectoryOption = Annotated[
    str | None, typer.Option("--directory", help="The directory it applies to, relative to the root.")
]


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    from ctxsieve.api import Project
    from ctxsieve.knowledge import KnowledgeBase
    from ctxsieve.store import Store

    with Store(Project.open(path).directories.store) as store:
        yield KnowledgeBase(store)


@app.command()
def add(
    fact: Annotated[str, typer.Argument(help="category:key = value, with or without the leading K:; - reads it.")],
    path: PathOption = Path("."),
    agent: AgentOption = "user",
    session: SessionOption = "default",
    source: Annotated[str, typer.Option("--source", help="Where it is known from, for example src/a.py:42.")] = "",
    confidence: Annotated[float, typer.Option("--confidence", help="From 0 to 1.")] = 1.0,
    directory: DirectoryOption = None,
    language: Annotated[str, typer.Option("--language", help="The language that a convention is about.")] = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Record a fact; an earlier value of the same agent goes to the history."""
    from ctxsieve.knowledge import Fact, format_fact, normalise_directory, parse_fact

    category, key, value = parse_fact(text_of(fact))
    recorded = Fact(
        category,
        key,
        value,
        agent=agent,
        session=session,
        source=source,
        confidence=confidence,
        directory=normalise_directory(directory or ""),
        language=language,
        project=path.resolve().name,
        recorded_at=time.time(),
    )
    with _opened(path) as base:
        changed = base.record(recorded)
    if output is OutputFormat.TEXT:
        print_text(f"{format_fact(recorded)}\n")
    else:
        print_record({"fact": format_fact(recorded), "changed": changed}, output, name="recorded")


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Words to look for; - reads them from standard input.")],
    path: PathOption = Path("."),
    directory: DirectoryOption = None,
    scope: Annotated[str | None, typer.Option("--scope", help="conventions: only these, the nearest first.")] = None,
    limit: Annotated[int, typer.Option("--limit", help="How many at most.")] = 10,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the facts that fit, best first."""
    from ctxsieve.pipeline import fact_mapping

    with _opened(path) as base:
        found = base.recall_knowledge(text_of(query), directory, scope, limit)
    rows = [
        {
            **fact_mapping(item.fact),
            "agents": list(item.agents),
            "disputed": item.is_disputed,
            "score": round(item.score, 4),
            "distance": item.distance,
        }
        for item in found
    ]
    _print_facts([item.fact for item in found], output, rows)


@app.command()
def inherit(
    task: Annotated[str, typer.Argument(help="What the agent is going to do; - reads it from standard input.")],
    path: PathOption = Path("."),
    budget: BudgetOption = 1000,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the facts that concern a task, within a token budget: what a new agent need not find out again."""
    from ctxsieve.knowledge import fitting_facts
    from ctxsieve.tokens import count_tokens

    with _opened(path) as base:
        found = [item.fact for item in base.inherit(text_of(task))]
    facts = fitting_facts(found, budget_tokens=1000 if budget is None else budget, count_tokens=count_tokens)
    _print_facts(facts, output)


@app.command("list")
def list_facts(
    path: PathOption = Path("."),
    category: Annotated[str | None, typer.Option("--category", help="Only this category.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Only this agent's.")] = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the current facts."""
    with _opened(path) as base:
        facts = base.facts(category=category, agent=agent)
    _print_facts(facts, output)


@app.command()
def history(
    name: Annotated[str, typer.Argument(help="category:key")],
    path: PathOption = Path("."),
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print every value that a fact ever had, oldest first."""
    from ctxsieve.knowledge import parse_fact_name

    category, key = parse_fact_name(name)
    with _opened(path) as base:
        revisions = base.history(category, key)
    rows = [
        {
            "value": revision.fact.value,
            "agent": revision.fact.agent,
            "source": revision.fact.source,
            "confidence": revision.fact.confidence,
            "recorded_at": time_text(revision.fact.recorded_at),
            "state": revision.state,
        }
        for revision in revisions
    ]
    print_records(rows, output, name="revision")


@app.command()
def conflicts(path: PathOption = Path("."), output: FormatOption = OutputFormat.TEXT) -> None:
    """Print the facts about which agents differ."""
    with _opened(path) as base:
        found = base.conflicts()
    rows = [
        {
            "fact": conflict.name,
            "directory": conflict.directory,
            "agent": fact.agent,
            "value": fact.value,
            "confidence": fact.confidence,
            "source": fact.source,
        }
        for conflict in found
        for fact in conflict.facts
    ]
    print_records(rows, output, name="conflict")


@app.command()
def export(
    path: PathOption = Path("."),
    output: FormatOption = OutputFormat.JSON,
) -> None:
    """Print all current facts: as JSON with their provenance (default), or as K: lines (--format text)."""
    from ctxsieve.knowledge import export_facts

    with _opened(path) as base:
        facts = base.facts()
    if output is OutputFormat.JSON:
        print_text(export_facts(facts))
    else:
        _print_facts(facts, output)


@app.command("import")
def import_(
    file: Annotated[str, typer.Argument(help="A file that export wrote, or K: lines; - is standard input.")],
    path: PathOption = Path("."),
    agent: AgentOption = "user",
    session: SessionOption = "default",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Take over facts, all or none; newer values of the same agent stay."""
    from ctxsieve.cli.options import file_text
    from ctxsieve.knowledge import import_facts

    facts = import_facts(
        file_text(file),
        agent=agent,
        session=session,
        source="" if file == "-" else Path(file).name,
        project=path.resolve().name,
        now_seconds=time.time(),
    )
    with _opened(path) as base:
        changed = base.record_all(facts, keep_newer=True)
    print_record({"facts": len(facts), "changed": changed}, output, name="imported")


@app.command()
def remove(
    name: Annotated[str, typer.Argument(help="category:key")],
    path: PathOption = Path("."),
    agent: Annotated[str | None, typer.Option("--agent", help="Only this agent's value.")] = None,
    directory: DirectoryOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """End a fact; the history keeps it."""
    from ctxsieve.errors import InputError
    from ctxsieve.knowledge import parse_fact_name

    category, key = parse_fact_name(name)
    with _opened(path) as base:
        removed = base.remove(category, key, now_seconds=time.time(), agent=agent, directory=directory)
    if not removed:
        raise InputError(f"fact {name!r} is not known: see `ctxsieve knowledge list`")
    print_record({"removed": removed}, output, name="result")


def _print_facts(facts: list[Any], output: OutputFormat, rows: list[dict[str, Any]] | None = None) -> None:
    from ctxsieve.knowledge import format_fact
    from ctxsieve.pipeline import fact_mapping

    if output is OutputFormat.TEXT:
        print_text("".join(f"{format_fact(fact)}\n" for fact in facts))
    else:
        print_records([fact_mapping(fact) for fact in facts] if rows is None else rows, output, name="fact")
