"""Layer 2: lines that a known command prints as a matter of course are left out."""

from collections.abc import Sequence

from ctxsieve.terse.families import families_of
from ctxsieve.terse.levels import CompressionLevel
from ctxsieve.terse.protect import continuation_lines, error_lines
from ctxsieve.values import dataclass

__all__ = ["PatternVerdict", "judge_patterns"]


@dataclass(frozen=True, slots=True)
class PatternVerdict:
    """What the families say: `routine` lines may go, each with the reason; `content` lines are what was asked for."""

    families: tuple[str, ...]
    routine: dict[int, str]
    content: frozenset[int]


def judge_patterns(
    lines: Sequence[str], level: CompressionLevel, *, command: str | Sequence[str] | None = None
) -> PatternVerdict:
    """The verdict of the families that fit the command or recognise the output. Error lines are never routine.

    What a routine line mentions is not protected: its family knows that it only tells that work goes on ("Compiling
    serde v1.0") or that something is as expected ("test a ... ok").
    """
    if level is CompressionLevel.OFF:
        return PatternVerdict((), {}, frozenset())
    families = families_of(lines, command)
    errors = error_lines(lines)
    spared = continuation_lines(lines, errors)
    routine: dict[int, str] = {}
    content: set[int] = set()
    for family in families:
        content |= family.content_lines(lines)
        for position, reason in family.routine_lines(lines, level, spared).items():
            routine.setdefault(position, reason)
        if family.judge is not None:
            judged = family.judge(lines, level)
            content -= judged.keys()
            routine.update(judged)
    kept = {position: reason for position, reason in routine.items() if position not in errors | content}
    return PatternVerdict(tuple(family.name for family in families if family.commands), kept, frozenset(content))
