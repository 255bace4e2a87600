"""Sessions for answers that matter more than their record."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ctxsieve.cli.output import print_error

if TYPE_CHECKING:
    from ctxsieve.api import Project, Session
    from ctxsieve.ledger import Delivery

__all__ = ["confirm", "recorded_session", "warn"]


@contextmanager
def recorded_session(project: "Project", *, session: str, consumer: str | None) -> "Iterator[Session]":
    """Open a session; where the store cannot be opened, one that forgets, with a warning: the answer is whole."""
    from ctxsieve.errors import StoreError

    try:
        opened = project.session(session=session, consumer=consumer)
    except StoreError as error:
        warn(str(error))
        opened = project.session(session=session, consumer=consumer, is_durable=False)
    with opened:
        yield opened


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
