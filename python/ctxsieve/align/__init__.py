"""BPE alignment: the same thing in fewer tokens (docs/alignment.md)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.align.notation import align_row
    from ctxsieve.align.options import AlignOptions
    from ctxsieve.align.source import align_lines

__all__ = ["AlignOptions", "align_lines", "align_row"]

__getattr__ = lazy_exports(
    __name__,
    {
        "AlignOptions": "ctxsieve.align.options",
        "align_lines": "ctxsieve.align.source",
        "align_row": "ctxsieve.align.notation",
    },
)
