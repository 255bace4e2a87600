"""The native removal of nodes; its twin is the Python of `ctxsieve.compress`."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import _native
from ctxsieve._kernels.grammars import check_query, grammar_capsule
from ctxsieve._kernels.node_removal import FoundNodes, LeftText, RemovedNodes
from ctxsieve._kernels.wide_characters import wide_characters

__all__ = ["RemovalQueue", "find_nodes", "leave_out", "remove_nodes"]


def find_nodes(source: str, grammar: str, table: str, *, parse_limit: int, match_limit: int) -> FoundNodes | None:
    """Return what may go from a file of code; arguments and None as for `remove_nodes`."""
    try:
        found = _remover(grammar, table).find(source, parse_limit=parse_limit, match_limit=match_limit)
    except UnicodeEncodeError:
        return None
    return FoundNodes._make(found)


def remove_nodes(
    source: str,
    grammar: str,
    table: str,
    choice: Sequence[float],
    *,
    kept: bytes = b"",
    is_aligned: bool,
    gap_tokens: int,
    parse_limit: int,
    match_limit: int,
) -> RemovedNodes | None:
    """Return a file of code without the chosen nodes, without the interpreter lock; None where only the twin can.

    Args:
        source: the text.
        grammar: of its language.
        table: the rules of its language as JSON.
        choice: share, surprise and lost names of `aggressive`, the share of `entropy`, or nothing for `kept`.
        kept: one byte per line, not 0 for lines that stay.
        is_aligned: whether lines are spelled in fewest tokens.
        gap_tokens: what costs no more stays.
        parse_limit: as for `query_captures`.
        match_limit: as for `query_captures`.
    """
    remover = _remover(grammar, table)
    asked = _asked(source, choice, kept, is_aligned, False, gap_tokens, parse_limit, match_limit)
    try:
        return _removed(remover.remove(source, asked))
    except UnicodeEncodeError:
        # A lone surrogate is no text for the native core.
        return None


def leave_out(
    source: str,
    grammar: str,
    table: str,
    content: str,
    *,
    tokens: int,
    shown: npt.NDArray[np.uint32],
    gaps: npt.NDArray[np.uint32],
    hidden: npt.NDArray[np.uint32],
    notes: Sequence[str],
    found: FoundNodes,
    parse_limit: int,
    tried_texts: int,
) -> LeftText | None:
    """Return a text of a file of code without some lines, or without as many as still parse, found by halves.

    None where only the twin can.

    Args:
        source: the file's own text.
        grammar: of its language.
        table: the rules of its language as JSON.
        content: the text, in which shown lines stand in source order and each gap as one line.
        tokens: of the text.
        shown: first and last line of what stands in it.
        gaps: first and last line of each gap.
        hidden: first and last line of what goes.
        notes: what the mark says of each of them.
        found: what may go from the file.
        parse_limit: as for `query_captures`.
        tried_texts: so many texts are tried at most.
    """
    try:
        left = _remover(grammar, table).leave_out(
            source,
            content,
            tokens=tokens,
            shown=shown,
            gaps=gaps,
            hidden=hidden,
            notes=notes,
            nodes=found.nodes,
            blocks=found.blocks,
            error_nodes=found.error_nodes,
            tree=found.tree,
            parse_limit=parse_limit,
            tried_texts=tried_texts,
        )
    except UnicodeEncodeError:
        return None
    return LeftText(None, 0, gaps) if left is None else LeftText._make(left)


class RemovalQueue:
    """Files that lose nodes in `threads` threads while others are read; a context manager, which stops what is left."""

    def __init__(self, threads: int) -> None:
        self._queue = _native.RemovalQueue(threads)

    def add(
        self,
        source: str,
        grammar: str,
        table: str,
        choice: Sequence[float],
        *,
        is_aligned: bool,
        gap_tokens: int,
        parse_limit: int,
        match_limit: int,
        keeps_tree: bool = False,
    ) -> int | None:
        """Return the number by which the file is taken, None where only the twin can; arguments as above.

        With `keeps_tree` what was found has the tree of a text without errors.
        """
        asked = _asked(source, choice, b"", is_aligned, keeps_tree, gap_tokens, parse_limit, match_limit)
        try:
            return self._queue.add(_remover(grammar, table), source, asked)
        except UnicodeEncodeError:
            return None

    def take(self, number: int) -> RemovedNodes:
        """Return the file without the chosen nodes, as `remove_nodes` does, once it is done."""
        return _removed(self._queue.take(number))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._queue.close()


def _asked(
    source: str,
    choice: Sequence[float],
    kept: bytes,
    is_aligned: bool,
    keeps_tree: bool,
    gap_tokens: int,
    parse_limit: int,
    match_limit: int,
) -> "_native.AskedRemoval":
    words, digits = wide_characters(source)
    return list(choice), kept, is_aligned, keeps_tree, gap_tokens, parse_limit, match_limit, words, digits


def _removed(fields: "_native.RemovedFields") -> RemovedNodes:
    outcome, content, tokens, gaps, found, source_tokens = fields
    return RemovedNodes(outcome, content, tokens, gaps, FoundNodes._make(found), source_tokens)


@lru_cache(maxsize=128)
def _remover(grammar: str, table: str) -> _native.NodeRemover:
    check_query(table)
    return _native.NodeRemover(grammar_capsule(grammar), table)
