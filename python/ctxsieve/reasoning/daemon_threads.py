"""Blocking functions for asyncio in threads that nobody waits for."""

import asyncio
import inspect
import threading
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["call_without_blocking", "run_in_daemon_thread"]

Value = TypeVar("Value")


async def call_without_blocking(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what the function gives: a coroutine function runs in this loop, a plain one in a thread of its own."""
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
        return await function(*arguments)
    result = await run_in_daemon_thread(function, *arguments)
    return await result if inspect.isawaitable(result) else result


async def run_in_daemon_thread(function: Callable[..., Value], *arguments: Any) -> Value:
    """Return what the function returns or raise what it raises.

    The thread belongs to no pool: the end of the loop and of the process do not wait for a late one.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Value] = loop.create_future()

    def succeed(value: Value) -> None:
        if not done.done():
            done.set_result(value)

    def fail(error: BaseException) -> None:
        if not done.done():
            # A future cannot carry StopIteration.
            done.set_exception(RuntimeError(repr(error)) if isinstance(error, StopIteration) else error)

    def run() -> None:
        try:
            value = function(*arguments)
        except BaseException as error:
            _tell(loop, fail, error)
        else:
            _tell(loop, succeed, value)

    threading.Thread(target=run, name="ctxsieve-call", daemon=True).start()
    return await done


def _tell(loop: asyncio.AbstractEventLoop, settle: Callable[[Any], None], value: Any) -> None:
    try:
        loop.call_soon_threadsafe(settle, value)
    except RuntimeError:
        return  # the loop was closed meanwhile: nobody waits for the answer
