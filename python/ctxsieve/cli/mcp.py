"""`ctxsieve mcp`: passed on to the server's own command line, which is an entry point beside this one."""

from importlib import import_module

import typer

__all__ = ["PASSED_ON", "mcp"]

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def mcp(context: typer.Context) -> None:
    """Serve the project to agents over the Model Context Protocol, or write a client's configuration."""
    # Found by name: the two entry points know nothing of each other.
    import_module("ctxsieve.mcp_server.command").app(args=context.args, prog_name="ctxsieve mcp")
