"""What a tool is: a name, a sentence for the model, checked arguments, and a function that answers."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import mcp_types as types

from ctxsieve.api import Project, Session
from ctxsieve.mcp_server.answers import Answer
from ctxsieve.mcp_server.progress import WorkReport
from ctxsieve.mcp_server.schemas import Arguments, input_schema
from ctxsieve.values import dataclass

__all__ = ["Call", "Tool"]


@dataclass(frozen=True, slots=True)
class Call:
    """What one call of a tool works with; runs in a worker thread.

    Attributes:
        project: what is served to this client.
        session: the client's window on it.
        consumer: the client's name in the ledger, None for one that cannot be told from others.
        report: takes the progress of long work.
    """

    project: Project
    session: Session
    consumer: str | None
    report: WorkReport


@dataclass(frozen=True)
class Tool:
    """One entry of the table."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Call, Any], Answer]
    is_read_only: bool = True

    @cached_property
    def definition(self) -> types.Tool:
        """The tool as `tools/list` shows it."""
        if self.is_read_only:
            hints = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        else:
            hints = types.ToolAnnotations(destructive_hint=False, open_world_hint=False)
        return types.Tool(
            name=self.name,
            description=self.description,
            input_schema=input_schema(self.arguments),
            annotations=hints,
        )
