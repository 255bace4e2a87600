"""The command line."""

from ctxsieve.cli.app import run

__all__ = ["run"]
