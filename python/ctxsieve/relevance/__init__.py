"""Which files and which lines matter to a task (SPEC 3)."""

from ctxsieve.relevance.definitions import LineOptions, TermMatcher, score_lines
from ctxsieve.relevance.history import History, HistoryOptions, read_history
from ctxsieve.relevance.options import LexicalWeights, RelevanceOptions, RoleWeights, TermWeights
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
]
