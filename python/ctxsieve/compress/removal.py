"""A file without some of its nodes, checked by parsing what is left."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.compress.alike import is_read_alike
from ctxsieve.compress.composition import text_without
from ctxsieve.compress.costs import LineCosts
from ctxsieve.compress.modes import Mode, Rendering, complement
from ctxsieve.compress.nodes import NodeClass, RemovableNode, Skeleton, count_errors
from ctxsieve.compress.options import MARKER_TOKENS
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.values import dataclass

__all__ = [
    "NOTHING_TO_GAIN",
    "REMOVED_LESS",
    "TOO_LARGE",
    "UNPARSABLE",
    "Removal",
    "keeps_parsing",
    "remove_nodes",
]

REMOVED_LESS = "less was left out, so that the rest still parses"
TOO_LARGE = "it is too large to be parsed"
UNPARSABLE = "it would no longer parse with anything left out"
NOTHING_TO_GAIN = "nothing in it may be left out at a gain"

# Tried one after the other while the text that is left has more errors than its source or is read differently.
_SAFER = (NodeClass.ROW, NodeClass.STATEMENT, NodeClass.IMPORT, NodeClass.DOC, NodeClass.COMMENT)


@dataclass(frozen=True, slots=True)
class Removal:
    """A rendering and, where less was left out than was asked for, the reason; `rendering` is None for nothing."""

    rendering: Rendering | None
    reason: str


def remove_nodes(
    source: SourceFile,
    skeleton: Skeleton,
    chosen: Sequence[RemovableNode],
    costs: LineCosts,
    mode: Mode,
    *,
    gap_tokens: int = MARKER_TOKENS,
) -> Removal:
    """Return the file without the chosen nodes, each gap marked by a comment with the lines it hides.

    Gaps of at most `gap_tokens` stay: a marker costs as much. The text that is left keeps parsing: while it did not,
    the less safe classes of nodes stay as well.
    """
    language = source.language
    if language is None or language.grammar is None:
        return Removal(None, "there is no grammar to check with")
    if not source.parsed.complete:
        return Removal(None, TOO_LARGE)
    is_tried = False
    for gaps in _ever_safer(source, chosen, costs, gap_tokens):
        content = text_without(source, gaps, emptied=_emptied(source, gaps, skeleton))
        if keeps_parsing(source, content, gaps):
            reason = REMOVED_LESS if is_tried else ""
            return Removal(Rendering(mode, content, complement(gaps, len(source.lines)), gaps), reason)
        is_tried = True
    return Removal(None, UNPARSABLE if is_tried else NOTHING_TO_GAIN)


def _ever_safer(
    source: SourceFile, chosen: Sequence[RemovableNode], costs: LineCosts, gap_tokens: int
) -> Iterator[tuple[LineRange, ...]]:
    """Yield the gaps of all nodes, then of those in the safer classes, each set once and none that is empty."""
    before: tuple[LineRange, ...] = ()
    for limit in _SAFER:
        gaps = _gaps(source, [node for node in chosen if node.kind <= limit], costs, gap_tokens)
        if gaps and gaps != before:
            yield gaps
        before = gaps


def keeps_parsing(source: SourceFile, content: str, gaps: Sequence[LineRange]) -> bool:
    """Say whether a text in which a mark stands for each gap parses as cleanly as the file, and is read as it was.

    It has no more error nodes than the file itself and, where the file has none, what is shown is of the same kinds.
    """
    if source.language is None or source.language.grammar is None:
        return False
    (errors,) = count_errors([content.encode("utf-8", "surrogatepass")], source.language)
    limit = source.error_nodes
    if limit is None or errors is None or errors > limit:
        return False
    return limit > 0 or is_read_alike(source, content, gaps)


def _gaps(
    source: SourceFile, nodes: Sequence[RemovableNode], costs: LineCosts, gap_tokens: int
) -> tuple[LineRange, ...]:
    """Return the lines to hide: nodes next to each other and the blank lines between them are one gap."""
    with_text = np.flatnonzero(source.has_text)
    is_hidden = _hidden_lines(source, [(node.first_line, node.last_line) for node in nodes])[with_text]
    edges = np.flatnonzero(np.diff(is_hidden, prepend=False, append=False))
    spans = zip(with_text[edges[::2]].tolist(), with_text[edges[1::2] - 1].tolist(), strict=True)
    return tuple(LineRange(first, last) for first, last in spans if costs.of(first, last) > gap_tokens)


def _hidden_lines(source: SourceFile, spans: Sequence[tuple[int, int]]) -> npt.NDArray[np.bool_]:
    """Return for each line, from 0 on, whether one of the spans covers it."""
    bounds = np.array(spans, dtype=np.int64).reshape(-1, 2)
    size = len(source.lines) + 2
    depth = np.bincount(bounds[:, 0], minlength=size) - np.bincount(bounds[:, 1] + 1, minlength=size)
    return np.cumsum(depth)[: size - 1] > 0


def _emptied(source: SourceFile, gaps: Sequence[LineRange], skeleton: Skeleton) -> set[LineRange]:
    """Return the gaps that begin with the first statement of a block all of whose statements are hidden.

    Empty outside languages in which a block may not be empty.
    """
    if source.language is None or source.language.ellipsis is None or not skeleton.blocks:
        return set()
    comments = [(node.first_line, node.last_line) for node in skeleton.nodes if node.kind is NodeClass.COMMENT]
    is_statement = source.has_text & ~_hidden_lines(source, comments)
    is_visible = is_statement & ~_hidden_lines(source, [(gap.first, gap.last) for gap in gaps])
    statements, visible = np.cumsum(is_statement), np.cumsum(is_visible)
    first, last = np.array([(block.first, block.last) for block in skeleton.blocks], dtype=np.int64).T
    is_block = first <= last
    first, last = first[is_block], last[is_block]
    has_none = (visible[last] == visible[first - 1]) & (statements[last] > statements[first - 1])
    opening = np.searchsorted(statements, statements[first[has_none] - 1] + 1)
    ends = np.array([gap.last for gap in gaps], dtype=np.int64)
    return {gaps[number] for number in np.searchsorted(ends, opening).tolist()}
