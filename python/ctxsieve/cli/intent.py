"""`ctxsieve intent`: what a task asks for, and what follows from it."""

from pathlib import Path, PurePosixPath
from typing import Any

from ctxsieve.cli.options import FormatOption, PathOption, TaskArgument, text_of
from ctxsieve.cli.output import OutputFormat, print_record

__all__ = ["intent", "intent_record"]


def intent(task: TaskArgument, path: PathOption = Path("."), output: FormatOption = OutputFormat.TEXT) -> None:
    """Print what a task asks for: type, targets, scope, urgency, and the mode and tests that fit."""
    print_record(intent_record(text_of(task), path), output, name="intent")


def intent_record(task: str, root: Path) -> dict[str, Any]:
    """The intent as one record; paths of the project under `root` count as targets."""
    from ctxsieve.intent import describe_intent

    return describe_intent(task, exists=lambda name: _is_inside(name) and (root / name).is_file())


def _is_inside(name: str) -> bool:
    """Whether a name stays below the root by its spelling; nothing else is looked up."""
    path = PurePosixPath(name)
    return "\x00" not in name and len(name) < 1024 and not path.is_absolute() and ".." not in path.parts
