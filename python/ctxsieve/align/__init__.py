"""BPE alignment: the same thing in fewer tokens (SPEC 8)."""

from typing import TYPE_CHECKING

from ctxsieve.align.options import AlignOptions
from ctxsieve.align.source import align_lines
from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.align.notation import align_row

__all__ = ["AlignOptions", "align_lines", "align_row"]

__getattr__ = lazy_exports(__name__, {"align_row": "ctxsieve.align.notation"})
