"""`ctxsieve mcp`: serve a project to agents."""

import logging
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    name="ctxsieve mcp", help="Serve a project to agents over the Model Context Protocol.", add_completion=False
)


@app.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    path: Annotated[
        Path | None,
        typer.Option("--path", help="The project's root; by default the client's root or the working directory."),
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", envvar="CTXSIEVE_SESSION", help="The session that is recorded.")
    ] = None,
    consumer: Annotated[
        str | None,
        typer.Option(
            "--consumer", envvar="CTXSIEVE_CONSUMER", help="The client's name in the ledger, across restarts."
        ),
    ] = None,
) -> None:
    """Serve one client on standard input and output."""
    if context.invoked_subcommand is not None:
        return
    from ctxsieve.mcp_server.server import ServerOptions
    from ctxsieve.mcp_server.stdio import serve_stdio

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="ctxsieve: %(message)s")
    options = ServerOptions(path=path, session=session, consumer=consumer, environment=os.environ)
    raise typer.Exit(serve_stdio(options))
