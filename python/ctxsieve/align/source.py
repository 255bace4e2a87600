"""Alignment of source lines: shorter white space at their ends."""

from collections.abc import Sequence
from functools import cache

from ctxsieve.align.rules import SOURCE_RULES, SourceRule
from ctxsieve.tokens import count_tokens

__all__ = ["align_lines"]


def align_lines(lines: Sequence[str], layout: bytes, *, ends_with_newline: bool = True) -> tuple[str, ...] | None:
    """Return the lines of a whole file as they are spelled in fewest tokens, or None where nothing is gained.

    Lines correspond one to one, so that a last line without a newline never becomes empty. Indentation changes for the
    whole file or not at all, since lines of one block belong together; the exact count of the file decides.

    Args:
        lines: without their newlines.
        layout: a byte per line, `ParsedFile.layout`; an empty one allows nothing.
        ends_with_newline: whether the file does.
    """
    if not lines or len(layout) != len(lines):
        return None
    aligned = tuple(
        [
            _spelled(line, _rules_for(own, following), own)
            for line, own, following in zip(lines, layout, layout[1:] + b"\0", strict=True)
        ]
    )
    if not aligned[-1] and not ends_with_newline:
        # Nothing behind the last newline is no line.
        aligned = (*aligned[:-1], lines[-1])
    ending = "\n" if ends_with_newline else ""
    if count_tokens("\n".join(aligned) + ending) >= count_tokens("\n".join(lines) + ending):
        return None
    return aligned


def _spelled(line: str, rules: Sequence[SourceRule], layout: int) -> str:
    for rule in rules:
        line = rule.apply(line, layout)
    return line


@cache
def _rules_for(own: int, following: int) -> tuple[SourceRule, ...]:
    return tuple(rule for rule in SOURCE_RULES if rule.applies(own, following))
