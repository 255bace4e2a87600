"""The quality gate: which lines and which words may not be lost."""

import re
from collections.abc import Sequence, Set
from functools import lru_cache

__all__ = ["continuation_lines", "error_lines", "is_error_line", "protected_words", "without_timestamps"]

_ERROR = re.compile(
    r"\b(?:errors?|fatal|panic(?:ked|s)?|exceptions?|fail(?:s|ed|ure|ures|ing)?|traceback|abort(?:ed|ing)?|segfault"
    r"|segmentation fault|core dumped|denied|undefined reference|unresolved|cannot|can't|could not|couldn't|unable to"
    r"|not found|no such|unexpected|invalid|refused|timed out|timeout|killed|oom|oomkilled|crashloopbackoff"
    r"|errimagepull|imagepullbackoff|conflict|corrupt(?:ed)?|unhealthy|vulnerabilit(?:y|ies)|critical|severe|alert"
    r"|emerg|deadlock|overflow|assert(?:ion)?)\b"
    r"|(?-i:\b\w*(?:Error|Exception)\b)|\berr!|\berror\[|^E\s{2,}|✖|✗|✘|❌|×\s|FAIL|ошибк|错误|失败|エラー|失敗|异常",
    re.IGNORECASE,
)
# "0 errors", "no errors" and the like report that nothing is wrong.
_NO_ERROR = re.compile(
    r"\b(?:0|no|without)\s+(?:errors?|failures?|failed|failing|exceptions?|conflicts?|vulnerabilities)\b",
    re.IGNORECASE,
)
_CONTINUATION = re.compile(r"^(?:\s+\S|\||=|\^|~|at\s|\.\.\.|\d+\s*\|)")
_MOST_CONTINUATION_LINES = 30
_WORDS = re.compile(
    r"(?P<address>\b[a-z][a-z0-9+.-]*://[^\s\"'<>)\]]+)"
    r"|(?P<path>(?:(?<![\w.@+-])(?:~|\.{1,2})?/?[\w.@+-]*(?:[/\\][\w.@+\-]+)+/?"
    r"|\b[\w-]+\.[A-Za-z]\w{0,9}\b)(?::\d+(?::\d+)?|\(\d+,\d+\))?)"
    r"|(?P<quantity>(?<![\w.,])[-+]?\d[\d.,]*\s?(?:%|°C?|[kKMGTP]i?[bB]?\b|[bB]\b|bytes?\b|[nµum]?s\b|ms\b|secs?\b|seconds?\b"
    r"|mins?\b|minutes?\b|hours?\b|[hd]\b|days?\b|[kMG]?Hz\b|px\b|lines?\b|files?\b|packages?\b|tests?\b|passed\b"
    r"|warnings?\b|insertions?\b|deletions?\b|tokens?\b|req/s\b|ops\b|x\b))"
    r"|(?P<identifier>(?<!`)`[^`\n]+`(?!`)|\b[A-Za-z_]\w*(?:(?:::|\.|->|#)[A-Za-z_]\w*)+|\b\w+\(\)|--?[A-Za-z][\w-]*"
    r"|\b(?:[A-Za-z0-9]+_)+[A-Za-z0-9_]+\b|\b_\w+|\b[a-z0-9]+[A-Z]\w*\b|\b[A-Z][a-z0-9]+[A-Z]\w*\b"
    r"|\bv?\d+(?:\.\d+)+[\w.+-]*|\b[0-9a-f]{7,64}\b|(?<![\w-])[A-Za-z]+(?:-[A-Za-z0-9]+)*-?\d[\w-]*)"
)
_TIMESTAMP = re.compile(
    r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?"
    r"|\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d\b"
)
_LONGEST_EXAMINED = 4000


# Every level judges the same lines again.
_REMEMBERED_LINES = 1 << 16


@lru_cache(maxsize=_REMEMBERED_LINES)
def is_error_line(line: str) -> bool:
    """Whether the line itself speaks of something that went wrong."""
    examined = line if len(line) <= _LONGEST_EXAMINED else line[:_LONGEST_EXAMINED]
    found = _ERROR.search(examined)
    return found is not None and (_ERROR.search(_NO_ERROR.sub(" ", examined)) is not None)


def error_lines(lines: Sequence[str]) -> set[int]:
    """Positions of the lines that themselves speak of something that went wrong; of equal lines only the first."""
    first: dict[str, int] = {}
    for position, line in enumerate(lines):
        if line not in first and is_error_line(line):
            first[line] = position
    return set(first.values())


def continuation_lines(lines: Sequence[str], errors: Set[int]) -> set[int]:
    """Positions of the lines that continue an error line: indented, a code frame, or a stack; at most 30 each."""
    continuing: set[int] = set()
    left = 0
    for position, line in enumerate(lines):
        if position in errors:
            left = _MOST_CONTINUATION_LINES
        elif left and _CONTINUATION.match(line):
            continuing.add(position)
            left -= 1
        else:
            left = 0
    return continuing


def without_timestamps(line: str) -> str:
    """The line with its times blanked; when something happened is not what it says."""
    return _TIMESTAMP.sub(" ", line)


@lru_cache(maxsize=_REMEMBERED_LINES)
def protected_words(line: str) -> frozenset[str]:
    """Paths, addresses, numbers with a unit and identifiers in the line; times are none of them."""
    return frozenset(found[0].strip() for found in _WORDS.finditer(without_timestamps(line)[:_LONGEST_EXAMINED]))
