"""The library: projects and sessions."""

from typing import TYPE_CHECKING

from ctxsieve.api.project import Project
from ctxsieve.api.session import Session
from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.api.watched import WatchedProject

__all__ = ["Project", "Session", "WatchedProject"]

__getattr__ = lazy_exports(__name__, {"WatchedProject": "ctxsieve.api.watched"})
