"""The rules of a language as the native removal of nodes takes them."""

import json
from functools import cache

from ctxsieve.languages.layout import layout_kinds
from ctxsieve.languages.table import IndentationRule, Language

__all__ = ["removal_rules"]


@cache
def removal_rules(language: Language) -> str:
    """Return as JSON what the tables say about finding definitions and nodes, and about writing what is left."""
    kinds = layout_kinds(language)
    has_layout = any(kinds)
    rules = {
        "definitions": language.query("definitions"),
        "compress": language.query("compress"),
        "indentation": (language.indentation if has_layout else IndentationRule.COLUMNS).value,
        "literals": kinds.literals,
        "comments": kinds.comments,
        "opening": kinds.opening,
        "closing": kinds.closing,
        "separator": language.separator,
        "name_separators": language.name_separators,
        "keywords": dict(language.keywords),
        "clauses_are_one": language.clauses_are_one,
        "ellipsis": language.ellipsis,
        "line_comment": language.comments.line,
        "block_comment": language.comments.block,
    }
    return json.dumps(rules)
