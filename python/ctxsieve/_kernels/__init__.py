"""The kernels, native or pure: the only module that sees both implementations.

`CTXSIEVE_BACKEND` chooses: `auto` (native when it is compiled, the default), `rust` or `python`.
A forced value never falls back. `BACKEND` says which one runs. The kernels load when they are first used.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ctxsieve.errors import BackendError, ConfigError

if TYPE_CHECKING:
    from ctxsieve._kernels._native import HeatGraph as HeatGraph
    from ctxsieve._kernels._native import ScoredChunks as ScoredChunks
    from ctxsieve._kernels._native import (
        build_csr,
        build_segment,
        chunk_file,
        count_lines,
        count_tokens,
        decode_tokens,
        encode_tokens,
        find_path_words,
        find_texts,
        heat,
        louvain,
        mmr,
        mmr_in_order,
        pagerank,
        rrf,
        scan_record,
        score_lines,
        sha256,
        surprise,
        surprise_lines,
    )
    from ctxsieve._kernels.grammars import (
        NODE_IS_EXTRA,
        NODE_IS_NAMED,
        PARSE_LIMIT,
        QueryCaptures,
        SyntaxNodes,
        grammar_fields,
        grammar_kinds,
        named_kinds,
    )
    from ctxsieve._kernels.line_spans import flat_lines, ranges_of, shown_and_omitted
    from ctxsieve._kernels.native_index import query_captures, syntax_nodes
    from ctxsieve._kernels.native_removal import RemovalQueue, find_nodes, leave_out, remove_nodes
    from ctxsieve._kernels.native_repeats import find_repeats
    from ctxsieve._kernels.native_walk import walk_tree
    from ctxsieve._kernels.node_removal import FoundNodes, LeftText, RemovedNodes
    from ctxsieve._kernels.pure.query_captures import query_capture_names
    from ctxsieve._kernels.pure.walk_parts import walk_entry, walk_folders
    from ctxsieve._kernels.repeat_search import AnswerFile
    from ctxsieve._kernels.scan_tables import compile_scan_table
    from ctxsieve._kernels.trees import LANGUAGE_BY_INTERPRETER, NO_LANGUAGE, SKIP_REASONS, WalkedEntry, WalkedTree

__all__ = [
    "BACKEND",
    "LANGUAGE_BY_INTERPRETER",
    "NODE_IS_EXTRA",
    "NODE_IS_NAMED",
    "NO_LANGUAGE",
    "PARSE_LIMIT",
    "SKIP_REASONS",
    "AnswerFile",
    "FoundNodes",
    "HeatGraph",
    "LeftText",
    "QueryCaptures",
    "RemovalQueue",
    "RemovedNodes",
    "SyntaxNodes",
    "WalkedEntry",
    "WalkedTree",
    "build_csr",
    "build_segment",
    "chunk_file",
    "compile_scan_table",
    "count_lines",
    "count_tokens",
    "decode_tokens",
    "encode_tokens",
    "find_nodes",
    "find_path_words",
    "find_repeats",
    "find_texts",
    "flat_lines",
    "grammar_fields",
    "grammar_kinds",
    "heat",
    "leave_out",
    "louvain",
    "mmr",
    "mmr_in_order",
    "named_kinds",
    "pagerank",
    "query_capture_names",
    "query_captures",
    "ranges_of",
    "remove_nodes",
    "rrf",
    "scan_record",
    "score_lines",
    "sha256",
    "shown_and_omitted",
    "surprise",
    "surprise_lines",
    "syntax_nodes",
    "walk_entry",
    "walk_folders",
    "walk_tree",
]

_choice = os.environ.get("CTXSIEVE_BACKEND") or "auto"
if _choice not in ("auto", "rust", "python"):
    raise ConfigError(f"CTXSIEVE_BACKEND is {_choice!r}: it must be auto, rust or python")

_native_error: ImportError | None = None
_native_loaded = False
if _choice != "python":
    try:
        from ctxsieve._kernels import _native  # noqa: F401

        _native_loaded = True
    except ImportError as error:
        _native_error = error
if _choice == "rust" and not _native_loaded:
    raise BackendError(
        "CTXSIEVE_BACKEND is rust but the compiled module cannot be loaded; run `make build`"
    ) from _native_error

BACKEND: str = "rust" if _native_loaded else "python"

_PACKAGE = "ctxsieve._kernels"
_NEUTRAL = {
    "NODE_IS_EXTRA": "grammars",
    "NODE_IS_NAMED": "grammars",
    "PARSE_LIMIT": "grammars",
    "QueryCaptures": "grammars",
    "SyntaxNodes": "grammars",
    "grammar_fields": "grammars",
    "grammar_kinds": "grammars",
    "named_kinds": "grammars",
    "query_capture_names": "pure.query_captures",
    "flat_lines": "line_spans",
    "ranges_of": "line_spans",
    "shown_and_omitted": "line_spans",
    "FoundNodes": "node_removal",
    "LeftText": "node_removal",
    "RemovedNodes": "node_removal",
    "AnswerFile": "repeat_search",
    "compile_scan_table": "scan_tables",
    "LANGUAGE_BY_INTERPRETER": "trees",
    "NO_LANGUAGE": "trees",
    "SKIP_REASONS": "trees",
    "WalkedEntry": "trees",
    "WalkedTree": "trees",
    # One implementation for both backends, which only a watch needs.
    "walk_entry": "pure.walk_parts",
    "walk_folders": "pure.walk_parts",
}
_NATIVE = {
    **dict.fromkeys(("count_lines", "count_tokens", "decode_tokens", "encode_tokens"), "_native"),
    **dict.fromkeys(
        ("heat", "louvain", "mmr", "mmr_in_order", "pagerank", "rrf", "surprise", "surprise_lines"), "_native"
    ),
    **dict.fromkeys(("HeatGraph", "build_csr"), "_native"),
    **dict.fromkeys(("build_segment", "scan_record"), "_native"),
    **dict.fromkeys(("query_captures", "syntax_nodes"), "native_index"),
    **dict.fromkeys(("chunk_file", "score_lines"), "_native"),
    **dict.fromkeys(("find_path_words", "find_texts", "sha256"), "_native"),
    **dict.fromkeys(("RemovalQueue", "find_nodes", "leave_out", "remove_nodes"), "native_removal"),
    "find_repeats": "native_repeats",
    "walk_tree": "native_walk",
}
_PURE = {
    **dict.fromkeys(("count_lines", "count_tokens", "decode_tokens", "encode_tokens"), "pure.tokens"),
    **dict.fromkeys(("heat", "louvain", "mmr", "mmr_in_order", "pagerank", "rrf", "surprise"), "pure_arrays"),
    **dict.fromkeys(("HeatGraph", "build_csr"), "pure_arrays"),
    "build_segment": "pure.segment",
    "chunk_file": "pure.chunk_file",
    "query_captures": "pure.query_captures",
    **dict.fromkeys(("RemovalQueue", "find_nodes", "leave_out", "remove_nodes"), "pure.remove_nodes"),
    "find_path_words": "pure.path_words",
    "find_repeats": "pure.find_repeats",
    "find_texts": "pure.texts",
    "scan_record": "pure.scan_record",
    "score_lines": "pure.score_lines",
    "sha256": "pure.digests",
    "surprise_lines": "pure.surprise_lines",
    "syntax_nodes": "pure.syntax_nodes",
    "walk_tree": "pure.walk_tree",
}
_HOMES = {**_NEUTRAL, **(_NATIVE if _native_loaded else _PURE)}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {_PACKAGE!r} has no attribute {name!r}")
    try:
        kernel = getattr(import_module(f"{_PACKAGE}.{_HOMES[name]}"), name)
    except AttributeError as error:
        # A module that was compiled from other sources: falling back would hide it, and mixing would be worse.
        raise BackendError(f"the compiled module is of another version ({error}); run `make build`") from error
    globals()[name] = kernel
    return kernel
