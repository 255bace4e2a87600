"""Which folder a client is served: the one that was named at the start, or one of the client's own roots."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from ctxsieve.errors import PathError

__all__ = ["ClientRoots", "choose_root", "root_paths"]

_ASKED = "roots"
_MAX_KNOWN = 1000
_PATIENCE_SECONDS = 10.0


def choose_root(named: Path | None, current: Path, roots: Sequence[Path], *, home: Path | None = None) -> Path:
    """Return the folder to serve.

    Args:
        named: what `--path` says; it must lie inside a root, where the client has any.
        current: the working directory; without `--path` it is served if it lies inside a root, or if there are none.
        roots: the client's roots in its order; without `--path` the first one is served where `current` is outside.
        home: the user's home directory, which is never taken for a project by itself.

    Raises:
        PathError: nothing may be served; the message says what to do.
    """
    candidate = (named or current).resolve()
    if any(candidate == root or candidate.is_relative_to(root) for root in roots):
        return candidate
    if named is not None and roots:
        shown = ", ".join(map(str, roots))
        raise PathError(f"the served folder {candidate} is outside the client's roots ({shown}): open it in the client")
    if named is None and roots:
        return roots[0]
    if named is None and candidate in (Path(candidate.anchor), home):
        raise PathError(f"the server was started in {candidate}, which is no project: start it with --path FOLDER")
    return candidate


def root_paths(listed: types.ListRootsResult) -> list[Path]:
    """Return the folders among the roots that exist here, links resolved; other kinds of roots say nothing."""
    found = []
    for root in listed.roots:
        parts = urlsplit(str(root.uri))
        if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
            continue
        path = Path(url2pathname(unquote(parts.path) if os.name != "nt" else parts.path))
        if path.is_absolute() and "\0" not in str(path) and path.is_dir():
            found.append(path.resolve())
    return found


class ClientRoots:
    """Asks each client once for its roots and remembers the answer until the client says that it changed."""

    def __init__(self) -> None:
        self._known: dict[str, list[Path]] = {}

    def forget(self, consumer: str | None) -> None:
        """Ask again: the client's roots changed."""
        if consumer is not None:
            self._known.pop(consumer, None)

    async def of(
        self, context: ServerRequestContext[Any, Any], consumer: str | None, responses: Mapping[str, Any] | None
    ) -> list[Path] | types.InputRequiredResult:
        """Return a client's roots, none where it has none; or what to answer, so that it tells them.

        Since revision 2026-07-28 a server cannot ask by itself: the client repeats its request with the answer.
        """
        capabilities = context.session.client_capabilities
        if capabilities is None or capabilities.roots is None:
            return []
        if consumer is not None and consumer in self._known:
            return self._known[consumer]
        if context.session.can_send_request:
            found = await _ask(context)
        elif responses is not None and isinstance(listed := responses.get(_ASKED), types.ListRootsResult):
            found = root_paths(listed)
        elif responses is not None:
            found = []
        else:
            return types.InputRequiredResult(input_requests={_ASKED: types.ListRootsRequest()})
        if consumer is not None:
            if len(self._known) >= _MAX_KNOWN:
                del self._known[next(iter(self._known))]
            self._known[consumer] = found
        return found


async def _ask(context: ServerRequestContext[Any, Any]) -> list[Path]:
    try:
        listed = await context.session.send_request(
            types.ListRootsRequest(),
            types.ListRootsResult,
            request_read_timeout_seconds=_PATIENCE_SECONDS,
            metadata=ServerMessageMetadata(related_request_id=context.request_id),
        )
    except (MCPError, ValueError):
        # It said that it has roots and cannot name them: nothing is known about what it may see.
        await anyio.lowlevel.checkpoint()
        return []
    return root_paths(listed)
