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
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP instead, for clients on this machine.")] = False,
    host: Annotated[str, typer.Option("--host", help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="With --http: the port; 0 for any free one.")] = 8377,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            envvar="CTXSIEVE_MCP_TOKEN",
            help="With --http: what clients have to send; by default a new one, which is printed.",
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option("--allow-origin", help="With --http: a web origin that may call; may be repeated."),
    ] = None,
    consumer: Annotated[
        str | None,
        typer.Option(
            "--consumer", envvar="CTXSIEVE_CONSUMER", help="The client's name in the ledger, across restarts."
        ),
    ] = None,
) -> None:
    """Serve one client on standard input and output, or any number over HTTP."""
    if context.invoked_subcommand is not None:
        return
    from ctxsieve.errors import InputError
    from ctxsieve.mcp_server.server import ServerOptions

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="ctxsieve: %(message)s")
    options = ServerOptions(path=path, session=session, consumer=consumer, environment=os.environ)
    if not http:
        from ctxsieve.mcp_server.stdio import serve_stdio

        raise typer.Exit(serve_stdio(options))
    from ctxsieve.mcp_server.http import HttpOptions, serve_http

    if consumer is not None:
        raise InputError(f"consumer is {consumer!r}: over HTTP every client names itself; leave it out")
    raise typer.Exit(
        serve_http(options, HttpOptions(host=host, port=port, token=token, origins=tuple(allow_origin or ())))
    )
