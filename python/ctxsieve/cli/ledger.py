"""`ctxsieve ledger`: what was sent, how full the window is, and what to do about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ctxsieve.cli.options import ConsumerOption, FormatOption, PathOption, SessionOption, text_of
from ctxsieve.cli.output import OutputFormat, print_record, print_records, print_text
from ctxsieve.cli.recording import confirm
from ctxsieve.cli.sections import print_sections

__all__ = ["app"]

app = typer.Typer(help="What was sent to a consumer, and how full its window is.", no_args_is_help=True)

WindowOption = Annotated[
    int | None, typer.Option("--window", help="The size of the window in tokens; it is remembered.")
]
TaskOption = Annotated[str, typer.Argument(help="The task: its targets are protected, its relevant files go last.")]
TargetOption = Annotated[
    list[str] | None, typer.Option("--target", help="A file or folder that must stay; may be repeated.")
]
IncomingOption = Annotated[int, typer.Option("--incoming", help="Tokens that are about to be sent as well.")]


@contextmanager
def _opened(path: Path, session: str, consumer: str | None, window: int | None) -> Iterator[Any]:
    from ctxsieve.api import Project

    with Project.open(path).session(session=session, consumer=consumer) as opened:
        if window is not None:
            opened.ledger.set_window(window)
        yield opened


@app.command()
def show(
    path: PathOption = Path("."),
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
    window: WindowOption = None,
    all_entries: Annotated[bool, typer.Option("--all", help="Also what left the window.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the sums of a window and the files in it."""
    with _opened(path, session, consumer, window) as opened:
        totals = _totals(opened.ledger)
        rows = [_entry(entry) for entry in opened.ledger.entries(resident_only=not all_entries)]
    print_sections(totals, {"entries": rows}, output, name="window")


@app.command()
def pressure(
    path: PathOption = Path("."),
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
    window: WindowOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print what the window asks for: none, compress or evict."""
    with _opened(path, session, consumer, window) as opened:
        totals = _totals(opened.ledger)
    if output is OutputFormat.TEXT:
        print_text(f"{totals['pressure']}\n")
    else:
        print_record(totals, output, name="window")


@app.command()
def plan(
    task: TaskOption = "",
    path: PathOption = Path("."),
    target: TargetOption = None,
    incoming: IncomingOption = 0,
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
    window: WindowOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print what should leave the window, what takes its place, and what a task lacks; nothing is changed."""
    from ctxsieve.pipeline import advice_sections

    with _opened(path, session, consumer, window) as opened:
        advice = opened.advise(text_of(task), targets=target or (), incoming_tokens=incoming)
    print_sections(*advice_sections(advice), output, name="plan")


@app.command()
def apply(
    task: TaskOption = "",
    path: PathOption = Path("."),
    target: TargetOption = None,
    incoming: IncomingOption = 0,
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
    window: WindowOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Carry the plan out: print the text that replaces what leaves, and record the change."""
    with _opened(path, session, consumer, window) as opened:
        advice = opened.advise(text_of(task), targets=target or (), incoming_tokens=incoming)
        applied = opened.apply(advice.plan, confirm=False)
        if output is OutputFormat.TEXT:
            print_text(applied.text)
            typer.echo(
                f"freed {applied.freed_tokens} tokens: {applied.resident_before_tokens} -> "
                f"{applied.resident_after_tokens}; drop {', '.join(advice.leaving) or 'nothing'}",
                err=True,
            )
        else:
            record = {
                "text": applied.text,
                "tokens": applied.text_tokens,
                "freed_tokens": applied.freed_tokens,
                "resident_before_tokens": applied.resident_before_tokens,
                "resident_after_tokens": applied.resident_after_tokens,
                "replaced": [item.path for item in advice.plan.downgrades],
                "evicted": [item.path for item in advice.plan.evictions],
            }
            print_record(record, output, name="applied")
        confirm(opened, applied.delivery)


@app.command()
def deficits(
    task: Annotated[str, typer.Argument(help="The task in plain words; - reads it from standard input.")],
    path: PathOption = Path("."),
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print what a task needs and the window lacks: tests of a bug, manifests of a configuration."""
    from ctxsieve.pipeline import deficit_mapping

    with _opened(path, session, consumer, None) as opened:
        found = opened.find_deficits(text_of(task))
    print_records([deficit_mapping(deficit) for deficit in found], output, name="deficit")


@app.command()
def evict(
    paths: Annotated[list[str], typer.Argument(help="Files that the consumer dropped.")],
    path: PathOption = Path("."),
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Note that a consumer dropped files from its window."""
    from ctxsieve.jail import path_below

    with _opened(path, session, consumer, None) as opened:
        freed = opened.ledger.evict([path_below(opened.root, name) for name in paths], now_seconds=opened.clock())
        record = {"freed_tokens": freed, **_totals(opened.ledger)}
    print_record(record, output, name="window")


@app.command()
def reset(
    path: PathOption = Path("."),
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
    window: WindowOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Note that a consumer started with an empty window; what was emitted stays counted."""
    with _opened(path, session, consumer, window) as opened:
        freed = opened.ledger.reset(now_seconds=opened.clock())
        record = {"freed_tokens": freed, **_totals(opened.ledger)}
    print_record(record, output, name="window")


def _totals(ledger: Any) -> dict[str, Any]:
    from ctxsieve.pipeline import totals_mapping

    return {"session": ledger.session, **totals_mapping(ledger)}


def _entry(entry: Any) -> dict[str, Any]:
    from ctxsieve.pipeline import entry_mapping

    return {**entry_mapping(entry), "consumer": entry.consumer, "state": entry.end_reason or "resident"}
