"""The library: projects and sessions."""

from ctxsieve.api.project import Project
from ctxsieve.api.session import Session

__all__ = ["Project", "Session"]
