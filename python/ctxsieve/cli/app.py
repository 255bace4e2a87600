"""The `ctxsieve` command with all its commands, for the command-line library."""

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
    report,
    smells,
    stats,
    terse,
    watch,
)
from ctxsieve.cli import run as run_module
from ctxsieve.cli.typer_commands import translate_declarations

__all__ = ["app"]

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
app.command("smells")(smells.smells)
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
app.command("report")(report.report)
app.command("watch")(watch.watch)
app.command("doctor")(doctor.doctor)
app.add_typer(config.app, name="config")
app.add_typer(reasoning.tools, name="tools")
app.command("hydrate")(reasoning.hydrate)
app.command("conventions")(reasoning.conventions)
translate_declarations(app)


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
