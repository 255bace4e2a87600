"""What stands twice among the lines that are loaded for one answer (SPEC 7)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.dedup.names import KeptNames
    from ctxsieve.dedup.options import DedupOptions
    from ctxsieve.dedup.plan import LoadedFile, Repeat, plan_suppression
    from ctxsieve.dedup.redundancy import RedundantLines, find_redundant_lines

__all__ = [
    "DedupOptions",
    "KeptNames",
    "LoadedFile",
    "RedundantLines",
    "Repeat",
    "find_redundant_lines",
    "plan_suppression",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "DedupOptions": "ctxsieve.dedup.options",
        "KeptNames": "ctxsieve.dedup.names",
        "LoadedFile": "ctxsieve.dedup.plan",
        "Repeat": "ctxsieve.dedup.plan",
        "plan_suppression": "ctxsieve.dedup.plan",
        "RedundantLines": "ctxsieve.dedup.redundancy",
        "find_redundant_lines": "ctxsieve.dedup.redundancy",
    },
)
