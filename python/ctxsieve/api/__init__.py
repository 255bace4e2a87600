"""The library: projects and sessions."""

from typing import TYPE_CHECKING

from ctxsieve.api.project import Project
from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.api.asynchronous import AsyncProject
    from ctxsieve.api.session import Session
    from ctxsieve.api.watched import WatchedProject

__all__ = ["AsyncProject", "Project", "Session", "WatchedProject"]

__getattr__ = lazy_exports(
    __name__,
    {
        "AsyncProject": "ctxsieve.api.asynchronous",
        "Session": "ctxsieve.api.session",
        "WatchedProject": "ctxsieve.api.watched",
    },
)
