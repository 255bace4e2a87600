"""The native removal of nodes; its twin is the Python of `ctxsieve.compress`."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ctxsieve._kernels import _native
from ctxsieve._kernels.grammars import check_query, grammar_capsule
from ctxsieve._kernels.node_removal import FoundNodes, RemovedNodes

__all__ = ["find_nodes", "remove_nodes"]

# Characters of a text above ASCII: which of them form words depends on Python's own version of Unicode.
_WIDE = re.compile(r"[^\x00-\x7f]")


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
    words = digits = ""
    if not source.isascii():
        wide = "".join(sorted(set(_WIDE.findall(source))))
        words, digits = "".join(re.findall(r"\w", wide)), "".join(re.findall(r"\d", wide))
    try:
        removed = _remover(grammar, table).remove(
            source,
            list(choice),
            kept=kept,
            is_aligned=is_aligned,
            gap_tokens=gap_tokens,
            parse_limit=parse_limit,
            match_limit=match_limit,
            words=words,
            digits=digits,
        )
    except UnicodeEncodeError:
        # A lone surrogate is no text for the native core.
        return None
    outcome, content, tokens, gaps, found, source_tokens = removed
    return RemovedNodes(outcome, content, tokens, gaps, FoundNodes._make(found), source_tokens)


@lru_cache(maxsize=128)
def _remover(grammar: str, table: str) -> _native.NodeRemover:
    check_query(table)
    return _native.NodeRemover(grammar_capsule(grammar), table)
