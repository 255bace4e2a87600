"""What every request for a project's content goes through: who asks, for which folder, in which thread."""

import logging
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext

from ctxsieve.errors import CtxsieveError
from ctxsieve.mcp_server.consumers import Consumers, identify
from ctxsieve.mcp_server.host import ProjectHost
from ctxsieve.mcp_server.progress import WorkReport
from ctxsieve.mcp_server.roots import ClientRoots, choose_root
from ctxsieve.mcp_server.tools import Call
from ctxsieve.values import dataclass

if TYPE_CHECKING:
    from ctxsieve.ledger import Delivery

__all__ = ["CallRunner", "RequestContext", "ServerOptions"]

_LOG = logging.getLogger(__name__)
# Reading is bound by the disk and the interpreter: more threads only wait for each other.
_WORKERS = 4

RequestContext = ServerRequestContext[Any, Any]
_ResultT = TypeVar("_ResultT")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """What a server serves.

    Attributes:
        path: the folder, or None to go by the client's roots and the working directory.
        session: groups what is recorded, as CTXSIEVE_SESSION does.
        consumer: the name of the only client; by default every connection gets one of its own.
        environment: variables to read settings from.
    """

    path: Path | None = None
    session: str | None = None
    consumer: str | None = None
    environment: Mapping[str, str]


class CallRunner:
    """Runs blocking work for clients and keeps track of what they received."""

    def __init__(self, options: ServerOptions) -> None:
        self._options = options
        self._home = Path(os.path.expanduser("~"))
        self._consumers = Consumers()
        self._roots = ClientRoots()
        self._limiter: anyio.CapacityLimiter | None = None
        self._host = ProjectHost(options.environment, session=options.session, warn=_LOG.warning)

    def close(self) -> None:
        """Close the stores."""
        self._host.close()

    def consumer_of(self, context: RequestContext) -> str | None:
        """Return who asks; see `identify`."""
        return self._options.consumer or identify(context, connection=self._consumers.connection)

    async def root_of(
        self, context: RequestContext, responses: Mapping[str, Any] | None
    ) -> Path | types.InputRequiredResult:
        """Return the folder that is served to a client, or what to answer so that it names its roots."""
        roots = await self._roots.of(context, self.consumer_of(context), responses)
        if isinstance(roots, types.InputRequiredResult):
            return roots
        return choose_root(self._options.path, Path.cwd(), roots, home=self._home)

    async def run(
        self, context: RequestContext, root: Path, function: "Callable[[Call], tuple[_ResultT, Delivery | None]]"
    ) -> _ResultT:
        """Return what a function makes of a call, run in a worker thread; its delivery counts once it was received.

        When the client cancels, nobody waits, and the work ends at its next report.
        """
        consumer = self.consumer_of(context)
        report = WorkReport(context.session.report_progress)
        due = self._consumers.take_received(consumer)

        def work() -> "tuple[_ResultT, Delivery | None, Call]":
            for confirm in due:
                with suppress(CtxsieveError):
                    confirm()
            opened = self._host.open(root)
            call = Call(opened.project, self._host.session(root, consumer), consumer, report)
            return *function(call), call

        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(_WORKERS)
        try:
            result, delivery, call = await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._limiter)
        except anyio.get_cancelled_exc_class():
            report.cancel()
            raise
        if delivery is not None:
            self._consumers.hand_over(consumer, context.request_id, lambda: call.session.confirm(delivery))
        return result

    def forget_request(self, context: RequestContext, request_id: object) -> None:
        """Note that a client does not wait for an answer that it may have been given already."""
        with suppress(CtxsieveError):
            self._consumers.cancel(self.consumer_of(context), request_id)

    def forget_roots(self, context: RequestContext) -> None:
        """Note that a client's roots changed."""
        with suppress(CtxsieveError):
            self._roots.forget(self.consumer_of(context))
