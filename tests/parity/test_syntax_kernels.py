import numpy as np
import pytest

from ctxsieve import _kernels

PYTHON = b"import os\n\n\ndef first(x):\n    return x\n\n\nclass Second:\n    def third(self): ...\n"
QUERY = "(function_definition name: (identifier) @name) @function"


def test_captures_are_sorted_by_match_then_capture_id() -> None:
    found = _kernels.query_captures(
        [PYTHON, b"", PYTHON], "python", QUERY, parse_limit=1000, match_limit=100, threads=2
    )
    names = _kernels.query_capture_names("python", QUERY)
    assert names == ("name", "function")
    assert found.indptr.tolist() == [0, 4, 4, 8]
    texts = [PYTHON[start:end].split(b"(")[0] for start, end in zip(found.start_byte, found.end_byte, strict=True)]
    assert texts == [b"first", b"def first", b"third", b"def third"] * 2
    assert found.start_row.tolist() == [3, 3, 8, 8] * 2
    assert found.match.tolist() == [0, 0, 1, 1] * 2


def test_broken_source_counts_error_and_missing_nodes() -> None:
    found = _kernels.query_captures(
        [b"def (:\n", b"f(", PYTHON], "python", QUERY, parse_limit=1000, match_limit=100, threads=1
    )
    assert (found.error_nodes + found.missing_nodes > 0).tolist() == [True, True, False]


def test_parse_limit_stops_and_the_next_source_is_complete() -> None:
    found = _kernels.query_captures([PYTHON * 400, PYTHON], "python", QUERY, parse_limit=5, match_limit=100, threads=1)
    assert found.status.tolist() == [1, 0]
    assert found.indptr.tolist() == [0, 0, 4]


def test_grammar_that_never_returns_is_refused() -> None:
    with pytest.raises(ValueError, match="cobol"):
        _kernels.query_captures([b"a"], "cobol", "(ERROR) @e", parse_limit=10, match_limit=100, threads=1)


def test_unknown_grammar_and_bad_query_name_the_value() -> None:
    with pytest.raises(ValueError, match="'klingon'"):
        _kernels.syntax_nodes([b""], "klingon", parse_limit=10, threads=1)
    with pytest.raises(ValueError, match="'python' does not compile"):
        _kernels.query_captures([b""], "python", "(no_such_node) @x", parse_limit=10, match_limit=100, threads=1)
    with pytest.raises(ValueError, match="predicate"):
        _kernels.query_captures(
            [b""], "python", '((identifier) @x (#eq? @x "a"))', parse_limit=10, match_limit=100, threads=1
        )


def test_nodes_are_in_preorder_and_inside_their_parents() -> None:
    nodes = _kernels.syntax_nodes([PYTHON, b"x = (", b""], "python", parse_limit=1000, threads=2)
    kinds = _kernels.grammar_kinds("python")
    for first, last in zip(nodes.indptr[:-1], nodes.indptr[1:], strict=True):
        parent = nodes.parent[first:last].astype(np.int64)
        assert parent[0] == 0xFFFF_FFFF
        assert (parent[1:] < np.arange(1, last - first)).all()
        start, end = nodes.start_byte[first:last], nodes.end_byte[first:last]
        assert (start[1:] >= start[parent[1:]]).all()
        assert (end[1:] <= end[parent[1:]]).all()
        assert kinds[nodes.kind[first]] == "module"
    assert nodes.flags[0] == 1
    assert "name" in {_kernels.grammar_fields("python")[field] for field in nodes.field}
