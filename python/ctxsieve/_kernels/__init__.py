"""The kernels, native or pure: the only module that sees both implementations.

`CTXSIEVE_BACKEND` chooses: `auto` (native when it is compiled, the default), `rust` or `python`.
A forced value never falls back. `BACKEND` says which one runs.
"""

import os
from typing import TYPE_CHECKING

from ctxsieve.errors import BackendError, ConfigError

__all__ = [
    "BACKEND",
    "LANGUAGE_BY_INTERPRETER",
    "NO_LANGUAGE",
    "PARSE_LIMIT",
    "SKIP_REASONS",
    "QueryCaptures",
    "SyntaxNodes",
    "WalkedEntry",
    "WalkedTree",
    "build_segment",
    "compile_scan_table",
    "count_lines",
    "count_tokens",
    "decode_tokens",
    "encode_tokens",
    "grammar_fields",
    "grammar_kinds",
    "heat",
    "louvain",
    "mmr",
    "pagerank",
    "query_capture_names",
    "query_captures",
    "rrf",
    "scan_record",
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

from ctxsieve._kernels.grammars import (  # noqa: E402
    PARSE_LIMIT,
    QueryCaptures,
    SyntaxNodes,
    grammar_fields,
    grammar_kinds,
)
from ctxsieve._kernels.pure.query_captures import query_capture_names  # noqa: E402
from ctxsieve._kernels.scan_tables import compile_scan_table  # noqa: E402
from ctxsieve._kernels.trees import (  # noqa: E402
    LANGUAGE_BY_INTERPRETER,
    NO_LANGUAGE,
    SKIP_REASONS,
    WalkedEntry,
    WalkedTree,
)
from ctxsieve.exports import lazy_exports  # noqa: E402

if TYPE_CHECKING:
    from ctxsieve._kernels.pure.walk_parts import walk_entry, walk_folders

# One implementation for both backends, which only a watch needs.
__getattr__ = lazy_exports(
    __name__,
    {
        "walk_entry": "ctxsieve._kernels.pure.walk_parts",
        "walk_folders": "ctxsieve._kernels.pure.walk_parts",
    },
)

if _native_loaded:
    try:
        from ctxsieve._kernels._native import (
            count_lines,
            count_tokens,
            decode_tokens,
            encode_tokens,
            heat,
            louvain,
            mmr,
            pagerank,
            rrf,
            surprise,
            surprise_lines,
        )
        from ctxsieve._kernels.native_index import build_segment, query_captures, scan_record, syntax_nodes, walk_tree
    except ImportError as error:
        # A module that was compiled from other sources: falling back would hide it, and mixing would be worse.
        raise BackendError(f"the compiled module is of another version ({error}); run `make build`") from error
else:
    from ctxsieve._kernels.pure.query_captures import query_captures
    from ctxsieve._kernels.pure.scan_record import scan_record
    from ctxsieve._kernels.pure.segment import build_segment
    from ctxsieve._kernels.pure.surprise_lines import surprise_lines
    from ctxsieve._kernels.pure.syntax_nodes import syntax_nodes
    from ctxsieve._kernels.pure.tokens import count_lines, count_tokens, decode_tokens, encode_tokens
    from ctxsieve._kernels.pure.walk_tree import walk_tree
    from ctxsieve._kernels.pure_arrays import heat, louvain, mmr, pagerank, rrf, surprise
