"""Removal of nodes by the native core, which needs no interpreter; the other modules here are its twin."""

from collections.abc import Sequence

from ctxsieve._kernels import PARSE_LIMIT, remove_nodes
from ctxsieve.compress.modes import Mode, Rendering, complement
from ctxsieve.compress.nodes import MATCH_LIMIT, is_served_natively, ranges_of
from ctxsieve.compress.removal import (
    NOTHING_TO_GAIN,
    REMOVED_LESS,
    TOO_LARGE,
    UNPARSABLE,
    Removal,
)
from ctxsieve.compress.source import SourceFile
from ctxsieve.languages import removal_rules

__all__ = ["remove_natively"]

_REASONS = ("", REMOVED_LESS, TOO_LARGE, UNPARSABLE, NOTHING_TO_GAIN)


def remove_natively(
    source: SourceFile, mode: Mode, choice: Sequence[float], *, gap_tokens: int, kept: bytes = b""
) -> Removal | None:
    """Return the file without the nodes that the mode chooses, None where the twin has to do it.

    What was found on the way is kept with the source.

    Args:
        source: the file.
        mode: `aggressive`, `entropy` or `task`.
        choice: share, surprise and lost names of `aggressive`, the share of `entropy`, nothing for `task`.
        gap_tokens: gaps that cost no more stay.
        kept: for `task`, a byte per line, not 0 for lines that stay.
    """
    language = source.language
    # What somebody else knows of the definitions counts for all steps; only the twin asks for it.
    if source.known is not None or not is_served_natively(source):
        return None
    assert language is not None, source.path
    assert language.grammar is not None, language.name
    removed = remove_nodes(
        source.text,
        language.grammar,
        removal_rules(language),
        choice,
        kept=kept,
        is_aligned=source.is_aligned,
        gap_tokens=gap_tokens,
        parse_limit=PARSE_LIMIT,
        match_limit=MATCH_LIMIT,
    )
    if removed is None:
        return None
    source.findings.nodes = removed.found
    if removed.source_tokens is not None:
        source.findings.tokens = removed.source_tokens
    reason = _REASONS[removed.outcome]
    if removed.content is None:
        return Removal(None, reason)
    gaps = ranges_of(removed.gaps)
    shown = complement(gaps, source.line_count)
    return Removal(Rendering(mode, removed.content, shown, gaps, removed.tokens), reason)
