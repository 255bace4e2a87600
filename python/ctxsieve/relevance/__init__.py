"""Which files and which lines matter to a task (docs/relevance.md)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.relevance.definitions import TermMatcher, score_lines, share_terms
    from ctxsieve.relevance.history import History, read_history
    from ctxsieve.relevance.options import (
        HistoryOptions,
        LexicalWeights,
        LineOptions,
        RelevanceOptions,
        RoleWeights,
        TermWeights,
    )
    from ctxsieve.relevance.ranking import Explanation, RankedFile, Ranking, rank_files
    from ctxsieve.relevance.terms import TaskTerms, Term, TermKind, parse_task
    from ctxsieve.relevance.traces import Frame, find_frames

__all__ = [
    "Explanation",
    "Frame",
    "History",
    "HistoryOptions",
    "LexicalWeights",
    "LineOptions",
    "RankedFile",
    "Ranking",
    "RelevanceOptions",
    "RoleWeights",
    "TaskTerms",
    "Term",
    "TermKind",
    "TermMatcher",
    "TermWeights",
    "find_frames",
    "parse_task",
    "rank_files",
    "read_history",
    "score_lines",
    "share_terms",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "LineOptions": "ctxsieve.relevance.options",
        "TermMatcher": "ctxsieve.relevance.definitions",
        "score_lines": "ctxsieve.relevance.definitions",
        "share_terms": "ctxsieve.relevance.definitions",
        "History": "ctxsieve.relevance.history",
        "HistoryOptions": "ctxsieve.relevance.options",
        "read_history": "ctxsieve.relevance.history",
        "LexicalWeights": "ctxsieve.relevance.options",
        "RelevanceOptions": "ctxsieve.relevance.options",
        "RoleWeights": "ctxsieve.relevance.options",
        "TermWeights": "ctxsieve.relevance.options",
        "Explanation": "ctxsieve.relevance.ranking",
        "RankedFile": "ctxsieve.relevance.ranking",
        "Ranking": "ctxsieve.relevance.ranking",
        "rank_files": "ctxsieve.relevance.ranking",
        "TaskTerms": "ctxsieve.relevance.terms",
        "Term": "ctxsieve.relevance.terms",
        "TermKind": "ctxsieve.relevance.terms",
        "parse_task": "ctxsieve.relevance.terms",
        "Frame": "ctxsieve.relevance.traces",
        "find_frames": "ctxsieve.relevance.traces",
    },
)
