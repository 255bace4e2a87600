"""Enforcing a tool profile where calls are made: what was not admitted cannot be called, whatever a model asks."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

from ctxsieve.errors import ToolDeniedError
from ctxsieve.reasoning.profiles import ToolProfile, ToolVerdict

__all__ = ["ToolGate"]


class ToolGate:
    """The admitted tools of one run, decided once: `tools` goes to the model, `require` stands before every call.

    A tool that is added to the registry afterwards was never judged, so it is denied until a new gate is made.
    """

    def __init__(self, profile: ToolProfile, tools: Iterable[Any], *, task: str | None = None) -> None:
        tools = list(tools)
        self.verdicts: tuple[ToolVerdict, ...] = tuple(profile.explain(tools, task=task))
        judged = zip(tools, self.verdicts, strict=True)
        self.tools: tuple[Any, ...] = tuple(tool for tool, verdict in judged if verdict.admitted)
        self._admitted = frozenset(verdict.name for verdict in self.verdicts if verdict.admitted)

    def admits(self, name: str) -> bool:
        """Return whether a call by exactly this name is allowed."""
        return name in self._admitted

    def require(self, name: str) -> None:
        """Raise ToolDeniedError, with the rule that removed the tool, unless a call by this name is allowed."""
        if name in self._admitted:
            return
        removed = next((verdict for verdict in self.verdicts if verdict.name == name), None)
        why = (
            "it was not in the list that the profile judged" if removed is None else f"{removed.rule}: {removed.detail}"
        )
        raise ToolDeniedError(f"tool {name!r} is denied by the profile ({why})")

    def guard(self, execute: Callable[[str, Mapping[str, Any]], Any]) -> Callable[[str, Mapping[str, Any]], Any]:
        """Return `execute(name, arguments)` behind `require`; a coroutine function stays one."""
        if inspect.iscoroutinefunction(execute):

            @wraps(execute)
            async def guarded_later(name: str, arguments: Mapping[str, Any]) -> Any:
                self.require(name)
                return await execute(name, arguments)

            return guarded_later

        @wraps(execute)
        def guarded(name: str, arguments: Mapping[str, Any]) -> Any:
            self.require(name)
            return execute(name, arguments)

        return guarded
