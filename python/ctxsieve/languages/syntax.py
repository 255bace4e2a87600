"""Runs a language's query over a source and returns the matches as flat records."""

from dataclasses import dataclass
from functools import lru_cache

import tree_sitter
from tree_sitter_language_pack import get_binding

from ctxsieve.errors import InputError
from ctxsieve.languages.table import Language

__all__ = ["QueryMatch", "match_query"]

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class QueryMatch:
    """One match: the pattern's number in the query file, and (capture name, start byte, end byte) per capture."""

    pattern: int
    captures: tuple[tuple[str, int, int], ...]


@lru_cache(maxsize=64)
def _grammar(name: str) -> tree_sitter.Language:
    return tree_sitter.Language(get_binding(name))  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _query(grammar: str, text: str) -> tree_sitter.Query:
    return tree_sitter.Query(_grammar(grammar), text)


def match_query(source: bytes, language: Language, query: str) -> list[QueryMatch]:
    """Return the matches of a query text over a source, in the order of the query cursor."""
    if language.grammar is None:
        raise InputError(f"{language.name} has no grammar: it cannot be parsed")
    tree = tree_sitter.Parser(_grammar(language.grammar)).parse(source)
    cursor = tree_sitter.QueryCursor(_query(language.grammar, query))
    return [
        QueryMatch(
            pattern,
            tuple((name, node.start_byte, node.end_byte) for name, nodes in captures.items() for node in nodes),
        )
        for pattern, captures in cursor.matches(tree.root_node)
    ]
