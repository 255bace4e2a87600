"""Who asks: every connection is a consumer of its own, and what it got is confirmed by its next request.

A stub may stand for a file only where the client provably has the text. So the identity lives no longer than the
connection, and an answer counts as received when the same client asks again without having cancelled it: by then the
response was read from the same ordered stream.
"""

import hashlib
import re
import secrets
import threading
from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext

from ctxsieve.errors import InputError

__all__ = ["CONSUMER_HEADER", "Consumers", "identify"]

CONSUMER_HEADER = "ctxsieve-consumer"
SESSION_HEADER = "mcp-session-id"

_MAX_WAITING = 1000
_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def identify(context: ServerRequestContext[Any, Any], *, connection: str) -> str | None:
    """Return the consumer behind a request, or None for one that cannot be told from others.

    Args:
        context: the request.
        connection: names the process's only connection, where the transport has just one.

    Raises:
        InputError: the consumer header is no name.
    """
    params = context.session.client_params
    client = _NAME.sub("-", params.client_info.name)[:40].strip("-") if params is not None else ""
    client = client or "client"
    if context.request is None:
        return f"{client}-{connection}"
    headers = context.request.headers
    named = headers.get(CONSUMER_HEADER)
    if named is not None:
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", named):
            raise InputError(f"{CONSUMER_HEADER} is {named[:80]!r}: use up to 64 of A-Z, a-z, 0-9, '.', '_' and '-'")
        return str(named)
    session = headers.get(SESSION_HEADER)
    if session is None:
        # Requests without a session may come from anybody: they always get the whole text.
        return None
    return f"{client}-{hashlib.sha256(session.encode()).hexdigest()[:8]}"


class Consumers:
    """Answers that were handed to the transport and not yet confirmed, by consumer and request."""

    def __init__(self) -> None:
        self.connection = secrets.token_hex(4)
        self._lock = threading.Lock()
        self._waiting: dict[str, dict[str, Callable[[], None]]] = {}

    def hand_over(self, consumer: str | None, request_id: object, confirm: Callable[[], None]) -> None:
        """Note that an answer is on its way; `confirm` is called when the consumer asks again."""
        if consumer is None:
            return
        with self._lock:
            if len(self._waiting) >= _MAX_WAITING and consumer not in self._waiting:
                # Over HTTP clients leave without a word; the longest silent one is forgotten.
                del self._waiting[next(iter(self._waiting))]
            self._waiting.setdefault(consumer, {})[str(request_id)] = confirm

    def cancel(self, consumer: str | None, request_id: object) -> None:
        """Forget an answer that the client does not wait for any more."""
        if consumer is None:
            return
        with self._lock:
            self._waiting.get(consumer, {}).pop(str(request_id), None)

    def take_received(self, consumer: str | None) -> list[Callable[[], None]]:
        """Return the confirmations that are due, since the consumer asks again; each is returned once."""
        if consumer is None:
            return []
        with self._lock:
            return list(self._waiting.pop(consumer, {}).values())
