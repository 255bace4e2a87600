"""Name patterns: `*`, `?`, `[a-z]`, `[!a-z]` and `{one,two}`, parsed strictly and matched in linear time."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from ctxsieve.errors import InputError

__all__ = ["PatternSet", "fold_name"]

MAX_PATTERN_LENGTH = 256
MAX_ALTERNATIVES = 256


class PatternSet:
    """Patterns that are tried together; the first one that matches the whole name is the answer.

    Args:
        patterns: What to match, in order.
        folded: Compare without case and compatibility forms, so that `FILE_DELETE` cannot slip past `file_*`.

    Raises:
        InputError: A pattern is empty, too long, unbalanced, or has a backward range.
    """

    __slots__ = ("_folded", "_matchers", "patterns")

    def __init__(self, patterns: Sequence[str], *, folded: bool) -> None:
        self.patterns = tuple(patterns)
        self._folded = folded
        self._matchers = [
            (literal, expression.fullmatch, pattern)
            for pattern in self.patterns
            for literal, expression in _compile(fold_name(pattern) if folded else pattern)
        ]

    def first_match(self, name: str) -> str | None:
        """Return the first pattern that matches `name`, or None."""
        if self._folded:
            name = fold_name(name)
        for literal, matches, pattern in self._matchers:
            # Looking for a part that must occur is ten times faster than a failed match.
            if literal in name and matches(name):
                return pattern
        return None


def fold_name(name: str) -> str:
    """Return the name without differences of case, compatibility forms and invisible characters."""
    if name.isascii():
        return name.lower()
    visible = "".join(character for character in name if unicodedata.category(character) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())


@lru_cache(maxsize=1024)
def _compile(pattern: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return, per alternative, the longest text that must occur in a name and the expression for the whole name."""
    if not pattern:
        raise InputError("a pattern is empty: write * to match every name")
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise InputError(f"pattern {pattern[:40]!r}... has {len(pattern)} characters: at most {MAX_PATTERN_LENGTH}")
    return tuple(
        (_longest_literal(plain), re.compile(_translate(plain), re.DOTALL)) for plain in _expand_braces(pattern)
    )


def _longest_literal(plain: str) -> str:
    literals, position = [""], 0
    while position < len(plain):
        if plain[position] == "[":
            position = _end_of_class(plain, position)
            literals.append("")
            continue
        if plain[position] in "*?":
            literals.append("")
        else:
            literals[-1] += plain[position]
        position += 1
    return max(literals, key=len)


def _expand_braces(pattern: str) -> list[str]:
    """Return the patterns without braces that `{a,b}` stands for; braces may nest, at most 256 come out."""
    start, depth, cuts = -1, 0, []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        if character == "[":
            position = _end_of_class(pattern, position)
            continue
        if character == "{":
            if depth == 0:
                start, cuts = position, [position]
            depth += 1
        elif character == "," and depth == 1:
            cuts.append(position)
        elif character == "}":
            depth -= 1
            if depth < 0:
                raise InputError(f"pattern {pattern!r} has a }} without {{: balance it")
            if depth == 0:
                cuts.append(position)
                bodies = [pattern[a + 1 : b] for a, b in pairwise(cuts)]
                middles = [middle for body in bodies for middle in _expand_braces(body)]
                tails = _expand_braces(pattern[position + 1 :])
                if (count := len(middles) * len(tails)) > MAX_ALTERNATIVES:
                    raise InputError(f"pattern {pattern!r} stands for {count} patterns: at most {MAX_ALTERNATIVES}")
                return [pattern[:start] + middle + tail for middle in middles for tail in tails]
        position += 1
    if depth:
        raise InputError(f"pattern {pattern!r} has a {{ without }}: balance it")
    return [pattern]


def _translate(pattern: str) -> str:
    """Return a regular expression; text up to the next `*` is atomic, so that no input backtracks over a star."""
    segments: list[list[str]] = [[]]
    position = 0
    while position < len(pattern):
        character = pattern[position]
        if character == "*":
            if segments[-1] or len(segments) == 1:
                segments.append([])
            position += 1
        elif character == "[":
            end = _end_of_class(pattern, position)
            segments[-1].append(_class_of(pattern, position, end))
            position = end
        else:
            segments[-1].append("." if character == "?" else re.escape(character))
            position += 1
    first, *rest = ("".join(segment) for segment in segments)
    if not rest:
        return first
    # The first place where a segment fits is as good as any later one, except for the last, which must reach the end.
    return first + "".join(f"(?>.*?{segment})" for segment in rest[:-1]) + f".*{rest[-1]}"


def _end_of_class(pattern: str, start: int) -> int:
    """Return the position after the `]` that closes the `[` at `start`; a `]` directly after it is a member."""
    position = start + 1 + (pattern[start + 1 : start + 2] in ("!", "^"))
    end = pattern.find("]", position + 1)
    if end < 0:
        raise InputError(f"pattern {pattern!r} has a [ without ]: balance it")
    return end + 1


def _class_of(pattern: str, start: int, end: int) -> str:
    body = pattern[start + 1 : end - 1]
    negated = body[0] in "!^"
    members = body[1:] if negated else body
    parts: list[str] = []
    position = 0
    while position < len(members):
        low = members[position]
        if position + 2 < len(members) and members[position + 1] == "-":
            high = members[position + 2]
            if high < low:
                raise InputError(f"pattern {pattern!r} has the backward range {low}-{high}: write {high}-{low}")
            parts.append(f"{re.escape(low)}-{re.escape(high)}")
            position += 3
        else:
            parts.append(re.escape(low))
            position += 1
    return f"[{'^' if negated else ''}{''.join(parts)}]"
