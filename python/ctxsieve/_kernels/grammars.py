"""The compiled grammars of the language pack, as both backends take them."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import tree_sitter

__all__ = [
    "NODE_IS_EXTRA",
    "NODE_IS_NAMED",
    "PARSE_LIMIT",
    "QueryCaptures",
    "SyntaxNodes",
    "check_query",
    "grammar_capsule",
    "grammar_fields",
    "grammar_kinds",
    "grammar_language",
    "named_kinds",
]

# One call-back stands for 100 parser steps; real source needs about one call-back per 100 to 200 bytes.
PARSE_LIMIT = 1_000_000

# Grammars whose own scanner can loop for ever: no call-back is made in there, so that no limit can stop them.
_UNSTOPPABLE_GRAMMARS = frozenset({"cobol"})


class QueryCaptures(NamedTuple):
    """Captures of one query over a batch of sources, in the order of the cursor's matches.

    `indptr` (uint64, one more than sources) delimits the captures of each source in `match` (ordinal within its
    source), `pattern`, `capture`, `start_byte`, `end_byte`, `start_row` and `end_row` (uint32, rows from 0). Within a
    match they are sorted by capture id, then by source order. `error_nodes`, `missing_nodes` (uint32) and `status`
    (uint8: 0 complete, 1 stopped by the parse limit, 2 stopped by the match limit) have one entry per source; a stopped
    source has no captures.
    """

    indptr: "npt.NDArray[np.uint64]"
    match: "npt.NDArray[np.uint32]"
    pattern: "npt.NDArray[np.uint32]"
    capture: "npt.NDArray[np.uint32]"
    start_byte: "npt.NDArray[np.uint32]"
    end_byte: "npt.NDArray[np.uint32]"
    start_row: "npt.NDArray[np.uint32]"
    end_row: "npt.NDArray[np.uint32]"
    error_nodes: "npt.NDArray[np.uint32]"
    missing_nodes: "npt.NDArray[np.uint32]"
    status: "npt.NDArray[np.uint8]"


# Two of the flags of `SyntaxNodes`.
NODE_IS_NAMED = 1
NODE_IS_EXTRA = 8


class SyntaxNodes(NamedTuple):
    """All nodes of a batch of sources in preorder.

    `indptr` (uint64) delimits the nodes of each source; `kind` and `field` (uint16) index `grammar_kinds` and
    `grammar_fields` (field 0: none); `parent` (uint32) is an index within the source, 0xffffffff for the root; `flags`
    (uint8) adds 1 named, 2 error, 4 missing, 8 extra, 16 contains an error; `status` (uint8, per source) is 1 where
    the parse limit stopped the parser, and then there are no nodes.
    """

    indptr: "npt.NDArray[np.uint64]"
    kind: "npt.NDArray[np.uint16]"
    field: "npt.NDArray[np.uint16]"
    start_byte: "npt.NDArray[np.uint32]"
    end_byte: "npt.NDArray[np.uint32]"
    start_row: "npt.NDArray[np.uint32]"
    end_row: "npt.NDArray[np.uint32]"
    parent: "npt.NDArray[np.uint32]"
    flags: "npt.NDArray[np.uint8]"
    status: "npt.NDArray[np.uint8]"


def grammar_capsule(grammar: str) -> object:
    """Return the capsule with the `TSLanguage*` of a grammar of the language pack.

    Raises:
        ValueError: The pack has no such grammar, or it cannot be stopped.
    """
    if grammar in _UNSTOPPABLE_GRAMMARS:
        raise ValueError(f"grammar is {grammar!r}: its scanner can loop for ever and is never run")
    import tree_sitter_language_pack

    get_binding: Callable[[str], object] = tree_sitter_language_pack.get_binding  # type: ignore[assignment]
    try:
        return get_binding(grammar)
    except LookupError as error:
        raise ValueError(f"grammar is {grammar!r}: the language pack has no such grammar") from error


def check_query(query: str) -> None:
    """Raise ValueError when the query has predicates."""
    if "(#" in query:
        raise ValueError("query has a predicate ('(#'): the two backends know different ones, none is allowed")


@cache
def grammar_language(grammar: str) -> "tree_sitter.Language":
    """Return the py-tree-sitter language of a grammar."""
    import tree_sitter

    return tree_sitter.Language(grammar_capsule(grammar))


@cache
def grammar_kinds(grammar: str) -> tuple[str, ...]:
    """Return the node kind names of a grammar by kind id; ERROR nodes have the id 65535, which is not in it."""
    language = grammar_language(grammar)
    return tuple(language.node_kind_for_id(kind) or "" for kind in range(language.node_kind_count))


@cache
def named_kinds(grammar: str) -> frozenset[str]:
    """Return the names of the node kinds that a query may name in parentheses; others are quoted."""
    language = grammar_language(grammar)
    return frozenset(
        name
        for kind, name in enumerate(grammar_kinds(grammar))
        if language.node_kind_is_named(kind) and language.node_kind_is_visible(kind)
    )


@cache
def grammar_fields(grammar: str) -> tuple[str, ...]:
    """Return the field names of a grammar by field id; id 0 is the empty name."""
    language = grammar_language(grammar)
    return ("", *(language.field_name_for_id(field) or "" for field in range(1, language.field_count + 1)))
