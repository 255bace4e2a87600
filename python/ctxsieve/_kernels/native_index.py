"""The native index kernels in the shape that both backends share."""

from collections.abc import Sequence

from ctxsieve._kernels import _native
from ctxsieve._kernels.grammars import QueryCaptures, SyntaxNodes, check_query, grammar_capsule


def query_captures(
    sources: Sequence[bytes],
    grammar: str,
    query: str,
    *,
    parse_limit: int,
    match_limit: int,
    threads: int,
) -> QueryCaptures:
    """Return the captures of `query` in every source; see `QueryCaptures`."""
    check_query(query)
    found = _native.query_captures(list(sources), grammar_capsule(grammar), query, parse_limit, match_limit, threads)
    if found is None:
        raise ValueError(f"query for the grammar {grammar!r} does not compile")
    return QueryCaptures._make(found)


def syntax_nodes(sources: Sequence[bytes], grammar: str, *, parse_limit: int, threads: int) -> SyntaxNodes:
    """Return the nodes of every source; see `SyntaxNodes`."""
    return SyntaxNodes._make(_native.syntax_nodes(list(sources), grammar_capsule(grammar), parse_limit, threads))
