"""Sessions for answers that matter more than their record."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ctxsieve.cli.output import print_error

if TYPE_CHECKING:
    from ctxsieve.api import Project, Session
    from ctxsieve.ledger import Delivery

__all__ = ["close_sessions", "confirm", "recorded_session", "warn"]

_left_open: "list[Session]" = []


@contextmanager
def recorded_session(project: "Project", *, session: str, consumer: str | None) -> "Iterator[Session]":
    """Open a session; where the store cannot be opened, one that forgets, with a warning: the answer is whole.

    It is left open for `close_sessions` or the end of the process.
    """
    from ctxsieve.errors import StoreError
    from ctxsieve.store import Store

    try:
        # What nobody in particular was sent is only counted: a power failure may take it.
        store = Store(project.directories.store, is_synced=consumer is not None)
        opened = project.session(session=session, consumer=consumer, store=store)
    except StoreError as error:
        warn(str(error))
        opened = project.session(session=session, consumer=consumer, is_durable=False)
    _left_open.append(opened)
    yield opened


def close_sessions() -> None:
    """Close the sessions that were left open.

    A process that ends does without: to close a store writes its log into its file and waits for the disk, a twentieth
    of an answer's time, while the next process reads the log as well as the file.
    """
    while _left_open:
        _left_open.pop().close()


def confirm(opened: "Session", delivery: "Delivery | None") -> None:
    """Note that the text was written; trouble is a warning, since it was."""
    from ctxsieve.errors import StoreError

    try:
        opened.confirm(delivery)
    except StoreError as error:
        warn(str(error))


def warn(problem: str) -> None:
    """Say on standard error that the ledger does not know of this answer."""
    if problem:
        print_error(f"not recorded: {problem}")
