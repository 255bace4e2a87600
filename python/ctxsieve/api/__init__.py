"""The library: `Project.open(path).preload(task)`."""

from ctxsieve.api.project import Project

__all__ = ["Project"]
