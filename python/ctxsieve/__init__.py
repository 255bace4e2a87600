"""ctxsieve decides what a coding agent gets to see: the right files, the right lines, within the token budget."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.api import AsyncProject, Project, Session, WatchedProject
    from ctxsieve.terse import compress_messages

__all__ = ["AsyncProject", "Project", "Session", "WatchedProject", "__version__", "compress_messages"]

__version__ = "0.1.0"

# Importing the package stays cheap: no numpy, no command line.
__getattr__ = lazy_exports(
    __name__,
    {
        **dict.fromkeys(("AsyncProject", "Project", "Session", "WatchedProject"), "ctxsieve.api"),
        "compress_messages": "ctxsieve.terse",
    },
)
