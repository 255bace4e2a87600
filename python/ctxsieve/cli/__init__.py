"""The command line."""

from ctxsieve.cli.entry import run_command_line

__all__ = ["run_command_line"]
