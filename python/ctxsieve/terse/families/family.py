"""What a command family is: how it is recognised, and which of its lines are routine."""

import re
from collections.abc import Callable, Mapping, Sequence, Set

from ctxsieve.terse.levels import CompressionLevel, levels_up_to
from ctxsieve.values import dataclass

__all__ = ["Family", "Rule", "lite", "maximum", "standard"]

Judge = Callable[[Sequence[str], CompressionLevel], Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """Lines that match `pattern` are left out from `level` on, except the first `shown` of them.

    A rule that `spares_errors` leaves the lines that continue an error alone.
    """

    pattern: re.Pattern[str]
    reason: str
    level: CompressionLevel
    shown: int = 0
    spares_errors: bool = False


def lite(pattern: str, reason: str) -> Rule:
    """Noise: it tells that work goes on."""
    return Rule(re.compile(pattern), reason, CompressionLevel.LITE)


def standard(pattern: str, reason: str, *, shown: int = 0) -> Rule:
    """Routine: it tells that something is as expected."""
    return Rule(re.compile(pattern), reason, CompressionLevel.STANDARD, shown)


def maximum(pattern: str, reason: str, *, shown: int = 0) -> Rule:
    """Detail: it can be looked up. Under an error it stays."""
    return Rule(re.compile(pattern), reason, CompressionLevel.MAX, shown, spares_errors=True)


@dataclass(frozen=True, slots=True)
class Family:
    """The output of one command, or of several that print alike.

    `commands` are word sequences that a command line begins with, options apart (`("git", "status")`).
    `signature` recognises the output without the command line: at least two lines must match.
    `judge` adds decisions that need more than one line. Lines that match `content` are what was asked for: no layer
    leaves them out, unless `judge` does.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    rules: tuple[Rule, ...]
    signature: re.Pattern[str] | None = None
    judge: Judge | None = None
    content: re.Pattern[str] | None = None

    def content_lines(self, lines: Sequence[str]) -> set[int]:
        """Positions of the lines that were asked for."""
        if self.content is None:
            return set()
        return {position for position, line in enumerate(lines) if self.content.search(line)}

    def routine_lines(self, lines: Sequence[str], level: CompressionLevel, spared: Set[int]) -> dict[int, str]:
        """Positions of routine lines at a level, each with the reason; the first rule that matches a line decides.

        `spared` are lines that continue an error.
        """
        reached = levels_up_to(level)
        counts = [0] * len(self.rules)
        routine: dict[int, str] = {}
        for position, line in enumerate(lines):
            for index, rule in enumerate(self.rules):
                if rule.pattern.search(line):
                    counts[index] += 1
                    is_spared = rule.spares_errors and position in spared
                    if rule.level in reached and counts[index] > rule.shown and not is_spared:
                        routine[position] = rule.reason
                    break
        return routine
