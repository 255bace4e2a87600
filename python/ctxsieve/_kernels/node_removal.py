"""What may be left out of a file of code, and what is left without it, as the native core gives it."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["FoundNodes", "LeftText", "RemovedNodes"]


class FoundNodes(NamedTuple):
    """What may go from one file (uint32 all, one item behind the other).

    `nodes` have class (`NodeClass`), first byte, end, first and last line, `blocks` and `whole_nodes` first and last
    line: blocks that may not be left empty, and everything that may go as a whole, definitions included. `error_nodes`
    counts the error and missing nodes; where a work limit was reached, `is_complete` is false and there are no nodes.
    `tree` is the native core's own, where it was asked to keep it.
    """

    nodes: npt.NDArray[np.uint32]
    blocks: npt.NDArray[np.uint32]
    whole_nodes: npt.NDArray[np.uint32]
    error_nodes: int
    is_complete: bool
    tree: object | None = None


class RemovedNodes(NamedTuple):
    """One file without the chosen nodes.

    `outcome` is 0 where they are left out, 1 where fewer are, so that the rest still parses, 2 where a work limit was
    reached, 3 where nothing may go without breaking the rest, 4 where nothing may go at a gain. `content` is the text
    that is left, None where nothing is left out, and `tokens` its tokens. `gaps` (uint32) have the first and last line
    of each, one behind the other. `source_tokens` are those of the file, None where a work limit was reached.
    """

    outcome: int
    content: str | None
    tokens: int
    gaps: npt.NDArray[np.uint32]
    found: FoundNodes
    source_tokens: int | None


class LeftText(NamedTuple):
    """A text without some lines, its tokens, and first and last line of each gap, one gap behind the other (uint32).

    Where it would cost no less, `content` is None and the rest means nothing.
    """

    content: str | None
    tokens: int
    gaps: npt.NDArray[np.uint32]
