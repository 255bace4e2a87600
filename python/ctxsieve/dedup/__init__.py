"""What stands twice among the lines that are loaded for one answer (docs/assembly.md)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.dedup.loaded import LoadedFile, Repeat, ShownText
    from ctxsieve.dedup.options import DedupOptions
    from ctxsieve.dedup.plan import plan_suppression
    from ctxsieve.dedup.redundancy import RedundantLines, find_redundant_lines

__all__ = [
    "DedupOptions",
    "LoadedFile",
    "RedundantLines",
    "Repeat",
    "ShownText",
    "find_redundant_lines",
    "plan_suppression",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "DedupOptions": "ctxsieve.dedup.options",
        "LoadedFile": "ctxsieve.dedup.loaded",
        "Repeat": "ctxsieve.dedup.loaded",
        "ShownText": "ctxsieve.dedup.loaded",
        "plan_suppression": "ctxsieve.dedup.plan",
        "RedundantLines": "ctxsieve.dedup.redundancy",
        "find_redundant_lines": "ctxsieve.dedup.redundancy",
    },
)
