"""Inputs for the scanner: sources made of the texts that a scan table reacts to."""

import json
from typing import Any

from hypothesis import strategies as st

from ctxsieve.graph.tables import load_scan_tables

TABLES = load_scan_tables()
CODE_TABLES = [
    (number, name) for number, name in enumerate(TABLES.names) if json.loads(TABLES.compiled[number])["kind"] == "code"
]
_GENERAL = [
    *("\n", "\n\n", " ", "\t", "\r\n", "\\\n", "=>", "->", "//", "/*", "*/", "${", "#{", "\\("),
    *"\\()[]{}<>;,:=.'\"`/#@$%!?*&|-",
    *("a", "Name", "HTTPServer", "snake_case", "x1", "_private", "0x1F", "12.5", "été", "名前", "\x00"),
    *("if", "else", "return", "EOF", "#if A\n", "#else\n", "#endif\n", "#define M(x) x\n", "<<EOF\n", "EOF\n"),
]


def _texts_of(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value} if value else set()
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*(_texts_of(item) for item in values))


def sources_for(number: int) -> st.SearchStrategy[bytes]:
    """Return sources that are dense in what the table of a language knows."""
    texts = sorted(_texts_of(json.loads(TABLES.compiled[number])))
    piece = st.one_of(
        st.sampled_from([text.encode() for text in [*texts, *_GENERAL]]),
        st.sampled_from([text.encode() + b" " for text in texts]),
        st.binary(max_size=3),
    )
    return st.lists(piece, max_size=40).map(b"".join)
