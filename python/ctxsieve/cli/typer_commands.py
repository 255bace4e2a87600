"""Commands whose parameters are declared in `options`, as the command-line library takes them."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from ctxsieve.cli.options import Argument, Option

__all__ = ["translate_declarations"]


def translate_declarations(app: typer.Typer) -> None:
    """Give every command of an app, and of the apps below it, parameters that the library understands."""
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = _translated(command.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            translate_declarations(group.typer_instance)


def _translated(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def call(*positional: Any, **named: Any) -> Any:
        return command(*positional, **named)

    call.__annotations__ = {name: _spelled(hint) for name, hint in command.__annotations__.items()}
    signature = inspect.signature(command)
    parameters = [p.replace(annotation=call.__annotations__[name]) for name, p in signature.parameters.items()]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return call


def _spelled(hint: Any) -> Any:
    """Return an annotated type with the library's declaration in the place of ours; others as they are."""
    for declared in getattr(hint, "__metadata__", ()):
        if isinstance(declared, Argument):
            return Annotated[hint.__origin__, typer.Argument(help=declared.help)]
        if isinstance(declared, Option):
            reader = declared.reader and _refusing(declared.reader)
            option = typer.Option(declared.name, help=declared.help, envvar=declared.variable, parser=reader)
            return Annotated[hint.__origin__, option]
    return hint


def _refusing(reader: Callable[[str], Any]) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        try:
            return reader(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return parse
