"""Exact o200k_base tokens: counts, ids and cuts. Special tokens such as `<|endoftext|>` are ordinary text."""

from ctxsieve.tokens.counting import count_lines, count_tokens
from ctxsieve.tokens.encoding import decode, encode
from ctxsieve.tokens.joined import count_between
from ctxsieve.tokens.line_costs import spread_newlines
from ctxsieve.tokens.truncation import truncate_at_line

__all__ = [
    "count_between",
    "count_lines",
    "count_tokens",
    "decode",
    "encode",
    "spread_newlines",
    "truncate_at_line",
]
