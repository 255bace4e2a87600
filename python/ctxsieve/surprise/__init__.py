"""Predictive surprise: how much a line tells, measured as the cross-entropy of its tokens under a rank prior."""

from ctxsieve.surprise.scoring import LineScores, score_files, score_lines

__all__ = ["LineScores", "score_files", "score_lines"]
