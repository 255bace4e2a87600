"""`ctxsieve mcp`: serve a project to agents."""

import logging
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    name="ctxsieve mcp",
    help="Serve a project to agents over the Model Context Protocol.",
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
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
    from ctxsieve.errors import InputError, PathError
    from ctxsieve.mcp_server.server import ServerOptions

    if path is not None and not path.is_dir():
        raise PathError(f"{path} is not a directory: name the project's root")
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="ctxsieve: %(message)s")
    options = ServerOptions(path=path, session=session, consumer=consumer, environment=os.environ)
    if not http:
        _refuse_http_options(context)
        from ctxsieve.mcp_server.stdio import serve_stdio

        raise typer.Exit(serve_stdio(options))
    from ctxsieve.mcp_server.http import HttpOptions, serve_http

    if consumer is not None:
        raise InputError(f"consumer is {consumer!r}: over HTTP every client names itself; leave it out")
    raise typer.Exit(
        serve_http(options, HttpOptions(host=host, port=port, token=token, origins=tuple(allow_origin or ())))
    )


def _refuse_http_options(context: typer.Context) -> None:
    """What only a server over HTTP heeds must not be given to one that listens to nobody else; variables may be set."""
    from ctxsieve.errors import InputError

    for name in ("host", "port", "token", "allow_origin"):
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise InputError(f"--{name.replace('_', '-')} is given without --http: add --http, or leave it out")


ClientOption = Annotated[str, typer.Option("--client", help="claude, cursor, vscode or codex.")]
ScopeOption = Annotated[str, typer.Option("--scope", help="project: for whoever opens it; user: for all your work.")]
RootOption = Annotated[Path, typer.Option("--path", help="The project's root.")]
YesOption = Annotated[bool, typer.Option("--yes", help="Write it; without, the change is only shown.")]


@app.command()
def install(
    client: ClientOption, scope: ScopeOption = "project", path: RootOption = Path("."), yes: YesOption = False
) -> None:
    """Show the change of a client's configuration that starts this server; --yes writes it, with a backup."""
    _change("plan_install", client, scope, path, yes, done="starts ctxsieve now: restart the client")


@app.command()
def uninstall(
    client: ClientOption, scope: ScopeOption = "project", path: RootOption = Path("."), yes: YesOption = False
) -> None:
    """Show the change that takes the server out of a client's configuration again; --yes writes it."""
    _change("plan_uninstall", client, scope, path, yes, done="no longer starts ctxsieve")


def _change(plan: str, client: str, scope: str, path: Path, yes: bool, *, done: str) -> None:
    from ctxsieve.errors import InputError, PathError
    from ctxsieve.mcp_server import install as installing

    for name, value, choices in (("client", client, installing.Client), ("scope", scope, installing.Scope)):
        if value not in list(choices):
            raise InputError(f"{name} is {value!r}: it must be one of {', '.join(choices)}")
    if not path.is_dir():
        raise PathError(f"{path} is not a directory: name the project's root")
    change = getattr(installing, plan)(
        installing.Client(client),
        installing.Scope(scope),
        root=path.resolve(),
        home=Path.home(),
        environment=os.environ,
    )
    if not change.is_needed:
        typer.echo(f"{change.file}: nothing to change")
        return
    typer.echo(change.difference, nl=False)
    if not yes:
        typer.echo("ctxsieve: not written; run it again with --yes", err=True)
        return
    installing.apply_change(change)
    typer.echo(f"ctxsieve: {client} {done}", err=True)
