"""The `ctxsieve` command: its commands, and how errors become exit codes."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from ctxsieve import __version__
from ctxsieve.cli import (
    benchmark,
    config,
    doctor,
    graph,
    handoff,
    intent,
    knowledge,
    ledger,
    mcp,
    overview,
    preload,
    rank,
    read,
    reasoning,
    stats,
    terse,
    watch,
)
from ctxsieve.cli import run as run_module
from ctxsieve.errors import CtxsieveError, InputError, PathError

__all__ = ["app", "run"]

app = typer.Typer(
    name="ctxsieve",
    help="Decide what a coding agent gets to see: the right files, the right lines, within the token budget.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("preload")(preload.preload)
app.command("read")(read.read)
app.command("rank")(rank.rank)
app.command("overview")(overview.overview)
app.add_typer(graph.app, name="graph")
app.command("communities")(graph.communities)
app.command("intent")(intent.intent)
app.command("terse")(terse.terse)
app.command("run", context_settings=run_module.RUN_SETTINGS)(run_module.run)
app.add_typer(benchmark.app, name="benchmark")
app.add_typer(ledger.app, name="ledger")
app.add_typer(handoff.app, name="handoff")
app.add_typer(knowledge.app, name="knowledge")
app.command("mcp", context_settings=mcp.PASSED_ON)(mcp.mcp)
app.command("stats")(stats.stats)
app.command("watch")(watch.watch)
app.command("doctor")(doctor.doctor)
app.add_typer(config.app, name="config")
app.add_typer(reasoning.tools, name="tools")
app.command("hydrate")(reasoning.hydrate)
app.command("conventions")(reasoning.conventions)


def _print_version(value: bool) -> None:
    if value:
        from ctxsieve._kernels import BACKEND

        typer.echo(f"ctxsieve {__version__} ({BACKEND})")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and the backend.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    pass


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code: 0 answered, 1 failed, 2 bad input, 130 interrupted."""
    try:
        app(args=list(arguments), prog_name="ctxsieve")
    except SystemExit as exit_request:
        return exit_request.code if isinstance(exit_request.code, int) else 0
    except (InputError, PathError) as error:
        return _refuse(str(error), 2)
    except CtxsieveError as error:
        return _refuse(str(error), 1)
    except BrokenPipeError:
        # The reader went away; the interpreter must not fail again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _refuse(message: str, code: int) -> int:
    typer.echo(f"ctxsieve: {message}", err=True)
    return code
