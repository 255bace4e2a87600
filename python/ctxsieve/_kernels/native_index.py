"""The native index kernels in the shape that both backends share."""

from collections.abc import Sequence

from ctxsieve._kernels import _native
from ctxsieve._kernels.grammars import QueryCaptures, SyntaxNodes, check_query, grammar_capsule
from ctxsieve._kernels.trees import WalkedTree

build_segment = _native.build_segment
scan_record = _native.scan_record


def walk_tree(root: bytes, *, with_git_rules: bool, threads: int) -> WalkedTree:
    """Return the files below `root` that no ignore rule excludes; see `WalkedTree`."""
    paths, sizes, mtimes_ns, ctimes_ns, inodes, skipped, reasons, repositories = _native.walk_tree(
        root, with_git_rules, threads
    )
    skipped_paths = skipped.split(b"\0") if skipped else []
    return WalkedTree(
        paths.split(b"\0") if paths else [],
        sizes,
        mtimes_ns,
        ctimes_ns,
        inodes,
        list(zip(skipped_paths, reasons.tolist(), strict=True)),
        repositories.split(b"\0") if repositories else [],
    )


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
