"""What of an error text says that two attempts failed alike: the text without what changes from run to run."""

import re

from rapidfuzz.distance import Levenshtein

__all__ = ["compare_texts", "count_failing_tests", "normalise_error"]

COMPARED_CHARACTERS = 8192
# Of a longer text so much is read at either end; markup and blanks shrink it before the ends of 4 KiB are taken.
_READ_CHARACTERS = 6144

_MONTH_ENDS = (
    "(?:an(?:uary)?|eb(?:ruary)?|ar(?:ch)?|pr(?:il)?|ay|une?|uly?|ug(?:ust)?"
    "|ept?(?:ember)?|ct(?:ober)?|(?:ov|ec)(?:ember)?)"
)
# In this order: a timestamp would otherwise leave parts that look like a duration or a port. Every expression begins
# with one set of characters, which the engine skips to; `(?<=\b.)` then asks for the start of a word.
_VOLATILE = [
    (re.compile(r"\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)|[@-Z\\-_])"), ""),
    (
        re.compile(
            r"[MTWFS](?<=\b.)(?:on|ue|ed|hu|ri|at|un)(?:(?:s|nes|rs|ur)?day)?,? (?=[A-Z\d])"
            rf"|[JFMASOND](?<=\b.){_MONTH_ENDS} {{1,2}}\d\d?\b(?:,? \d{{4}}\b)?"
        ),
        "<time>",
    ),
    (
        re.compile(
            r"\d\d\d\d-\d\d-\d\d(?:[T ,_]{1,2}\d\d:\d\d(?::\d\d)?)?(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?"  # ISO 8601
            r"|\d(?<=\b.)\d?:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M\b)?(?:Z| ?(?:UTC|GMT|[+-]\d\d:?\d\d))?"
            rf"|\d(?<=\b.)\d? [JFMASOND]{_MONTH_ENDS}(?: \d{{4}})?\b"
            r"|1(?<=\b.)\d{9}(?:\.\d{1,9}|\d{3}|\d{6}|\d{9})?\b"  # Unix time
        ),
        "<time>",
    ),
    (
        re.compile(
            r"[0-9a-fA-F](?<=\b.)[0-9a-fA-F]{7}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"
            r"|\d(?<=\b.)(?=\d{0,39}[a-f])[0-9a-f]{6,63}\b|[a-f](?<=\b.)(?=[a-f]{0,39}\d)[0-9a-f]{6,63}\b"
        ),
        "<id>",
    ),
    (re.compile(r"0[xX][0-9a-fA-F]{1,32}\b"), "<address>"),
    (
        re.compile(
            r"([pPtTwWgG](?<=\b.)(?:[iI][dD]|[pP][iI][dD]|[rR][oO][cC][eE][sS][sS]|[hH][rR][eE][aA][dD]"
            r"|[oO][rR][kK][eE][rR]|[wW])[ =:#\[(-]{0,3})\d{1,10}\b"
        ),
        r"\1<id>",
    ),
    (re.compile(r"\[\d{3,10}\](?=[: ])"), "[<id>]"),
    (re.compile(r"([l10\[](?<![\w.].)(?:ocalhost|27\.0\.0\.1|\.0\.0\.0|::1?\]):)\d{1,5}\b"), r"\1<port>"),
    (
        re.compile(r"\d(?<![\w.].)\d{0,8}(?:\.\d{1,9})?[ ]?(?:ns|us|µs|ms|s|sec|secs|seconds|min|minutes)\b"),
        "<duration>",
    ),
    (re.compile(r"(/(?:tmp|var/folders|private/tmp|run)/)[^\s:'\"<>|]{1,256}"), r"\1<path>"),
    (re.compile(r"([pt](?<=\b.)(?:mp|ytest-))[\w-]{0,32}\d[\w-]{0,32}"), r"\1<id>"),
]
_BLANKS = re.compile(r"\s+")

# The number of failures in summary lines of common test runners.
_FAILURES = [
    re.compile(r"(?i)\b(\d{1,9})[ ]failed\b"),  # pytest, cargo, jest, vitest, playwright
    re.compile(r"(?i)\b(?:failures|failed|fail)[ ]?[:=][ ]?(\d{1,9})\b"),  # unittest, JUnit, TAP, PHPUnit
    re.compile(r"(?i)\b(\d{1,9})[ ](?:failures?|failing)\b"),  # RSpec, mocha
]
_ERRORS = [re.compile(r"(?i)\berrors[ ]?[:=][ ]?(\d{1,9})\b"), re.compile(r"(?i)\b(\d{1,9})[ ]errors?\b")]


def normalise_error(text: str) -> str:
    """Return the text without colours, timestamps, addresses, process ids, durations and scratch paths, blanks folded.

    At most 8,192 characters come back: the first and the last 4,096 of a longer text. Line numbers and counts stay: a
    failure that moved is another failure.
    """
    if len(text) > 2 * _READ_CHARACTERS:
        head, tail = _without_volatile(text[:_READ_CHARACTERS]), _without_volatile(text[-_READ_CHARACTERS:])
        return head[: COMPARED_CHARACTERS // 2] + tail[-COMPARED_CHARACTERS // 2 :]
    plain = _without_volatile(text)
    if len(plain) <= COMPARED_CHARACTERS:
        return plain
    return plain[: COMPARED_CHARACTERS // 2] + plain[-COMPARED_CHARACTERS // 2 :]


def compare_texts(first: str, second: str) -> float:
    """Return 1 - Levenshtein distance / length of the longer text; 1 for two empty texts."""
    return float(Levenshtein.normalized_similarity(first, second))


def count_failing_tests(text: str) -> int | None:
    """Return how many tests failed according to the last summary line that says so, failures and errors together."""
    tail = text[-_READ_CHARACTERS:]
    for line in reversed(tail.splitlines()):
        counts = [_first_count(patterns, line) for patterns in (_FAILURES, _ERRORS)]
        if counts[0] is not None:
            return counts[0] + (counts[1] or 0)
    return None


def _first_count(patterns: list[re.Pattern[str]], line: str) -> int | None:
    found = next(filter(None, (pattern.search(line) for pattern in patterns)), None)
    return None if found is None else int(found[1])


def _without_volatile(text: str) -> str:
    for pattern, replacement in _VOLATILE:
        text = pattern.sub(replacement, text)
    return _BLANKS.sub(" ", text).strip()
